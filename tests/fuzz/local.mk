# make fuzz: every reader under libFuzzer, AddressSanitizer and UBSan, FUZZ_SECONDS each. Needs clang with its runtime libraries.
FUZZ_CC = clang
FUZZ_SECONDS = 300
fuzz_targets = scene problem foreign urdf
fuzz_flags = -std=c17 -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all -Wall -Wextra -Wno-unused-command-line-argument
fuzz: lib/provenance.h
	$(AM_V_at)set -e; for target in $(fuzz_targets); do \
	  $(MKDIR_P) %D%/found/$$target; \
	  echo "  FUZZ     $$target, $(FUZZ_SECONDS) s"; \
	  $(FUZZ_CC) $(fuzz_flags) $(AM_CPPFLAGS) $(CPPFLAGS) -DHAVE_CONFIG_H -I. $(libcore_la_CPPFLAGS) \
	    $(addprefix $(top_srcdir)/,$(filter %.c,$(libcore_la_SOURCES))) $(top_srcdir)/%D%/fuzz_$$target.c \
	    $(libcore_la_LIBADD) -o %D%/fuzz_$$target; \
	  %D%/fuzz_$$target -max_total_time=$(FUZZ_SECONDS) -timeout=20 -rss_limit_mb=2048 -max_len=4096 -print_final_stats=1 \
	    -dict=$(top_srcdir)/%D%/words.dict -artifact_prefix=%D%/found/$$target- %D%/found/$$target $(top_srcdir)/%D%/corpus/$$target; \
	done
.PHONY: fuzz
clean-local: clean-fuzz
clean-fuzz:
	-rm -rf %D%/found $(addprefix %D%/fuzz_,$(fuzz_targets))
.PHONY: clean-fuzz

EXTRA_DIST += %D%/fuzz.h
EXTRA_DIST += %D%/fuzz_scene.c
EXTRA_DIST += %D%/fuzz_problem.c
EXTRA_DIST += %D%/fuzz_foreign.c
EXTRA_DIST += %D%/fuzz_urdf.c
EXTRA_DIST += %D%/words.dict
EXTRA_DIST += %D%/corpus
