# The Python package delassus: a C module over the installed headers, and Python above it. All of it in one folder.
python_sources =
python_sources += %D%/delassus/__init__.py
python_sources += %D%/delassus/__main__.py
python_sources += %D%/delassus/_arrays.py
python_sources += %D%/delassus/_names.py
python_sources += %D%/delassus/answer.py
python_sources += %D%/delassus/batch.py
python_sources += %D%/delassus/comparison.py
python_sources += %D%/delassus/motion.py
python_sources += %D%/delassus/problem.py
python_sources += %D%/delassus/scene.py
python_sources += %D%/delassus/simulation.py
python_sources += %D%/delassus/solver.py
python_sources += %D%/delassus/statement.py
python_sources += %D%/delassus/sweep.py
python_sources += %D%/delassus/table.py
python_sources += %D%/delassus/py.typed
EXTRA_DIST += $(python_sources)

if HAVE_PYTHON
pythonpackagedir = $(PYTHON_SITE)/delassus
pythonpackage_PYTHON = $(python_sources)
pythonpackage_LTLIBRARIES = %D%/_delassus.la
%C%__delassus_la_SOURCES = %D%/arrays.c
%C%__delassus_la_SOURCES += %D%/batch.c
%C%__delassus_la_SOURCES += %D%/choice.c
%C%__delassus_la_SOURCES += %D%/compare.c
%C%__delassus_la_SOURCES += %D%/content.c
%C%__delassus_la_SOURCES += %D%/errors.c
%C%__delassus_la_SOURCES += %D%/module.c
%C%__delassus_la_SOURCES += %D%/motion.c
%C%__delassus_la_SOURCES += %D%/options.c
%C%__delassus_la_SOURCES += %D%/own.c
%C%__delassus_la_SOURCES += %D%/parts.h
%C%__delassus_la_SOURCES += %D%/problem.c
%C%__delassus_la_SOURCES += %D%/scene.c
%C%__delassus_la_SOURCES += %D%/simulation.c
%C%__delassus_la_SOURCES += %D%/solve.c
%C%__delassus_la_SOURCES += %D%/statement.c
%C%__delassus_la_SOURCES += %D%/sweep.c
%C%__delassus_la_SOURCES += %D%/watched.c
%C%__delassus_la_CPPFLAGS = $(AM_CPPFLAGS) $(all_paths_includes) $(PYTHON_CFLAGS)
%C%__delassus_la_CFLAGS = $(AM_CFLAGS)
%C%__delassus_la_LDFLAGS = -module -avoid-version -shared -export-symbols-regex '^PyInit__delassus$$'
%C%__delassus_la_LIBADD = libdelassus.la

# The package as it can be imported without an installation: PYTHONPATH=python/here
all-local: %D%/here/stamp
%D%/here/stamp: $(python_sources) %D%/_delassus.la
	$(AM_V_GEN)rm -rf %D%/here && $(MKDIR_P) %D%/here/delassus && \
	for file in $(python_sources); do cp "$(srcdir)/$$file" %D%/here/delassus/ || exit 1; done && \
	$(LN_S) '$(abs_builddir)/%D%/.libs/_delassus.so' %D%/here/delassus/_delassus.so && touch $@
# An interpreter with this package: ./delassus-python, or ./delassus-python FILE.
noinst_SCRIPTS += delassus-python
CLEANFILES += delassus-python
delassus-python: Makefile
	$(AM_V_GEN)printf '%s\n' '#!/bin/sh' '# Python with the package delassus of this build folder.' \
		"PYTHONPATH='$(abs_builddir)/%D%/here'\$${PYTHONPATH:+:\$$PYTHONPATH} exec '$(PYTHON)' \"\$$@\"" >$@.new && \
	chmod +x $@.new && mv $@.new $@
# Folders that are empty then.
uninstall-hook:
	-rmdir '$(DESTDIR)$(pythonpackagedir)/__pycache__' '$(DESTDIR)$(pythonpackagedir)' 2>/dev/null
endif
# Executes the notebook and stores its outputs.
update-notebook: all
	folder=`mktemp -d` && (cd "$$folder" && DELASSUS_DATADIR='$(abs_top_srcdir)' '$(abs_builddir)/delassus-python' \
		'$(abs_top_srcdir)/tests/python/execute_notebook.py' '$(abs_top_srcdir)/examples/notebook.ipynb'); \
	status=$$?; rm -rf "$$folder"; exit $$status
.PHONY: update-notebook
