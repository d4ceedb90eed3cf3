# The programs that check certificates. They share nothing with the library, nor with each other.
dist_pkgdata_DATA = %D%/check_certificate.py
pkglibexec_PROGRAMS = proof/check_certificate
proof_check_certificate_SOURCES = %D%/certified.c %D%/certified.h
proof_check_certificate_SOURCES += %D%/check_certificate.c
proof_check_certificate_SOURCES += %D%/check_all.c
proof_check_certificate_SOURCES += %D%/check_backward.c
proof_check_certificate_SOURCES += %D%/check_gap.c
proof_check_certificate_SOURCES += %D%/check_solution.c
proof_check_certificate_SOURCES += %D%/check_states.c
proof_check_certificate_CPPFLAGS = $(AM_CPPFLAGS) $(ARB_CFLAGS) $(JANSSON_CFLAGS) $(NETTLE_CFLAGS)
proof_check_certificate_LDADD = $(FLINT_LIBS) $(JANSSON_LIBS) $(NETTLE_LIBS) -lm
