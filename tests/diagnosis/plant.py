#!/usr/bin/env python3
"""Plant faults into models, and count how many of them `delassus diagnose` finds and names.

    plant.py [--program ./delassus] [--kind NAME] [--keep FOLDER] MODEL...
    plant.py [--program ./delassus] --sound MODEL...

Each model (URDF, MJCF, SDF or a scene) becomes a scene, and each kind of fault is planted into that scene. A fault is
found if a finding of the planted scene has one of the causes of its kind at the planted part, and no finding of the
scene as it was has that cause there. A line of the table is a kind: models with the part that it needs, models in which
it is found, and those in which it is not. A coordinate that starts beyond a limit is moved inside first.

With --sound nothing is planted: a line of the table is a model as it is, with its faults (of exit status 1), which are
false alarms where the model has none. Needs PyYAML."""
import argparse
import collections
import copy
import json
import os
import subprocess
import sys
import tempfile

import yaml

# causes of which one must be found, with this text in its subject, by `delassus diagnose` with these options; `settings`:
# options that are a part of the fault
Fault = collections.namedtuple("Fault", "causes subject options settings", defaults=((), ()))
KINDS = {}


def kind(plant):
    """Enter a function plant(Scene) -> Fault, or None where the scene lacks the part that the fault needs."""
    KINDS[plant.__name__.replace("_", "-")] = plant
    return plant


def numbers(texts):
    return [float(text) for text in texts]


class Scene:
    """A scene as maps and lists of texts."""

    def __init__(self, text):
        self.data = yaml.load(text, Loader=yaml.BaseLoader)
        self.world = self.data.setdefault("world", {})
        self.data.setdefault("bodies", [])
        self.data.setdefault("joints", [])
        self.links = [(tree, link) for tree in self.data.get("articulations", []) for link in tree["links"]]
        self.faulty = set()  # parts with findings of their own

    def start_within_limits(self):
        """Move coordinates that start beyond a limit, as many zero poses do, into the middle of their range."""
        for joint, _, link in self.limits():
            lower, upper = float(joint["lower"]), float(joint["upper"])
            if not lower < float(link.get("start", link.get("q", 0))) < upper:
                link["start"] = 0.5 * (lower + upper)

    def write(self, path):
        lists = {key: value for key, value in self.data.items() if value or key != "joints"}
        with open(path, "w") as file:
            json.dump(lists, file)

    def all_turning(self):
        """Links that turn about an axis, have a mass and no fault, and their trees; the last one first."""
        return [(tree, link) for tree, link in reversed(self.links)
                if link.get("motion", "").startswith("revolute") and float(link.get("mass", 0)) > 0
                and "inertia" in link and "{}.{}".format(tree["name"], link["name"]) not in self.faulty]

    def turning(self):
        return (self.all_turning() or [None])[0]

    def coordinate(self, found=None):
        found = found or self.turning()
        return found and "{}.{}".format(found[0]["name"], found[1].get("joint", found[1]["name"]))

    def limits(self):
        """The limits with both ends on one coordinate of gear 1, its name, and the link that it moves; the last first."""
        by_name = {"{}.{}".format(t["name"], l.get("joint", l["name"])): l for t, l in self.links}
        for joint in reversed(self.data["joints"]):
            gears = joint.get("coordinates", {})
            if joint["type"] != "limit" or len(gears) != 1 or "lower" not in joint or "upper" not in joint:
                continue
            name, gear = next(iter(gears.items()))
            if float(gear) == 1 and name in by_name and abs(float(joint["upper"])) < 1e3:
                yield joint, name, by_name[name]

    def limited(self):
        return next(self.limits(), None)

    def collide(self):
        """Bodies collide, and the links of the model not with each other."""
        self.world.update(collide="true", meshes="skip")
        for tree, _ in self.links:
            tree["self_collision"] = "false"

    def body(self, name, **keys):
        self.data["bodies"].append({"name": name, **keys})

    def joint(self, name, **keys):
        self.data["joints"].append({"name": name, **keys})


# --- masses and inertias ---


def inertia(scene, change):
    found = scene.turning()
    if not found:
        return None
    tree, link = found
    link["inertia"] = change(numbers(link["inertia"]))
    link.pop("inertia_off", None)
    link.pop("box_axes", None)  # those of the inertia that was
    return "{}.{}".format(tree["name"], link["name"])


@kind
def broken_inertia(scene):
    part = inertia(scene, lambda i: [max(i), max(i), 10 * max(i)])
    return part and Fault({"impossible-inertia"}, part)


@kind
def inertia_in_grams_and_millimetres(scene):
    part = inertia(scene, lambda i: [1e9 * x for x in i])
    return part and Fault({"inertia-size"}, part)


@kind
def inertia_too_small(scene):
    part = inertia(scene, lambda i: [1e-6 * x for x in i])
    return part and Fault({"inertia-size"}, part)


@kind
def mass_times_10000(scene):
    found = scene.turning()
    if not found:
        return None
    tree, link = found
    link["mass"] = 1e4 * float(link["mass"])
    return Fault({"inertia-size", "density"}, "{}.{}".format(tree["name"], link["name"]))


@kind
def dust_in_the_chain(scene):
    """A link with next to no inertia before a joint on the same axis."""
    found = scene.turning()
    if not found:
        return None
    tree, link = found
    dust = {key: link[key] for key in ("parent", "anchor", "axis") if key in link}
    link.pop("armature", None)  # a rotor would carry the torque
    dust.update(name="dust", motion="revolute", mass=1e-12, inertia=[1e-18] * 3, position=link["anchor"])
    link["parent"] = "dust"
    tree["links"].insert(tree["links"].index(link), dust)
    return Fault({"reflected-inertia"}, tree["name"])


@kind
def box_in_millimetres(scene):
    scene.body("planted", shape="box", size=[400, 400, 400], mass=5, position=[1e4, 0, 0])
    return Fault({"density"}, "planted")


# --- positions ---


def hang(scene, name, mass, z):
    found = scene.turning()
    position = numbers(found[1].get("position", [0, 0, 0]))
    position[2] += z
    scene.body(name, mass=mass, inertia=[1e-2 * mass] * 3, position=position)
    return "{}.{}".format(found[0]["name"], found[1]["name"]), position


@kind
def open_loop(scene):
    """A body that a fixed joint holds ten centimetres from where it is drawn."""
    if not scene.turning():
        return None
    end, position = hang(scene, "tool", 0.1, -0.2)
    scene.joint("planted", type="six-axis", body1="tool", body2=end, anchor=position, x_at=0.5)
    return Fault({"open-loop"}, "planted")


@kind
def box_in_the_floor(scene):
    scene.collide()
    scene.body("floor below", static="true", shape="plane", position=[0, 0, -50])
    scene.body("planted", shape="box", size=[0.4, 0.4, 0.4], mass=5, position=[50, 0, -49.95])
    return Fault({"overlap"}, "planted")


@kind
def start_beyond_a_limit(scene):
    found = scene.limited()
    if not found:
        return None
    limit, name, link = found
    link["start"] = float(limit["upper"]) + 0.3
    return Fault({"limit-violated"}, limit["name"])


@kind
def start_against_a_lock(scene):
    found = scene.turning()
    if not found:
        return None
    found[1]["speed"] = 2
    scene.joint("planted", type="lock", coordinates={scene.coordinate(): 1}, at=found[1].get("start", found[1].get("q", 0)))
    return Fault({"speed-violated"}, "planted")


# --- rows ---


def lock_twice(scene, apart):
    found = scene.turning()
    if not found:
        return None
    at = float(found[1].get("start", found[1].get("q", 0)))
    scene.joint("planted", type="lock", coordinates={scene.coordinate(): 1}, at=at)
    scene.joint("planted twin", type="lock", coordinates={scene.coordinate(): 2}, at=2 * at + apart)
    return found


@kind
def locked_twice(scene):
    return lock_twice(scene, 0) and Fault({"redundant-rows"}, "planted")


@kind
def locked_at_two_angles(scene):
    return lock_twice(scene, 0.3) and Fault({"contradictory-rows"}, "planted")


@kind
def row_across_a_plane(scene):
    """A pendulum whose tip is held: it cannot move along its axis."""
    rod = {"name": "rod", "parent": "base", "motion": "revolute", "anchor": [30, 0, 0], "axis": [0, 1, 0], "mass": 1,
           "inertia": [0.1, 0.1, 0.1], "position": [30, 0, -0.5]}
    scene.data.setdefault("articulations", []).append(
        {"name": "pendulum", "links": [{"name": "base", "static": "true", "position": [30, 0, 0]}, rod]})
    scene.joint("planted", type="ball", body1="pendulum.rod", anchor=[30, 0, -1])
    return Fault({"row-without-motion"}, "planted")


@kind
def heavy_below_light(scene):
    if not scene.turning():
        return None
    end, position = hang(scene, "hook", 1e-4 * float(scene.turning()[1]["mass"]), -0.1)
    _, below = hang(scene, "load", 1e4, -0.2)
    scene.joint("planted rope", type="ball", body1="hook", body2=end, anchor=position)
    scene.joint("planted load", type="ball", body1="load", body2="hook", anchor=below)
    return Fault({"mass-ratio"}, "planted")


@kind
def long_chain(scene):
    """Forty beads that hang from the world beside the model."""
    for k in range(40):
        scene.body("bead%d" % k, mass=0.1, inertia=[1e-4] * 3, position=[30, 0, -0.1 * k])
        scene.joint("bond%d" % k, type="ball", body1="bead%d" % k, anchor=[30, 0, 0.1 - 0.1 * k],
                    **({"body2": "bead%d" % (k - 1)} if k else {}))
    return Fault({"slow-sweep"}, "")


# --- springs and drives ---


def drive(scene, name="planted", **keys):
    coordinate = scene.coordinate()
    if coordinate:
        scene.joint(name, type="drive", coordinates={coordinate: 1}, **keys)
    return coordinate


@kind
def explicit_gain_too_high(scene):
    return drive(scene, method="explicit", stiffness=1e9, damping=1) and Fault({"stiff-spring"}, "planted")


@kind
def oscillation_not_resolved(scene):
    return drive(scene, stiffness=1e9) and Fault({"unresolved-spring"}, "planted")


@kind
def target_beyond_a_limit(scene):
    found = scene.limited()
    if not found:
        return None
    limit, name, _ = found
    scene.joint("planted", type="drive", coordinates={name: 1}, stiffness=100, damping=10,
                target=float(limit["upper"]) + 0.5)
    return Fault({"target-beyond-limit"}, "planted")


@kind
def two_opposed_drives(scene):
    drive(scene, "planted", stiffness=100, damping=10, target=0.2)
    return drive(scene, "twin", stiffness=100, damping=10, target=-0.2) and Fault({"opposed-drives"}, "planted")


@kind
def drive_too_weak(scene):
    """A drive that gives next to nothing, in a field of gravity that every joint feels."""
    scene.world["gravity"] = [5, 3, -8]
    for found in scene.all_turning():
        scene.joint("planted " + scene.coordinate(found), type="drive", coordinates={scene.coordinate(found): 1},
                    stiffness=100, damping=10, force=1e-9)
    return Fault({"weak-drive"}, "planted") if scene.turning() else None


# --- steps and speeds ---


@kind
def spins_too_fast(scene):
    found = scene.turning()
    if not found:
        return None
    found[1]["speed"] = 5 / float(scene.world.get("step", 1e-3))
    return Fault({"fast-rotation"}, "{}.{}".format(found[0]["name"], found[1]["name"]))


@kind
def bullet_through_a_wall(scene):
    scene.collide()
    scene.body("planted", shape="sphere", radius=0.01, mass=0.1, position=[50, 0, 50],
               velocity=[0.05 / float(scene.world.get("step", 1e-3)), 0, 0])
    return Fault({"tunnelling"}, "planted")


@kind
def step_of_a_second(scene):
    scene.world["step"] = 1
    return Fault({"step-too-long"}, "")


# --- shapes ---


@kind
def floats_above_nothing(scene):
    """The root is not fixed, and nothing collides."""
    if scene.data["joints"] and any("body1" in joint for joint in scene.data["joints"]):
        return None
    scene.world["collide"] = "false"
    scene.data["joints"] = []
    for tree, link in scene.links:
        if link.pop("static", None):
            link.update(mass=link.get("mass", 1), inertia=link.get("inertia", [0.1, 0.1, 0.1]))
            return Fault({"unsupported"}, tree["name"])
    return None


@kind
def meshes_that_do_not_collide(scene):
    for tree, link in scene.links:
        if any(shape["shape"] == "mesh" for shape in link.get("shapes", [])):
            scene.world.update(collide="true", meshes="skip")
            return Fault({"meshes-skipped"}, tree["name"])
    return None


# --- runs ---


@kind
def sweeps_too_few(scene):
    if not heavy_below_light(scene):
        return None
    return Fault({"not-converged"}, "", ["--time", "0.05"], ["--solver", "pgs", "--iterations", "2"])


@kind
def drive_at_its_force_limit(scene):
    return drive(scene, stiffness=1e4, damping=10, target=5, force=1e-6) and Fault(
        {"saturated-drive"}, "planted", ["--time", "0.1"])


@kind
def drive_against_a_limit(scene):
    found = scene.limited()
    if not found:
        return None
    limit, name, link = found
    link["start"] = 0.995 * float(limit["upper"]) + 0.005 * float(limit["lower"])
    scene.joint("planted", type="drive", coordinates={name: 1}, mode="acceleration", stiffness=1e6, damping=2e3,
                target=float(limit["upper"]) + 0.5)
    return Fault({"pressed-limit"}, "planted", ["--time", "0.5"])


@kind
def shaken_contact(scene):
    """A ball on a plate that shakes with a period of five steps, at three times the acceleration of gravity."""
    period = 5 * float(scene.world.get("step", 1e-3))
    scene.collide()
    scene.world["gravity"] = [0, 0, -9.81]
    scene.body("plate", kinematic="true", shape="box", size=[1, 1, 0.1], position=[50, 0, -0.05],
               swing=[0, 0, 3 * 9.81 * (period / 6.283) ** 2], period=period)
    scene.body("planted", shape="sphere", radius=0.1, mass=1, position=[50, 0, 0.1])
    return Fault({"chatter"}, "planted", ["--time", str(20 * period)])


# --- measurement ---


def diagnose(program, path, options):
    """The findings of a scene, as pairs (cause, subject); None where it is refused."""
    run = subprocess.run([program, "diagnose", path, "--json", *options], capture_output=True, text=True, timeout=600)
    if run.returncode > 1:
        print("# " + run.stderr.strip().splitlines()[-1])
        return None
    return {(f["cause"], f["subject"]) for f in json.loads(run.stdout)["findings"]}


def measure(program, model, kinds, folder):
    """Yield (kind, verdict) of a model: 'found', 'missed', or None where the kind does not apply."""
    path = os.path.join(folder, "scene.yaml")
    told = subprocess.run([program, "convert", model, "-o", path], capture_output=True, text=True)
    if told.returncode:
        sys.exit("plant.py: %s: is no model that becomes a scene: %s" % (model, told.stderr.strip()))
    with open(path) as file:
        sound = Scene(file.read())
    sound.start_within_limits()
    sound.write(path)
    before = {}
    for name in kinds:
        scene = copy.deepcopy(sound)
        options = ("--no-run",)
        if options not in before:
            before[options] = diagnose(program, path, options)
            if before[options] is None:
                sys.exit("plant.py: %s: is refused as a scene" % model)
        scene.faulty = {subject for _, subject in before[options]}
        fault = KINDS[name](scene)
        if not fault:
            yield name, None, ""
            continue
        options = tuple(fault.options) or options
        if options not in before:
            before[options] = diagnose(program, path, options)
        planted = os.path.join(folder, name + ".yaml")
        scene.write(planted)
        after = diagnose(program, planted, options + tuple(fault.settings))
        if after is None or before[options] is None:
            yield name, "missed", "refused"
            continue
        new = {(cause, subject) for cause, subject in after - before[options] if cause in fault.causes}
        found = any(fault.subject in subject for _, subject in new)
        yield name, "found" if found else "missed", ", ".join("%s (%s)" % f for f in sorted(after - before[options]))


def survey(program, models):
    """Print the faults of models as they are."""
    counts = collections.Counter()
    print("model\tfaults")
    for model in models:
        run = subprocess.run([program, "diagnose", model, "--json"], capture_output=True, text=True)
        counts[run.returncode if run.returncode in (0, 1) else 2] += 1
        faults = []
        if run.returncode == 1:
            faults = [f for f in json.loads(run.stdout)["findings"] if f["severity"] == "fault"]
        told = run.stderr.strip().splitlines()[-1:] if run.returncode > 1 else []
        print("\t".join([model, "; ".join(["%s (%s)" % (f["cause"], f["subject"]) for f in faults] + told)]))
    print("# %d without a fault, %d with one, %d refused" % (counts[0], counts[1], counts[2]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="./delassus")
    parser.add_argument("--kind", action="append", choices=sorted(KINDS), help="only this kind; may be repeated")
    parser.add_argument("--keep", help="write the scenes into this folder, and keep them")
    parser.add_argument("--sound", action="store_true", help="plant nothing, and print the faults of the models")
    parser.add_argument("model", nargs="+")
    arguments = parser.parse_args()
    if arguments.sound:
        return survey(arguments.program, arguments.model)
    kinds = arguments.kind or list(KINDS)
    counts = {name: {"found": 0, "missed": []} for name in kinds}
    for number, model in enumerate(arguments.model):
        with tempfile.TemporaryDirectory() as own:
            folder = os.path.join(arguments.keep, str(number)) if arguments.keep else own
            os.makedirs(folder, exist_ok=True)
            for name, verdict, instead in measure(arguments.program, model, kinds, folder):
                if verdict == "found":
                    counts[name]["found"] += 1
                elif verdict == "missed":
                    counts[name]["missed"].append("%s: %s" % (os.path.basename(model), instead or "no finding"))
    print("kind\tmodels\tfound")
    for name in kinds:
        missed = counts[name]["missed"]
        print("%s\t%d\t%d" % (name, counts[name]["found"] + len(missed), counts[name]["found"]))
        for line in missed:
            print("# missed in " + line)
    return 1 if any(counts[name]["missed"] for name in kinds) else 0


if __name__ == "__main__":
    sys.exit(main())
