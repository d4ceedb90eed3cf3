#!/bin/sh
# Scenes by hand: expressions with constants, bodies between points, towards a point and on a circle are those that the
# numbers which they stand for make. TAP.
. "$DLS_TEST_SOURCE/tests/script.sh"

stands_for() { # name, scene, the same in numbers
    : >"$dir/told"
    printf '%s\n' "$2" >"$dir/a.yaml"
    printf '%s\n' "$3" >"$dir/b.yaml"
    for file in a b; do
        "$program" run "$dir/$file.yaml" --time 0.02 --samples 3 --figures svg -o "$dir/$file" >"$dir/out" 2>"$dir/err" || cat "$dir/err" >>"$dir/told"
    done
    differ "$dir/a/a.trajectory.tsv" "$dir/b/b.trajectory.tsv" >>"$dir/told"
    differ "$dir/a/a.energy.tsv" "$dir/b/b.energy.tsv" >>"$dir/told"
    nothing_told "$1"
}
stands_for "expressions" 'constants: {L: 0.5, m: = 3 * L, n: 4}
bodies:
  - {name: a, shape: box, size: [= L, "= L / 2", "= sqrt(L^2 + 2)"], mass: = m, position: ["= -L + 2 * (1 - L)", 0, "= cos(pi / n)"]}
  - {repeat: 2, name: "b{i}", shape: sphere, radius: "= L * (i + 1)", mass: 1, position: {start: [1, = L, 0], i: [0, 0, "= 2^n"]}}' 'bodies:
  - {name: a, shape: box, size: [0.5, 0.25, 1.5], mass: 1.5, position: [0.5, 0, 0.7071067811865476]}
  - {name: b0, shape: sphere, radius: 0.5, mass: 1, position: [1, 0.5, 0]}
  - {name: b1, shape: sphere, radius: 1, mass: 1, position: [1, 0.5, 16]}'
# A rod from (1, 0, 0) to (1, 0.4, 0): its z is along y, after a quarter turn about -x.
stands_for "a rod, a capsule and a box between points" 'bodies:
  - {name: rod, shape: cylinder, radius: 0.01, density: 1000, from: [1, 0, 0], to: [1, 40 cm, 0], omega: [0, 0, 3]}
  - {name: pill, shape: capsule, radius: 0.01, density: 1000, from: [2, 0, 0], to: [2, 0.4, 0]}
  - {name: beam, shape: box, section: [0.1, 20 cm], density: 1000, from: [3, 0, 0], to: [3, 0.4, 0], omega: [1, 2, 3]}' 'bodies:
  - {name: rod, shape: cylinder, radius: 0.01, length: 0.4, density: 1000, position: [1, 0.2, 0], orientation: [0.7071067811865476, -0.7071067811865476, 0, 0], omega: [0, 0, 3]}
  - {name: pill, shape: capsule, radius: 0.01, length: 0.4, density: 1000, position: [2, 0.2, 0], orientation: [0.7071067811865476, -0.7071067811865476, 0, 0]}
  - {name: beam, shape: box, size: [0.1, 0.2, 0.4], density: 1000, position: [3, 0.2, 0], orientation: [0.7071067811865476, -0.7071067811865476, 0, 0], omega: [1, 2, 3]}'
stands_for "a body that looks at a point" 'bodies:
  - {name: a, shape: box, size: [0.1, 0.2, 0.3], mass: 1, position: [1, 1, 1], look_at: [1, 5, 1], omega: [1, 2, 3]}' 'bodies:
  - {name: a, shape: box, size: [0.1, 0.2, 0.3], mass: 1, position: [1, 1, 1], orientation: [0.7071067811865476, -0.7071067811865476, 0, 0], omega: [1, 2, 3]}'
# Two turns about z through (1, 0, 0): the second is half a turn, of places, directions and joints.
stands_for "bodies, links and joints around a circle" 'bodies:
  - {repeat: 2, name: "a{i}", shape: box, size: [0.1, 0.2, 0.3], mass: 1, position: [3, 0, 0], velocity: [1, 0, 0], omega: [1, 2, 3], around: {point: [1, 0, 0]}}
articulations:
  - name: t
    links:
      - {name: hub, static: true}
      - {repeat: 2, name: "arm{i}", parent: hub, motion: revolute, anchor: [2, 0, 0], axis: [0, 1, 0], position: [2.5, 0, 0], shape: sphere, radius: 0.1, mass: 1, around: {point: [1, 0, 0]}}
joints:
  - {repeat: 2, name: "h{i}", type: hinge, body1: "a{i}", body2: world, anchor: [3, 0.5, 0], axis: [1, 0, 0], around: {point: [1, 0, 0]}}' 'bodies:
  - {name: a0, shape: box, size: [0.1, 0.2, 0.3], mass: 1, position: [3, 0, 0], velocity: [1, 0, 0], omega: [1, 2, 3]}
  - {name: a1, shape: box, size: [0.1, 0.2, 0.3], mass: 1, position: [-1, 0, 0], orientation: [0, 0, 0, 1], velocity: [-1, 0, 0], omega: [-1, -2, 3]}
articulations:
  - name: t
    links:
      - {name: hub, static: true}
      - {name: arm0, parent: hub, motion: revolute, anchor: [2, 0, 0], axis: [0, 1, 0], position: [2.5, 0, 0], shape: sphere, radius: 0.1, mass: 1}
      - {name: arm1, parent: hub, motion: revolute, anchor: [0, 0, 0], axis: [0, -1, 0], position: [-0.5, 0, 0], orientation: [0, 0, 0, 1], shape: sphere, radius: 0.1, mass: 1}
joints:
  - {name: h0, type: hinge, body1: a0, body2: world, anchor: [3, 0.5, 0], axis: [1, 0, 0]}
  - {name: h1, type: hinge, body1: a1, body2: world, anchor: [-1, -0.5, 0], axis: [-1, 0, 0]}'
wrong() { # name, words, the body's keys, the line of constants
    printf '%s\nbodies:\n  - {name: a, shape: capsule, radius: 0.1, mass: 1, %s}\n' "${4:-# none}" "$3" >"$dir/wrong.yaml"
    refuses "$1" "$2" run "$dir/wrong.yaml" -o "$dir/none"
}
wrong "a name that is none" "wrong.yaml:3:.*length:.*'M.*no constant" 'length: "= 2 * M"' 'constants: {L: 1}'
wrong "a constant before it is there" "wrong.yaml:1:.*K.*no constant" 'length: = L' 'constants: {L: = K, K: 1}'
wrong "a division by zero" "has no finite value" 'length: = 1 / 0'
wrong "a unit behind an expression" "a computed number has no unit" 'length: = 2 m'
wrong "parentheses that do not close" "')' is missing" 'length: "= (2"'
wrong "one point of two" "to: missing" 'from: [0, 0, 0]'
wrong "two points at one place" "is where .from. is" 'from: [0, 0, 0], to: [0, 0, 0]'
wrong "a length besides" "length: follows from the points" 'from: [0, 0, 0], to: [1, 0, 0], length: 2'
wrong "a section alone" "section: is of a box between" "length: 1, section: [1, 1]"
wrong "a circle without a repeat" "stands only beside repeat" 'length: 1, around: {axis: [0, 0, 1]}'
wrong "a look at itself" "is where the body is" 'length: 1, look_at: [0, 0, 0]'
echo "1..$number"
