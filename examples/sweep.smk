# A sweep in shards as a Snakemake workflow:
#     snakemake --snakefile examples/sweep.smk --cores 4 --config scene=scenes/chain-10.yaml shards=8
import os

SCENE = config["scene"]
SHARDS = int(config.get("shards", 4))
OVER = config.get("over", "--over 'joints.*.erp=0.1:0.9:9' --solvers pgs,sor")
STEM = os.path.splitext(os.path.basename(SCENE))[0]

rule table:
    input: expand("out/" + STEM + ".sweep.{k}-of-" + str(SHARDS) + ".tsv", k=range(1, SHARDS + 1))
    output: "out/" + STEM + ".sweep.tsv"
    shell: "delassus merge {input} -o out"

rule shard:
    input: SCENE
    output: "out/" + STEM + ".sweep.{k}-of-" + str(SHARDS) + ".tsv"
    shell: "delassus sweep {input} " + OVER + " -o out --shard {wildcards.k}/" + str(SHARDS)
