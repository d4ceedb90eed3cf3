libexperiments_la_SOURCES += %D%/standing.c
