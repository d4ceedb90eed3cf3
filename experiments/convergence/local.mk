libexperiments_la_SOURCES += %D%/convergence.c
