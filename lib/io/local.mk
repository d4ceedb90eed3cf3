libcore_la_SOURCES += %D%/build.c
libcore_la_SOURCES += %D%/file.c
libcore_la_SOURCES += %D%/file.h
libcore_la_SOURCES += %D%/foreign.c
libcore_la_SOURCES += %D%/foreign.h
libcore_la_SOURCES += %D%/foreign_contactbench.c
libcore_la_SOURCES += %D%/foreign_fc3d.c
libcore_la_SOURCES += %D%/foreign_siconos.c
libcore_la_SOURCES += %D%/formats.def
libcore_la_SOURCES += %D%/formats.h
libcore_la_SOURCES += %D%/load.c
libcore_la_SOURCES += %D%/matrix_market.c
libcore_la_SOURCES += %D%/matrix_set.c
libcore_la_SOURCES += %D%/matrix_set.h
libcore_la_SOURCES += %D%/problem_text.c
libcore_la_SOURCES += %D%/scan.c
libcore_la_SOURCES += %D%/scan.h
libcore_la_SOURCES += %D%/scene_articulation.c
libcore_la_SOURCES += %D%/scene_reader.h
libcore_la_SOURCES += %D%/scene_repeat.c
libcore_la_SOURCES += %D%/scene_repeat.h
libcore_la_SOURCES += %D%/scene_tendon.c
libcore_la_SOURCES += %D%/scene_track.c
libcore_la_SOURCES += %D%/scene_yaml.c
libcore_la_SOURCES += %D%/urdf.c
libcore_la_SOURCES += %D%/urdf_scene.c
libcore_la_SOURCES += %D%/vector.c
libcore_la_SOURCES += %D%/xml.c
libcore_la_SOURCES += %D%/xml.h
libcore_la_SOURCES += %D%/yaml_tree.c
libcore_la_SOURCES += %D%/yaml_tree.h

if HAVE_HDF5
libcore_la_SOURCES += %D%/fclib.c
else
libcore_la_SOURCES += %D%/fclib_none.c
endif
