libexperiments_la_SOURCES += %D%/answer_file.c
libexperiments_la_SOURCES += %D%/leaderboard_page.c
libexperiments_la_SOURCES += %D%/profile.h
libexperiments_la_SOURCES += %D%/profile_answers.c
libexperiments_la_SOURCES += %D%/profile_scores.c
libexperiments_la_SOURCES += %D%/profile_verdicts.c
