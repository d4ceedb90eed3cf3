libexperiments_la_SOURCES += %D%/energy_gains.c
libexperiments_la_SOURCES += %D%/run.h
libexperiments_la_SOURCES += %D%/run_changes.c
libexperiments_la_SOURCES += %D%/run_copies.c
libexperiments_la_SOURCES += %D%/scene_picture.c
libexperiments_la_SOURCES += %D%/state_lines.c
libexperiments_la_SOURCES += %D%/trajectory.c
libexperiments_la_SOURCES += %D%/warm_law.c
