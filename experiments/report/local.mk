libexperiments_la_SOURCES += %D%/report.c
libexperiments_la_SOURCES += %D%/report.h
libexperiments_la_SOURCES += %D%/report_files.c
libexperiments_la_SOURCES += %D%/report_page.c
libexperiments_la_SOURCES += %D%/report_pdf.c
libexperiments_la_SOURCES += %D%/report_tex.c
libexperiments_la_SOURCES += %D%/report_words.c
