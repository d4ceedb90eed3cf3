libexperiments_la_SOURCES += %D%/cfm.c
