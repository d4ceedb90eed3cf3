LOG_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
AM_TESTS_ENVIRONMENT = CMOCKA_MESSAGE_OUTPUT=TAP; export CMOCKA_MESSAGE_OUTPUT; \
	DLS_TEST_SOURCE='$(abs_top_srcdir)'; export DLS_TEST_SOURCE; \
	OPENBLAS_NUM_THREADS=1; export OPENBLAS_NUM_THREADS;
test_cppflags = $(AM_CPPFLAGS) -I$(top_srcdir)/lib -I$(top_srcdir)/tests $(CMOCKA_CFLAGS)

# Linked with lib and solvers alone: the iterative path needs no dense reference.
check_PROGRAMS += tests/test_iterative_path
tests_test_iterative_path_SOURCES = %D%/test_iterative_path.c
tests_test_iterative_path_CPPFLAGS = $(test_cppflags) -I$(top_srcdir)/solvers
tests_test_iterative_path_LDADD = libsolvers.la libcore.la $(CMOCKA_LIBS) -lm

TESTS += $(check_PROGRAMS)
