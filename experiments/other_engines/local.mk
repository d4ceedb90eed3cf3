libexperiments_la_SOURCES += %D%/closed_form.c
libexperiments_la_SOURCES += %D%/engines.c
libexperiments_la_SOURCES += %D%/engines_figures.c
libexperiments_la_SOURCES += %D%/engines_runs.c
libexperiments_la_SOURCES += %D%/free_box.c
libexperiments_la_SOURCES += %D%/instants.c
libexperiments_la_SOURCES += %D%/parts.h
libexperiments_la_SOURCES += %D%/rolling.c
