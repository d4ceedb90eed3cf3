#!/bin/sh
# Models in SDF: trees and loops, poses in frames, nested and included models, and what is not read. TAP.
. "$DLS_TEST_SOURCE/tests/script.sh"
readers=${DELASSUS_READERDIR:-lib/readers/.libs}

sdf() { echo "<sdf version='1.9'>$1</sdf>"; }
body() { echo "<inertial><mass>$1</mass><inertia><ixx>0.02</ixx><iyy>0.03</iyy><izz>0.04</izz><ixy>0.001</ixy><ixz>0.002</ixz><iyz>0.003</iyz></inertia></inertial>"; }
sdf "<model name='m'><link name='a'>$(body 1)</link></model>" >"$dir/a.sdf"
DELASSUS_READERDIR=$dir refuses "SDF without its reader" "a.sdf: SDF needs libsdformat.*install libsdformat-dev" dynamics "$dir/a.sdf"
echo '#usda 1.0' >"$dir/a.usda"
refuses "USD, and what converts it" "this is USD, which is not read.*usd2sdf" dynamics "$dir/a.usda"
if [ ! -r "$readers/sdformat.so" ]; then
    skip "SDF" "this build has no libsdformat"
    echo "1..$number"
    exit
fi
table() { # quantity, file, to
    "$program" dynamics "$2" --quantity "$1" >"$3" 2>"$dir/err" || echo "not computed: $2" >>"$dir/told"
}
same() { # name, file, file: both have the same M and bias force
    : >"$dir/told"
    for quantity in generalized-mass-matrix bias-force; do
        table $quantity "$2" "$dir/one"
        table $quantity "$3" "$dir/two"
        differ "$dir/one" "$dir/two" >>"$dir/told"
    done
    nothing_told "$1"
}

# --- shapes ---

ball() { echo "<$1 name='$1'><pose>0 0 0.3 0 0 0</pose><geometry><ellipsoid><radii>0.1 0.2 0.3</radii></ellipsoid></geometry></$1>"; }
sdf "<model name='m'><link name='a'>$(body 1)$(ball collision)$(ball visual)</link></model>" >"$dir/ball.sdf"
"$program" convert "$dir/ball.sdf" -o "$dir/ball.yaml" >"$dir/out" 2>"$dir/err"
[ "$(grep -c 'shape: ellipsoid' "$dir/ball.yaml")$(grep -c 'size: \[0.2, 0.4, 0.6' "$dir/ball.yaml")" = 22 ]
ok $? "an ellipsoid collides and is seen, and is written in a scene"

# --- a four-bar linkage, turned as a whole ---

# The ground, a crank, a coupler and a rocker, whose four hinges turn about y of the model.
four_bar() { # pose, gravity
    hinge() { echo "<joint name='$1' type='revolute'><pose relative_to='$2'>$3 0 0 0</pose><parent>$4</parent><child>$5</child><axis><xyz>0 1 0</xyz></axis></joint>"; }
    sdf "<world name='w'><gravity>$2</gravity><physics name='p' type='ode'><max_step_size>0.001</max_step_size></physics>
<model name='bars'><pose>$1</pose><link name='ground'>$(body 1)</link>
<link name='crank'><pose>0.1 0 0 0 0.1 0</pose>$(body 1)</link>
<link name='coupler'><pose relative_to='crank'>0.1 0 0.2 0.2 0 0</pose>$(body 2)</link>
<frame name='corner' attached_to='ground'><pose>0.35 0 0.02 0 0 0</pose></frame>
<link name='rocker'><pose relative_to='corner'>0 0 0.1 0 0.3 0</pose>$(body 0.7)</link>
<joint name='stand' type='fixed'><parent>world</parent><child>ground</child></joint>
$(hinge a ground '0 0 0' ground crank)$(hinge b crank '0.1 0 0.2' crank coupler)$(hinge c rocker '0 0 0.1' coupler rocker)$(hinge d corner '0 0 0' ground rocker)</model></world>"
}
# Poses turn about fixed axes: by 0.7 rad about z, then by 0.4 rad about y, with the gravity that they turn.
four_bar '0 0 0 0 0 0' '0 0 -9.8' >"$dir/plain.sdf"
four_bar '3 -2 1 0 0 0.7' '0 0 -9.8' >"$dir/yaw.sdf"
four_bar '3 -2 1 0 0.4 0' '-3.816299754624775 0 -9.026397741228274' >"$dir/pitch.sdf"
for name in plain yaw pitch; do
    "$program" run "$dir/$name.sdf" --time 0.5 --samples 20 --figures svg -o "$dir/$name" >"$dir/out" 2>"$dir/err" || cat "$dir/err"
done
for name in yaw pitch; do
    differ "$dir"/plain/plain.joints.tsv "$dir/$name/$name.joints.tsv" >"$dir/told"
    nothing_told "a four-bar linkage moves in itself as one that is turned: $name"
done
awk -F'\t' '/^#/ || $1 == "time[s]" { next } $5 > 1e-3 { bad = 1 } $2 > 0.01 { moves = 1 } END { exit bad || !moves }' "$dir"/yaw/*.energy.tsv
ok $? "which moves, and stays closed"
"$program" convert "$dir/yaw.sdf" -o "$dir/yaw.yaml" >"$dir/out" 2>"$dir/err"
"$program" run "$dir/yaw.yaml" --time 0.5 --samples 20 --figures svg -o "$dir/again" >"$dir/out" 2>"$dir/err"
differ "$dir"/yaw/yaw.joints.tsv "$dir"/again/yaw.joints.tsv >"$dir/told"
nothing_told "and becomes a scene that moves as it does"

# What a joint has acts in the same way whether it closes the loop, as the last one in the file does, or belongs to the tree.
acts() { # name, file, limits and dynamics of joint d
    sed "/name='d'/s|<xyz>0 1 0</xyz></axis></joint></model>|<xyz>0 1 0</xyz>$2</axis></joint></model>|" "$dir/plain.sdf" >"$dir/closing.sdf"
    sed "/name='d'/s|\(<joint name='a'.*\)\(<joint name='d'.*</joint>\)</model>|\2\1</model>|" "$dir/closing.sdf" >"$dir/inside.sdf"
    for name in closing inside; do
        rm -rf "$dir/$name"
        "$program" run "$dir/$name.sdf" --solver block-pivoting --time 0.5 --samples 20 --figures svg -o "$dir/$name" >"$dir/out" 2>"$dir/err" || cat "$dir/err"
        crank "$dir/$name/$name.joints.tsv" >"$dir/$name.angle"
    done
    crank "$dir/free/plain.joints.tsv" | paste "$dir/closing.angle" "$dir/inside.angle" - |
        awk '{ off = $1 - $2; changed = $1 - $3; if (off * off > most) most = off * off; if (changed * changed > effect) effect = changed * changed }
             END { exit !(NR > 10 && most < 1e-3 * effect && effect > 1e-4) }'
    ok $? "$1 of a joint that closes a loop"
}
# Its angle over time.
crank() { awk -F'\t' '$2 == "bars.a" { print $3 }' "$1"; }
"$program" run "$dir/plain.sdf" --solver block-pivoting --time 0.5 --samples 20 --figures svg -o "$dir/free" >"$dir/out" 2>"$dir/err"
acts "limits" "<limit><lower>-0.1</lower><upper>0.2</upper></limit>"
acts "damping" "<dynamics><damping>3</damping></dynamics>"
acts "dry friction" "<dynamics><friction>1</friction></dynamics>"
acts "the spring" "<dynamics><spring_stiffness>30</spring_stiffness><spring_reference>0.2</spring_reference></dynamics>"

# --- trees ---

# An arm in URDF, and in SDF with a joint whose pose is in its child, an axis in the frame of the model, and a universal joint.
urdf_body='<inertial><origin xyz="0.1 0 0.2" rpy="0.1 0.2 0.3"/><mass value="2"/><inertia ixx="0.02" iyy="0.03" izz="0.04" ixy="0.001" ixz="0.002" iyz="0.003"/></inertial>'
sdf_body=$(body 2 | sed 's/<inertial>/<inertial><pose>0.1 0 0.2 0.1 0.2 0.3<\/pose>/')
limit='<limit lower="-1" upper="2" effort="3" velocity="4"/><dynamics damping="0.5" friction="0.1"/>'
cat >"$dir/arm.urdf" <<EOF
<robot name="arm"><link name="world"/><link name="one">$urdf_body</link><link name="u_1"/><link name="two">$urdf_body</link>
<joint name="turn" type="revolute"><parent link="world"/><child link="one"/><origin xyz="0.1 0.2 0.3" rpy="0.3 0.2 0.1"/><axis xyz="0 0.6 0.8"/>$limit</joint>
<joint name="u_1" type="continuous"><parent link="one"/><child link="u_1"/><origin xyz="0.3 0 0"/><axis xyz="1 0 0"/></joint>
<joint name="u" type="continuous"><parent link="u_1"/><child link="two"/><axis xyz="0 1 0"/></joint></robot>
EOF
arm() { # links, joints
    sdf "<model name='arm'>$1
<joint name='turn' type='revolute'><parent>world</parent><child>one</child><axis><xyz>0 0.6 0.8</xyz><limit><lower>-1</lower><upper>2</upper></limit><dynamics><damping>0.5</damping><friction>0.1</friction></dynamics></axis></joint>
<joint name='u' type='universal'><parent>one</parent><child>$2two</child><axis><xyz>1 0 0</xyz></axis><axis2><xyz>0 1 0</xyz></axis2></joint></model>"
}
one="<link name='one'><pose>0.1 0.2 0.3 0.3 0.2 0.1</pose>$sdf_body</link>"
arm "$one<link name='two'><pose relative_to='one'>0.3 0 0 0 0 0</pose>$sdf_body</link>" >"$dir/arm.sdf"
same "an arm has the mass matrix and the bias force that it has in URDF" "$dir/arm.urdf" "$dir/arm.sdf"
for kind in urdf sdf; do
    "$program" run "$dir/arm.$kind" --time 0.5 --samples 10 --figures svg -o "$dir/$kind" >"$dir/out" 2>"$dir/err" || cat "$dir/err"
done
differ "$dir/urdf/arm.joints.tsv" "$dir/sdf/arm.joints.tsv" >"$dir/told"
nothing_told "and moves as that does, with its limits, damping and friction"
arm "$one<model name='hand'><pose relative_to='one'>0.3 0 0 0 0 0</pose><link name='two'>$sdf_body</link></model>" hand:: >"$dir/nested.sdf"
same "so does one with a nested model" "$dir/arm.sdf" "$dir/nested.sdf"
mkdir "$dir/hand"
sdf "<model name='hand'><link name='two'>$sdf_body</link></model>" >"$dir/hand/model.sdf"
echo "<model><name>hand</name><sdf version='1.9'>model.sdf</sdf></model>" >"$dir/hand/model.config"
arm "$one<include><uri>model://hand</uri><pose relative_to='one'>0.3 0 0 0 0 0</pose></include>" hand:: >"$dir/included.sdf"
same "and one with an included model" "$dir/arm.sdf" "$dir/included.sdf"
# The base is the child: the angle is that of the child relative to the parent, so that its sign is the other one.
sdf "<model name='m'><link name='base'>$(body 1)</link><link name='rod'><pose>0.5 0 0 0 0 0</pose>$(body 2)</link><joint name='f' type='fixed'><parent>world</parent><child>base</child></joint>
<joint name='j' type='revolute'><pose>0 0 0 0 0 0</pose><parent>base</parent><child>rod</child><axis><xyz>0 1 0</xyz></axis></joint></model>" |
    sed "s/<joint name='j' type='revolute'><pose>0 0 0/<joint name='j' type='revolute'><pose relative_to='base'>0 0 0/" >"$dir/forward.sdf"
sed 's/<parent>base<\/parent><child>rod<\/child>/<parent>rod<\/parent><child>base<\/child>/' "$dir/forward.sdf" >"$dir/back.sdf"
table bias-force "$dir/forward.sdf" "$dir/one"
table bias-force "$dir/back.sdf" "$dir/two"
paste "$dir/one" "$dir/two" | awk 'NR == 2 { exit !(($2 + $4) ^ 2 < 1e-20 && ($2 + 9.81) ^ 2 < 1e-20) }'
ok $? "a joint whose parent is the outer link has the other sign: m g l"

# A spring of 8 N m/rad towards 0.5 rad, heavily damped, without gravity: it ends there.
sdf "<world name='w'><gravity>0 0 0</gravity><model name='m'><link name='rod'>$(body 2)</link><joint name='j' type='revolute'><parent>world</parent><child>rod</child>
<axis><xyz>0 1 0</xyz><dynamics><spring_stiffness>8</spring_stiffness><spring_reference>0.5</spring_reference><damping>1</damping></dynamics></axis></joint></model></world>" >"$dir/spring.sdf"
"$program" run "$dir/spring.sdf" --time 3 --samples 2 --figures svg -o "$dir/spring" >"$dir/out" 2>"$dir/err"
awk -F'\t' '!/^#/ { q = $3 } END { exit !((q - 0.5) ^ 2 < 1e-12) }' "$dir"/spring/*.joints.tsv
ok $? "a spring of a joint ends at its reference"

# --- what is not read ---

with() { sed "s/<link name='a'>/<link name='a'>$1/" "$dir/a.sdf" >"$dir/b.sdf"; }
leaves() { # name, words
    ! "$program" run "$dir/b.sdf" -o "$dir/none" >"$dir/out" 2>"$dir/err" && grep -q -- "$2" "$dir/err" && [ ! -e "$dir/none" ]
    ok $? "$1"
}
with '<kinematic>true<\/kinematic>'
leaves "a kinematic link" "<kinematic>: is not read in <link>"
with '<gravity>false<\/gravity>'
leaves "a link without gravity" "<gravity>: is not read in <link>"
with '<velocity_decay><linear>0.1<\/linear><\/velocity_decay>'
leaves "a velocity that decays" "<linear>: is not read in <velocity_decay>"
with '<springy\/>'
leaves "a word that SDF does not have" "<springy>: is not read in <link>"
with '<kinematic>false<\/kinematic><gravity>1<\/gravity><sensor name="s" type="imu"\/>'
"$program" run "$dir/b.sdf" --time 0.01 -o "$dir/run" >"$dir/out" 2>"$dir/err" && grep -q "<sensor>: is ignored" "$dir/err"
ok $? "words without an effect, and a sensor, which is named"
sed "s/type='universal'/type='gearbox'/" "$dir/arm.sdf" >"$dir/b.sdf"
leaves "a gearbox" "gearbox: 'u' of model 'arm': a joint of this type is not read"
sed "s/<parent>one/<parent>none/" "$dir/arm.sdf" >"$dir/b.sdf"
refuses "what libsdformat finds" "b.sdf: libsdformat: .*none" dynamics "$dir/b.sdf"

# --- static models ---

sdf "<world name='w'><model name='floor'><static>true</static><link name='l'><collision name='c'><geometry><plane><normal>0 0 1</normal></plane></geometry></collision></link></model>
<model name='box'><pose>0 0 0.3 0 0 0</pose><link name='l'><inertial><mass>3</mass><inertia><ixx>0.1</ixx><iyy>0.1</iyy><izz>0.1</izz></inertia></inertial><collision name='c'><geometry><box><size>0.4 0.4 0.4</size></box></geometry></collision></link></model></world>" >"$dir/floor.sdf"
"$program" run "$dir/floor.sdf" --set world.collide=true --time 2 --samples 2 -o "$dir/rest" >"$dir/out" 2>"$dir/err"
awk -F'\t' '/^#/ { next } $1 == "time[s]" { for (i = 1; i <= NF; i++) if ($i ~ /^z/) z = i; next } { at = $z } END { exit !((at - 0.2) ^ 2 < 1e-6) }' "$dir"/rest/*.trajectory.tsv
ok $? "a box falls on the plane of a static model, and rests"
echo "1..$number"
