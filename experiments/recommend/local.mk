libexperiments_la_SOURCES += %D%/parts.h
libexperiments_la_SOURCES += %D%/places.c
libexperiments_la_SOURCES += %D%/recommend.c
libexperiments_la_SOURCES += %D%/recommend_table.c
libexperiments_la_SOURCES += %D%/trial.c
libexperiments_la_SOURCES += %D%/truth.c
