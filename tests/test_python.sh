#!/bin/sh
# The Python package as it is built: tests/python by pytest. TAP.
if [ ! -d python/here ]; then
    echo "1..0 # SKIP the Python package is not built: $DLS_TEST_PYTHON_WHY"
    exit 0
fi
if ! "$DLS_TEST_PYTHON" -c 'import pytest' 2>/dev/null; then
    echo "1..0 # SKIP $DLS_TEST_PYTHON has no pytest (python3-pytest on Debian)"
    exit 0
fi
PYTHONPATH=$(pwd)/python/here
PYTHONDONTWRITEBYTECODE=1
DELASSUS_DATADIR=$DLS_TEST_SOURCE
DLS_TEST_PROGRAM=$(pwd)/delassus
export PYTHONPATH PYTHONDONTWRITEBYTECODE DELASSUS_DATADIR DLS_TEST_PROGRAM
exec "$DLS_TEST_PYTHON" -W error -m pytest -p no:cacheprovider -p no:terminal --rootdir="$DLS_TEST_SOURCE/tests/python" \
    --capture=fd "$DLS_TEST_SOURCE/tests/python" "$@"
