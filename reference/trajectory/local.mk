libreference_la_SOURCES += %D%/prince_dormand.c
libreference_la_SOURCES += %D%/trajectory.c
libreference_la_SOURCES += %D%/parts.h
libreference_la_SOURCES += %D%/trajectory_events.c
libreference_la_SOURCES += %D%/trajectory_modes.c
libreference_la_SOURCES += %D%/trajectory_pairs.c
libreference_la_SOURCES += %D%/trajectory_rows.c
libreference_la_SOURCES += %D%/trajectory_system.c
