# make fuzz: every reader of formats.def under libFuzzer, AddressSanitizer and UBSan, FUZZ_SECONDS each, and the choice among
# them ("any"). Needs clang with its runtime libraries. fclib is left out: it would be HDF5 that is tested.
FUZZ_CC = clang
FUZZ_SECONDS = 300
fuzz_formats = $$($(SED) -n 's/^FORMAT([^"]*"\([a-z0-9-]*\)".*/\1/p' $(top_srcdir)/lib/io/formats.def | grep -v fclib) any
fuzz_flags = -std=c17 -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all -Wall -Wextra -Wno-unused-command-line-argument
fuzz: lib/provenance.h fuzz-verdicts
	$(AM_V_at)$(MKDIR_P) %D%/found
	$(FUZZ_CC) $(fuzz_flags) $(AM_CPPFLAGS) $(CPPFLAGS) -DHAVE_CONFIG_H -I. $(libcore_la_CPPFLAGS) \
	  $(addprefix $(top_srcdir)/,$(filter %.c,$(libcore_la_SOURCES))) $(top_srcdir)/%D%/fuzz_format.c \
	  $(libcore_la_LIBADD) -o %D%/fuzz_format
	$(AM_V_at)set -e; for format in $(fuzz_formats); do \
	  echo "  FUZZ     $$format, $(FUZZ_SECONDS) s"; \
	  corpus=$(top_srcdir)/%D%/corpus/$$format; \
	  if test $$format = any; then unset DLS_FUZZ_FORMAT; corpus='$(top_srcdir)/%D%/corpus/*'; \
	  else DLS_FUZZ_FORMAT=$$format; export DLS_FUZZ_FORMAT; fi; \
	  $(MKDIR_P) %D%/found/$$format; \
	  %D%/fuzz_format -max_total_time=$(FUZZ_SECONDS) -timeout=20 -rss_limit_mb=2048 -max_len=4096 -print_final_stats=1 \
	    -dict=$(top_srcdir)/%D%/words.dict -artifact_prefix=%D%/found/$$format- %D%/found/$$format $$corpus; \
	done
.PHONY: fuzz

# Random small problems by every solver, against exact arithmetic.
FUZZ_VERDICTS = 100000
fuzz-verdicts:
	$(MAKE) $(AM_MAKEFLAGS) tests/test_verdicts$(EXEEXT)
	DLS_VERDICTS=$(FUZZ_VERDICTS) OPENBLAS_NUM_THREADS=1 tests/test_verdicts$(EXEEXT)
.PHONY: fuzz-verdicts

# Problems that have a solution, by every direct method, under every kernel of the BLAS.
FUZZ_METHODS = 3000
fuzz-methods:
	$(MAKE) $(AM_MAKEFLAGS) tests/test_methods$(EXEEXT)
	$(AM_V_at)status=0; for kernel in $$($(SHELL) $(top_srcdir)/build-aux/kernels.sh); do for threads in 1 2; do \
	  echo "  FUZZ     $$kernel, $$threads threads"; \
	  DLS_METHODS=$(FUZZ_METHODS) OPENBLAS_CORETYPE=$$kernel OPENBLAS_NUM_THREADS=$$threads \
	    tests/test_methods$(EXEEXT) || status=1; \
	done; done; exit $$status
.PHONY: fuzz-methods
clean-local: clean-fuzz
clean-fuzz:
	-rm -rf %D%/found %D%/fuzz_format
.PHONY: clean-fuzz

EXTRA_DIST += %D%/fuzz.h
EXTRA_DIST += %D%/fuzz_format.c
EXTRA_DIST += %D%/words.dict
EXTRA_DIST += %D%/corpus
