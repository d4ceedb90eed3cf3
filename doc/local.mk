# The man page is made from the program's help; a tarball carries it, so that help2man is only needed in a checkout.
dist_man1_MANS = %D%/delassus.1
%D%/delassus.1: $(delassus_SOURCES) $(srcdir)/%D%/man.sh $(srcdir)/%D%/delassus.h2m | delassus$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) %D% && $(SHELL) $(srcdir)/%D%/man.sh ./delassus$(EXEEXT) $(srcdir)/%D%/delassus.h2m $@
CLEANFILES += %D%/delassus.1
EXTRA_DIST += %D%/man.sh %D%/delassus.h2m
EXTRA_DIST += %D%/images/four-bar.gp %D%/images/four-bar.png
# The manual: info by make, HTML by make html, PDF by make pdf. A tarball carries the info file, so that makeinfo is only
# needed in a checkout, which is built without a manual where there is none.
info_TEXINFOS = %D%/delassus.texi
doc_delassus_TEXINFOS = %D%/theory.texi %D%/reference.texi
AM_MAKEINFOHTMLFLAGS = --split=chapter
AM_DISTCHECK_DVI_TARGET = html # not dvi, which needs TeX
EXTRA_DIST += %D%/reference.py
# The chapter of joints, solvers, schemes and experiments, from the program's tables; tests/test_manual.sh compares it.
update-reference: delassus$(EXEEXT)
	$(PYTHON) $(srcdir)/%D%/reference.py ./delassus$(EXEEXT) > $(srcdir)/%D%/reference.texi.new
	mv $(srcdir)/%D%/reference.texi.new $(srcdir)/%D%/reference.texi

# The pictures of doc/gallery.md, by the commands that stand there.
gallery: delassus$(EXEEXT)
	cd $(srcdir) && sed -n 's,^    delassus \(view .* -o doc/images/.*\)$$,"$$DELASSUS" \1 || exit 1,p' doc/gallery.md | DELASSUS=$(abs_builddir)/delassus $(SHELL)
.PHONY: update-reference gallery

dist_doc_DATA = %D%/conventions.md
dist_doc_DATA += %D%/certificates.md
dist_doc_DATA += %D%/checking.md
dist_doc_DATA += %D%/ci.md
dist_doc_DATA += %D%/diagnosis.md
dist_doc_DATA += %D%/collection.md
dist_doc_DATA += %D%/engine-step.md
dist_doc_DATA += %D%/errata.md
dist_doc_DATA += %D%/first-steps.md
dist_doc_DATA += %D%/gallery.md
dist_doc_DATA += %D%/recommend.md
dist_doc_DATA += %D%/report.md
dist_doc_DATA += %D%/dynamics.md
dist_doc_DATA += %D%/mjcf.md
dist_doc_DATA += %D%/motion.md
dist_doc_DATA += %D%/problem-format.md
dist_doc_DATA += %D%/profiles.md
dist_doc_DATA += %D%/python.md
dist_doc_DATA += %D%/results.md
dist_doc_DATA += %D%/scene-format.md
dist_doc_DATA += %D%/simulation.md
dist_doc_DATA += %D%/sweeps.md
dist_doc_DATA += %D%/sdf.md
dist_doc_DATA += %D%/urdf.md
dist_doc_DATA += %D%/verdicts.md
dist_doc_DATA += %D%/view.md
dist_doc_DATA += %D%/outside-solvers.md
dist_doc_DATA += %D%/peers.md
dist_doc_DATA += %D%/engines.md
dist_doc_DATA += %D%/answers.schema.json
dist_doc_DATA += %D%/answer-file.schema.json
# The pictures of these pages, in the folder that they name.
docimagesdir = $(docdir)/images
dist_docimages_DATA = %D%/images/bennett.svg
dist_docimages_DATA += %D%/images/four-bar.svg
dist_docimages_DATA += %D%/images/hanging-bridge.svg
dist_docimages_DATA += %D%/images/loop-track.svg
dist_docimages_DATA += %D%/images/railway.svg
dist_docimages_DATA += %D%/images/stack-10-found.svg
dist_docimages_DATA += %D%/images/tendons.svg
dist_docimages_DATA += %D%/images/wall.svg

bashcompletiondir = $(datadir)/bash-completion/completions
dist_bashcompletion_DATA = completions/delassus
zshcompletiondir = $(datadir)/zsh/site-functions
dist_zshcompletion_DATA = completions/_delassus
fishcompletiondir = $(datadir)/fish/vendor_completions.d
dist_fishcompletion_DATA = completions/delassus.fish

pkgconfigdir = $(libdir)/pkgconfig
pkgconfig_DATA = %D%/delassus.pc
