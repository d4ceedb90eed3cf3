#!/bin/sh
# A sweep in shards by GNU parallel, on this machine or, with --sshlogin among parallel's own options, on several that share
# the folder:
#     examples/sweep-parallel.sh SHARDS FOLDER SCENE --over KEY=VALUES ...
set -eu
program=${DELASSUS:-delassus}
shards=$1 folder=$2
shift 2
parallel --quote "$program" sweep "$@" -o "$folder" --shard "{}/$shards" ::: $(seq "$shards")
scene=$(basename "$1")
"$program" merge "$folder/${scene%.*}".sweep.*-of-"$shards".tsv -o "$folder"
