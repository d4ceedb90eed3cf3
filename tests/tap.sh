#!/bin/sh
# Runs a test program. cmocka 1.1 writes "not ok N # SKIP" of a test that called skip(), which TAP reads as a failure.
exec 4>&1
status=$({ { "$@"; echo $? >&3; } | sed 's/^not ok \([0-9]*\) # SKIP/ok \1 # SKIP/' >&4; } 3>&1)
exit "$status"
