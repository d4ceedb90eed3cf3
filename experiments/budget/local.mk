libexperiments_la_SOURCES += %D%/budget.c
