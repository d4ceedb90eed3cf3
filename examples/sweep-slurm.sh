#!/bin/sh
# A sweep as a Slurm array, a shard a task; a task that was cut off goes on where it was when it is queued again:
#     sbatch --array=1-16 --requeue examples/sweep-slurm.sh out scenes/chain-10.yaml --over 'joints.*.erp=0.1:0.9:9' --solvers pgs,sor
# and when all are done:
#     delassus merge out/chain-10.sweep.*-of-16.tsv -o out
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=1
set -eu
folder=$1
shift
exec "${DELASSUS:-delassus}" sweep "$@" -o "$folder" --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT"
