#!/bin/sh
# Robots as people have them: meshes in packages and in COLLADA. TAP.
. "$DLS_TEST_SOURCE/tests/script.sh"
unset ROS_PACKAGE_PATH AMENT_PREFIX_PATH GZ_SIM_RESOURCE_PATH
readers=${DELASSUS_READERDIR:-lib/readers/.libs}

# --- meshes in packages ---

# A block with a corner at the origin, and a robot whose base has it as its mesh.
block() { # half an edge as a number, file
    printf 'v %s %s %s\n' 0 0 0 "$1" 0 0 0 "$1" 0 "$1" "$1" 0 0 0 "$1" "$1" 0 "$1" 0 "$1" "$1" "$1" "$1" "$1" >"$2"
    printf 'f 1 2 4 3\nf 5 7 8 6\nf 1 5 6 2\nf 3 4 8 7\nf 1 3 7 5\nf 2 6 8 4\n' >>"$2"
}
robot() { # the mesh's name, file
    cat >"$2" <<EOF
<robot name="r"><link name="base"/><link name="arm"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
<collision><geometry><mesh filename="$1"/></geometry></collision></link>
<joint name="j" type="continuous"><parent link="base"/><child link="arm"/></joint></robot>
EOF
}
collides() { # what, robot
    "$program" run "$2" --set world.collide=true --time 0.001 -o "$dir/run" >"$dir/out" 2>"$dir/err" && grep -q "collide as convex hulls" "$dir/out"
    ok $? "$1"
}
mkdir -p "$dir/checkout/urdf" "$dir/checkout/meshes" "$dir/packages/arm_description" "$dir/prefix/share/arm_description"
robot package://arm_description/meshes/a.obj "$dir/checkout/urdf/arm.urdf"
refuses "a package that is nowhere" "arm.urdf.*arm_description/meshes/a.obj' is neither in this file's folder" run "$dir/checkout/urdf/arm.urdf" --set world.collide=true -o "$dir/run"
block 1 "$dir/checkout/meshes/a.obj"
refuses "a folder above that has the file and is no package" "is neither in this file's folder" run "$dir/checkout/urdf/arm.urdf" --set world.collide=true -o "$dir/run"
echo '<package><!-- <name>other</name> --><name> arm_description </name></package>' >"$dir/checkout/package.xml"
collides "a package whose folder has another name" "$dir/checkout/urdf/arm.urdf"
echo '<package><name>arm_description2</name></package>' >"$dir/checkout/package.xml"
refuses "one whose name only begins so" "is neither in this file's folder" run "$dir/checkout/urdf/arm.urdf" --set world.collide=true -o "$dir/run"
mv "$dir/checkout/meshes" "$dir/packages/arm_description/meshes"
ROS_PACKAGE_PATH=$dir/none:$dir/packages collides "a package in ROS_PACKAGE_PATH" "$dir/checkout/urdf/arm.urdf"
mv "$dir/packages/arm_description/meshes" "$dir/prefix/share/arm_description/meshes"
AMENT_PREFIX_PATH=$dir/prefix collides "a package in AMENT_PREFIX_PATH" "$dir/checkout/urdf/arm.urdf"
robot "file://$dir/prefix/share/arm_description/meshes/a.obj" "$dir/file.urdf"
collides "a file by file://" "$dir/file.urdf"

# --- COLLADA ---

# A tetrahedron of 10 x 20 x 30 cm in centimetres, which a node of the file's scene moves by 1 m; its z is up.
cat >"$dir/a.dae" <<'EOF'
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset><unit name="centimeter" meter="0.01"/><up_axis>Z_UP</up_axis></asset>
<library_geometries><geometry id="g"><mesh><source id="p"><float_array id="a" count="12">0 0 0 10 0 0 0 20 0 0 0 30</float_array><technique_common>
<accessor source="#a" count="4" stride="3"><param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices><triangles count="4"><input semantic="VERTEX" source="#v" offset="0"/><p>0 2 1 0 1 3 0 3 2 1 2 3</p></triangles></mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node id="n"><translate>100 0 0</translate><instance_geometry url="#g"/></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>
EOF
# Its least height over a plane through the origin: a robot that falls on it rests where its lowest corner is.
cat >"$dir/dae.yaml" <<'EOF'
world: {collide: true, contact_margin: 1}
bodies:
  - {name: ground, static: true, shape: plane, position: [0, 0, -0.25]}
  - {name: a, shape: mesh, mesh: a.dae, mass: 1, inertia: [1, 1, 1]}
EOF
sed 's/a\.dae/same.obj/' "$dir/dae.yaml" >"$dir/obj.yaml"
printf 'v 1 0 0\nv 1.1 0 0\nv 1 0.2 0\nv 1 0 0.3\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n' >"$dir/same.obj"
if [ -r "$readers/assimp.so" ]; then
    for kind in dae obj; do
        "$program" run "$dir/$kind.yaml" --time 0.3 -o "$dir/$kind" >"$dir/out" 2>"$dir/err"
    done
    # Single precision in assimp.
    paste "$dir/dae/dae.trajectory.tsv" "$dir/obj/obj.trajectory.tsv" | awk 'NR > 1 { n = NF / 2; for (i = 1; i <= n; i++) if ($i != $(n + i) && ($i - $(n + i)) ^ 2 > 1e-10) bad = 1 } END { exit bad || NR < 10 }'
    ok $? "a mesh in COLLADA moves as the same one in OBJ, in metres and where its node puts it"
    sed 's/0.01/nothing/; s/<p>/<p>99 /' "$dir/a.dae" >"$dir/wrong.dae"
    sed 's/a\.dae/wrong.dae/' "$dir/dae.yaml" >"$dir/wrong.yaml"
    refuses "one that is wrong" "wrong.dae" run "$dir/wrong.yaml" -o "$dir/run"
else
    skip "COLLADA" "this build has no assimp"
fi
DELASSUS_READERDIR=$dir refuses "COLLADA without its reader" "a.dae: a mesh in COLLADA needs libassimp.*install libassimp-dev" run "$dir/dae.yaml" -o "$dir/run"

# --- templates ---

# A stand-in for xacro, which replaces the one word that the template has.
mkdir -p "$dir/bin"
cat >"$dir/bin/xacro" <<'EOF'
#!/bin/sh
grep -q LENGTH "$1" || { echo "no such property" >&2; exit 3; }
sed '/xacro:property/d; s/[$]{LENGTH}/2/' "$1"
EOF
chmod +x "$dir/bin/xacro"
cat >"$dir/arm.urdf.xacro" <<'EOF'
<robot name="arm" xmlns:xacro="http://wiki.ros.org/xacro"><link name="base"/>
<xacro:property name="LENGTH" value="2"/>
<link name="rod"><inertial><origin xyz="${LENGTH} 0 0"/><mass value="3"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
<joint name="pivot" type="continuous"><parent link="base"/><child link="rod"/><axis xyz="0 0 1"/></joint></robot>
EOF
moment_is_13() { awk 'NR == 2 { exit !(($2 - 13) ^ 2 < 1e-24) }' "$dir/out"; } # 1 + 3 2^2
refuses "a template without xacro" "arm.urdf.xacro:2:.*install xacro, or expand it where that is" dynamics "$dir/arm.urdf.xacro"
PATH=$dir/bin:$PATH "$program" dynamics "$dir/arm.urdf.xacro" --quantity generalized-mass-matrix >"$dir/out" 2>"$dir/err"
moment_is_13 && grep -q "expanded by xacro" "$dir/err"
ok $? "a template is expanded by xacro, and this is said"
sed 's/LENGTH/WIDTH/' "$dir/arm.urdf.xacro" >"$dir/wide.xacro"
PATH=$dir/bin:$PATH refuses "what xacro says of a wrong one" "wide.xacro: xacro ended with exit status 3: no such property" dynamics "$dir/wide.xacro"
printf 'articulations:\n  - {name: a, urdf: arm.urdf.xacro}\n' >"$dir/template.yaml"
PATH=$dir/bin:$PATH "$program" dynamics "$dir/template.yaml" --quantity generalized-mass-matrix >"$dir/out" 2>"$dir/err"
moment_is_13
ok $? "also in a scene"

# --- joints ---

BODY='<inertial><origin xyz="0.1 0.2 0.3"/><mass value="2"/><inertia ixx="1" iyy="2" izz="2.5" ixy="0.1" ixz="0.2" iyz="0.3"/></inertial>'
jointed() { # type, the joint's elements, other elements
    echo "<robot name='r'><link name='w'><inertial><mass value='9'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link>
<link name='b'>$BODY</link>
<joint name='j' type='$1'><parent link='w'/><child link='b'/><origin xyz='1 2 3' rpy='0.3 0.2 0.1'/>$2</joint>$3</robot>" >"$dir/jointed.urdf"
}
masses() { # name; the rows of M behind the heading on standard input
    tr ' ' '\t' >"$dir/right"
    "$program" dynamics "$dir/jointed.urdf" --quantity generalized-mass-matrix 2>"$dir/err" | cut -f2- | sed 1d >"$dir/out"
    differ "$dir/right" "$dir/out" >"$dir/told"
    nothing_told "$1"
}
# With c from the joint to the centre: m 1, -m [c]x and I - m [c]x^2.
jointed planar "<axis xyz='0 0 -1'/>"
masses "a planar joint: x, y and a turn, about -z" <<'EOF'
2 0 0.4
0 2 0.2
0.4 0.2 2.6
EOF
jointed floating
masses "a floating joint of a link of the world" <<'EOF'
2 0 0 0 0.6 -0.4
0 2 0 -0.6 0 0.2
0 0 2 0.4 -0.2 0
0 -0.6 0.4 1.26 0.06 0.14
0.6 0 -0.2 0.06 2.2 0.18
-0.4 0.2 0 0.14 0.18 2.6
EOF
jointed spherical "<axis xyz='0 0 1'/>"
masses "a spherical joint, whose axis has no effect" <<'EOF'
1.26 0.06 0.14
0.06 2.2 0.18
0.14 0.18 2.6
EOF
# One that follows a fixed joint is held where it is offset; one that follows nothing is a constraint that is missing.
TIP="<link name='t'>$BODY</link><joint name='k' type='prismatic'><parent link='b'/><child link='t'/><axis xyz='1 0 0'/><limit lower='-1' upper='1' effort='1' velocity='1'/><mimic joint='j' multiplier='3' offset='0.5'/></joint>"
jointed fixed "" "$TIP"
"$program" run "$dir/jointed.urdf" --time 1 --energy-limit none -o "$dir/run" >"$dir/out" 2>"$dir/err"
awk -F'\t' '!/^#/ && $2 ~ /k/ { q = $3 } END { exit !((q - 0.5) ^ 2 < 1e-8) }' "$dir"/run/*.joints.tsv && grep -q "held at its offset" "$dir/err"
ok $? "a joint that follows a fixed one is held at its offset, and this is said"
jointed fixed "" "$(echo "$TIP" | sed "s/mimic joint='j'/mimic joint='nobody'/")"
"$program" dynamics "$dir/jointed.urdf" --quantity generalized-mass-matrix >"$dir/out" 2>"$dir/err"
ok $? "one that follows no joint has a mass matrix"
! "$program" run "$dir/jointed.urdf" -o "$dir/none" >"$dir/out" 2>"$dir/err" && grep -q "joint 'k' follows 'nobody', which is no joint" "$dir/err" && [ ! -e "$dir/none" ]
ok $? "and moves only with leave"
sed "s/lower='-1' upper='1'/lower='1' upper='-1'/; s/<mimic[^>]*>//" "$dir/jointed.urdf" >"$dir/limits.urdf"
"$program" run "$dir/limits.urdf" --ignore constraints --time 0.01 -o "$dir/run" >"$dir/out" 2>"$dir/err" && grep -q "left out .*constraints: limit" "$dir/out"
ok $? "limits that are none are left out with leave, and said at the end"

# --- a model as a scene ---

# The scene that a model becomes has its mass matrix, its bias force and its motion.
becomes() { # model, options of run
    model=$1
    shift
    : >"$dir/told"
    name=$(basename "$model" | sed 's/\..*//')
    "$program" convert "$model" -o "$dir/scenes/$name.yaml" >"$dir/out" 2>"$dir/err" || echo "not converted" >>"$dir/told"
    for kind in model scene; do
        file=$model
        [ $kind = scene ] && file=$dir/scenes/$name.yaml
        "$program" run "$file" --time 0.2 --samples 20 --figures svg "$@" -o "$dir/$kind" >"$dir/out" 2>"$dir/err" || echo "$kind does not run" >>"$dir/told"
        for quantity in generalized-mass-matrix bias-force; do
            "$program" dynamics "$file" --quantity $quantity >"$dir/$kind.$quantity" 2>"$dir/err"
        done
    done
    for table in trajectory joints forces; do
        differ "$dir"/model/*.$table.tsv "$dir"/scene/*.$table.tsv >>"$dir/told"
    done
    for quantity in generalized-mass-matrix bias-force; do
        differ "$dir/model.$quantity" "$dir/scene.$quantity" >>"$dir/told"
    done
    rm -rf "$dir/model" "$dir/scene"
    nothing_told "$name becomes a scene that moves as it does"
}
mkdir -p "$dir/scenes" "$dir/far/meshes"
for model in gripper.urdf humanoid.urdf lamp.urdf mjcf-arm.xml mjcf-balls.xml mjcf-loops.xml mjcf-tendons.xml; do
    becomes "$DLS_TEST_SOURCE/models/$model"
done
# Meshes that collide, by paths from the new folder; shapes beside the centre of mass; a floating robot.
cp "$dir/same.obj" "$dir/far/meshes/a.obj"
cat >"$dir/far/legs.urdf" <<'EOF'
<robot name="legs"><link name="world"/>
<link name="trunk"><inertial><origin xyz="0.01 0.02 0.03" rpy="0.1 0.2 0.3"/><mass value="2"/><inertia ixx="0.02" ixy="0.001" ixz="0.002" iyy="0.03" iyz="-0.001" izz="0.025"/></inertial>
<collision><origin xyz="0.1 0 0" rpy="0.3 0 0"/><geometry><box size="0.2 0.1 0.1"/></geometry></collision>
<collision><origin xyz="-0.1 0 0" rpy="0 0.5 0"/><geometry><capsule radius="0.05" length="0.1"/></geometry></collision></link>
<link name="foot"><inertial><mass value="0.5"/><inertia ixx="0.001" ixy="0" ixz="0" iyy="0.001" iyz="0" izz="0.001"/></inertial>
<collision><origin xyz="-0.5 0 -0.1"/><geometry><mesh filename="meshes/a.obj" scale="0.5 0.5 0.5"/></geometry></collision></link>
<joint name="free" type="floating"><parent link="world"/><child link="trunk"/><origin xyz="0 0 0.3"/></joint>
<joint name="ankle" type="revolute"><parent link="trunk"/><child link="foot"/><origin xyz="0 0 -0.2" rpy="0 0.2 0"/><axis xyz="0 1 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/><dynamics damping="0.1" friction="0.05"/></joint></robot>
EOF
cat >"$dir/far/drop.yaml" <<'EOF'
world: {collide: true, mu: 0.4}
bodies:
  - {name: ground, static: true, shape: plane}
articulations:
  - {name: legs, urdf: legs.urdf, position: [0, 0, 0.9], orientation: [0.6, 0, 0.8, 0], velocity: [0.1, 0, -1], omega: [1, 2, 3], start: {ankle: 0.2}}
EOF
becomes "$dir/far/drop.yaml" --time 0.4
grep -q "mesh: '../far/meshes/a.obj'" "$dir/scenes/drop.yaml"
ok $? "whose meshes are found from where it is"
"$program" convert "$dir/far/legs.urdf" -o "$dir/a.yaml" >"$dir/out" 2>"$dir/err" && grep -q "left out.*limits of force" "$dir/out"
ok $? "what a scene lacks is said"
refuses "a problem is no model" "is a problem, and no scene" convert "$DLS_TEST_SOURCE/tests/fuzz/corpus/problem/$(ls "$DLS_TEST_SOURCE/tests/fuzz/corpus/problem" | head -1)" -o "$dir/b.yaml"
printf 'tracks:\n  - {name: t, curve: {type: line, length: 1}}\nbodies:\n  - {name: a, mass: 1, inertia: [1, 1, 1]}\n' >"$dir/tracks.yaml"
refuses "what a writer does not write" "has tracks" convert "$dir/tracks.yaml" -o "$dir/b.yaml"
[ ! -e "$dir/b.yaml" ]
ok $? "and nothing is written"
echo "1..$number"
