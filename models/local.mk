modelsdir = $(pkgdatadir)/models
dist_models_DATA = %D%/gripper.urdf %D%/humanoid.urdf
