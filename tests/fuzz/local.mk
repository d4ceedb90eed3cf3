# make fuzz: what reads text or bytes under libFuzzer, AddressSanitizer and UBSan, FUZZ_SECONDS each: every reader of
# formats.def and the choice among them ("any"), files of FCLIB ("fclib"), tracks, tables of states and forces, and the
# command line ("command"). FUZZ="tracks tables" runs some of them. Inputs that reach something new are kept in CORPUS,
# where the next run begins, and what fails is written beside them. Needs clang with its runtime libraries. (make check
# runs the corpora with changes of each input: replay.c.)
FUZZ_CC = clang
FUZZ_SECONDS = 300
FUZZ = $(fuzz_formats) tables tracks command $(fuzz_fclib)
CORPUS = %D%/found
fuzz_formats = $$($(SED) -n 's/^FORMAT([^"]*"\([a-z0-9-]*\)".*/\1/p' $(top_srcdir)/lib/io/formats.def | grep -v fclib) any
if HAVE_HDF5
fuzz_fclib = fclib
endif
fuzz_sanitize = -g -O1 -fsanitize=address,undefined -fno-sanitize-recover=all
fuzz_compile = $(FUZZ_CC) -std=c17 $(fuzz_sanitize) -Wall -Wextra -ffp-contract=off $(AM_CPPFLAGS) $(CPPFLAGS) -DHAVE_CONFIG_H -I. -Ilib \
	$(all_paths_includes) -I$(top_srcdir)/cmd -DDELASSUS_DATADIR='"$(pkgdatadir)"' -DDELASSUS_BUILDDIR='"$(abs_top_builddir)"' \
	-DDELASSUS_SOURCEDIR='"$(abs_top_srcdir)"' -DDELASSUS_PEERDIR='"$(pkglibdir)/peers"' -DDELASSUS_ENGINEDIR='"$(pkglibdir)/engines"' \
	-DDELASSUS_READERDIR='"$(pkglibdir)/readers"' -D_DEFAULT_SOURCE $(LAPACKE_CFLAGS) $(OPENBLAS_CFLAGS) \
	$(GSL_CFLAGS) $(YAML_CFLAGS) $(XML_CFLAGS) $(HDF5_CFLAGS) $(JANSSON_CFLAGS) $(ZLIB_CFLAGS) $(QHULL_CFLAGS)
fuzz_core = $(patsubst %.c,%D%/objects/%.o,$(filter %.c,$(libcore_la_SOURCES)))
fuzz_program = $(patsubst %.c,%D%/objects/%.o,$(filter %.c,$(libsolvers_la_SOURCES) $(libreference_la_SOURCES) \
	$(libexperiments_la_SOURCES) $(delassus_SOURCES)))
# Functions that take long or start other programs; the functions in their place stand in fuzz_command.c.
fuzz_replaced = clean_up_after_signals fsync dls_solve dls_solve_until dls_decide_outcome dls_velocities_find \
	dls_problem_facets dls_compare_each dls_plot dls_run_trajectory dls_run_copies dls_check_problem dls_experiment_run dls_report_all \
	posix_spawnp
fuzz_headers = $(filter %.h %.def,$(libcore_la_SOURCES) $(libsolvers_la_SOURCES) $(libreference_la_SOURCES) \
	$(libexperiments_la_SOURCES) $(delassus_SOURCES) $(delassusinclude_HEADERS)) %D%/fuzz.h lib/provenance.h
fuzz_libs = $(LAPACKE_LIBS) $(OPENBLAS_LIBS) $(GSL_LIBS) $(FLINT_LIBS) $(YAML_LIBS) $(XML_LIBS) $(HDF5_LIBS) \
	$(JANSSON_LIBS) $(ZLIB_LIBS) $(QHULL_LIBS) $(LIBS) -lm
fuzz_link = $(AM_V_CCLD)$(FUZZ_CC) $(fuzz_sanitize) -fsanitize=fuzzer
%D%/objects/%.o: %.c $(fuzz_headers)
	$(AM_V_CC)$(MKDIR_P) $(@D) && $(fuzz_compile) -fsanitize=fuzzer-no-link -c $< -o $@
%D%/fuzz_tables: %D%/objects/%D%/fuzz_tables.o %D%/objects/cmd/dynamics_input.o $(fuzz_core)
	$(fuzz_link) $^ $(fuzz_libs) -o $@
%D%/objects/cmd/delassus.o: fuzz_compile += -Dmain=delassus_main
%D%/fuzz_command: %D%/objects/%D%/fuzz_command.o $(fuzz_program) $(fuzz_core)
	$(fuzz_link) $(patsubst %,-Wl$(fuzz_comma)--wrap=%,$(fuzz_replaced)) $^ $(fuzz_libs) -o $@
fuzz_comma = ,
%D%/fuzz_format %D%/fuzz_tracks %D%/fuzz_fclib: %D%/fuzz_%: %D%/objects/%D%/fuzz_%.o $(fuzz_core)
	$(fuzz_link) $^ $(fuzz_libs) -o $@
fuzz: fuzz-verdicts fuzz-contacts fuzz-inputs
fuzz-inputs: %D%/fuzz_format %D%/fuzz_tables %D%/fuzz_tracks %D%/fuzz_command $(addprefix %D%/fuzz_,$(fuzz_fclib))
	$(AM_V_at)set -e; programs=$$(pwd)/%D%; $(MKDIR_P) '$(CORPUS)'; found=$$(cd '$(CORPUS)' && pwd); \
	for name in $(FUZZ); do \
	  echo "  FUZZ     $$name, $(FUZZ_SECONDS) s"; \
	  seeds=$(abs_top_srcdir)/%D%/corpus/$$name program=$$programs/fuzz_$$name; \
	  test -x $$program || { program=$$programs/fuzz_format; DLS_FUZZ_FORMAT=$$name; export DLS_FUZZ_FORMAT; }; \
	  test $$name != any || { unset DLS_FUZZ_FORMAT; seeds='$(abs_top_srcdir)/%D%/corpus/*'; }; \
	  $(MKDIR_P) $$found/$$name; \
	  $$program -max_total_time=$(FUZZ_SECONDS) -timeout=20 -rss_limit_mb=2048 -max_len=4096 -print_final_stats=1 -close_fd_mask=1 \
	    -dict=$(abs_top_srcdir)/%D%/words.dict -artifact_prefix=$$found/$$name- $$found/$$name $$seeds >$$found/$$name.log 2>&1 || \
	    { tail -40 $$found/$$name.log; exit 1; }; \
	  $(SED) -n 's/^stat::number_of_executed_units: */           executions: /p; s/^stat::new_units_added: */           inputs kept: /p' \
	    $$found/$$name.log; \
	done
.PHONY: fuzz fuzz-inputs

# Random small problems by every solver, against exact arithmetic.
FUZZ_VERDICTS = 500000
fuzz-verdicts:
	$(MAKE) $(AM_MAKEFLAGS) tests/experiments_tests$(EXEEXT)
	DLS_VERDICTS=$(FUZZ_VERDICTS) OPENBLAS_NUM_THREADS=1 tests/experiments_tests$(EXEEXT) test_verdicts test_verdicts_friction
.PHONY: fuzz-verdicts

# 100,000 poses of each pair of solids.
fuzz-contacts:
	$(MAKE) $(AM_MAKEFLAGS) tests/lib_tests$(EXEEXT)
	DLS_TEST_FULL=1 tests/lib_tests$(EXEEXT) test_convex
.PHONY: fuzz-contacts

# Problems that have a solution, by every direct method, under every kernel of the BLAS.
FUZZ_METHODS = 3000
fuzz-methods:
	$(MAKE) $(AM_MAKEFLAGS) tests/experiments_tests$(EXEEXT)
	$(AM_V_at)status=0; for kernel in $$($(SHELL) $(top_srcdir)/build-aux/kernels.sh); do for threads in 1 2; do \
	  echo "  FUZZ     $$kernel, $$threads threads"; \
	  DLS_METHODS=$(FUZZ_METHODS) OPENBLAS_CORETYPE=$$kernel OPENBLAS_NUM_THREADS=$$threads \
	    tests/experiments_tests$(EXEEXT) test_methods || status=1; \
	done; done; exit $$status
.PHONY: fuzz-methods
clean-local: clean-fuzz
clean-fuzz:
	-rm -rf %D%/found %D%/objects %D%/fuzz_format %D%/fuzz_tables %D%/fuzz_tracks %D%/fuzz_command %D%/fuzz_fclib
.PHONY: clean-fuzz

EXTRA_DIST += %D%/fuzz.h
EXTRA_DIST += %D%/fuzz_command.c
EXTRA_DIST += %D%/fuzz_format.c
EXTRA_DIST += %D%/fuzz_fclib.c
EXTRA_DIST += %D%/fuzz_tables.c
EXTRA_DIST += %D%/fuzz_tracks.c
EXTRA_DIST += %D%/words.dict
EXTRA_DIST += %D%/corpus
