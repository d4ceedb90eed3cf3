libexperiments_la_SOURCES += %D%/orders.c
