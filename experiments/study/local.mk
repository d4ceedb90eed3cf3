libexperiments_la_SOURCES += %D%/hold.c
libexperiments_la_SOURCES += %D%/hold.h
libexperiments_la_SOURCES += %D%/joint_errors.c
