scenesdir = $(pkgdatadir)/scenes
dist_scenes_DATA =
dist_scenes_DATA += %D%/pendulum.yaml
dist_scenes_DATA += %D%/chain-10.yaml
dist_scenes_DATA += %D%/chain-100.yaml
