modelsdir = $(pkgdatadir)/models
dist_models_DATA = %D%/gripper.urdf %D%/humanoid.urdf %D%/lamp.urdf \
	%D%/mjcf-arm.xml %D%/mjcf-balls.xml %D%/mjcf-humanoid.xml %D%/mjcf-loops.xml %D%/mjcf-tendons.xml

# Meshes of lamp.urdf.
lampdir = $(modelsdir)/lamp
dist_lamp_DATA = %D%/lamp/bulb.stl %D%/lamp/foot.obj %D%/lamp/shade.stl
