modelsdir = $(pkgdatadir)/models
dist_models_DATA = %D%/gripper.urdf %D%/humanoid.urdf \
	%D%/mjcf-arm.xml %D%/mjcf-balls.xml %D%/mjcf-humanoid.xml %D%/mjcf-loops.xml %D%/mjcf-tendons.xml
