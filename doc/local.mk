# The man page is made from the program's help; a tarball carries it, so that help2man is only needed in a checkout.
dist_man1_MANS = %D%/delassus.1
%D%/delassus.1: $(delassus_SOURCES) $(srcdir)/%D%/man.sh | delassus$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) %D% && $(SHELL) $(srcdir)/%D%/man.sh ./delassus$(EXEEXT) $@
CLEANFILES += %D%/delassus.1
EXTRA_DIST += %D%/man.sh
EXTRA_DIST += %D%/images/four-bar.gp %D%/images/four-bar.png
dist_doc_DATA = %D%/conventions.md
dist_doc_DATA += %D%/dynamics.md
dist_doc_DATA += %D%/mjcf.md
dist_doc_DATA += %D%/problem-format.md
dist_doc_DATA += %D%/python.md
dist_doc_DATA += %D%/results.md
dist_doc_DATA += %D%/scene-format.md
dist_doc_DATA += %D%/simulation.md
dist_doc_DATA += %D%/sweeps.md
dist_doc_DATA += %D%/verdicts.md
dist_doc_DATA += %D%/view.md
dist_doc_DATA += %D%/outside-solvers.md
dist_doc_DATA += %D%/peers.md
dist_doc_DATA += %D%/engines.md
dist_doc_DATA += %D%/answers.schema.json

bashcompletiondir = $(datadir)/bash-completion/completions
dist_bashcompletion_DATA = completions/delassus
zshcompletiondir = $(datadir)/zsh/site-functions
dist_zshcompletion_DATA = completions/_delassus
fishcompletiondir = $(datadir)/fish/vendor_completions.d
dist_fishcompletion_DATA = completions/delassus.fish

pkgconfigdir = $(libdir)/pkgconfig
pkgconfig_DATA = %D%/delassus.pc
