libcore_la_SOURCES += %D%/body.c
libcore_la_SOURCES += %D%/configuration.c
libcore_la_SOURCES += %D%/model.h
libcore_la_SOURCES += %D%/model.c
libcore_la_SOURCES += %D%/model_joints.c
libcore_la_SOURCES += %D%/model_parts.h
libcore_la_SOURCES += %D%/scene.c
libcore_la_SOURCES += %D%/state.c
