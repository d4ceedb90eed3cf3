libreference_la_SOURCES += %D%/statement.c
libreference_la_SOURCES += %D%/statement.h
libreference_la_SOURCES += %D%/statement_dependent.c
libreference_la_SOURCES += %D%/statement_enclosure.c
libreference_la_SOURCES += %D%/statement_gap.c
libreference_la_SOURCES += %D%/statement_problem.c
libreference_la_SOURCES += %D%/statement_text.c
libreference_la_SOURCES += %D%/statement_write.c
