libexperiments_la_SOURCES += %D%/best_statement.c
libexperiments_la_SOURCES += %D%/compare.c
libexperiments_la_SOURCES += %D%/outcome.c
libexperiments_la_SOURCES += %D%/reference_solution.c
libexperiments_la_SOURCES += %D%/sentence.c
libexperiments_la_SOURCES += %D%/solve_until.c
libexperiments_la_SOURCES += %D%/verdict.c
