"""Build backend of the wheel (PEP 517, doc/python.md): the package as the Autotools build it, with its libraries inside.

The build folder is DELASSUS_BUILD, or the folder of the sources if they are configured there, or build-wheel/, which is
configured for this interpreter, without peers, engines, and readers by other libraries, with the further options of
DELASSUS_CONFIGURE. Needs patchelf. The same build gives the same bytes.
"""

import base64
import csv
import hashlib
import io
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import zipfile

SOURCE = pathlib.Path.cwd()  # where PEP 517 calls the hooks

# Libraries of the system: those of glibc, the compiler's, and the loader, as the manylinux policies have them.
SYSTEM = re.compile(
    r"(ld-linux.*|linux-vdso|libc|libm|libdl|librt|libpthread|libresolv|libutil|libnsl|libgcc_s|libstdc\+\+)\.so.*"
)
LEFT_OUT = "hdf5 ode bullet mujoco siconos dart simbody assimp sdformat".split()
DATA = ["scenes", "models", "plots"]

METADATA = """\
Metadata-Version: 2.1
Name: delassus
Version: {version}
Summary: Numerical verification of rigid-body constraint solvers
License: GPL-3.0-or-later
License-File: COPYING
License-File: BUNDLED.md
Classifier: License :: OSI Approved :: GNU General Public License v3 or later (GPLv3+)
Classifier: Programming Language :: C
Classifier: Topic :: Scientific/Engineering :: Physics
Requires-Python: =={python}.*
Requires-Dist: numpy
"""

BUNDLED = """\
# Libraries in this wheel

delassus is under GPL-3.0-or-later (COPYING), and so is the wheel as a whole: some of its libraries are under the GPL too,
among them GSL and UMFPACK, and the licences of the others permit it. Whoever passes the wheel on offers the sources of
delassus and of these libraries, which are those of the packages named here.
{exception}
| library | package | version | licence |
| --- | --- | --- | --- |
{table}"""
SASL = """
Not permitted is passing this wheel on as it is: HDF5 was linked with Cyrus SASL, whose licence demands an acknowledgement
that the GPL does not allow. Build it with --without-hdf5, as a fresh build folder is configured.
"""


def run(*words, **more):
    return subprocess.run([str(w) for w in words], check=True, text=True, stdout=subprocess.PIPE, **more).stdout


# --- the build ---


def configured_python(build):
    """The interpreter of a configured build folder; None if it builds no package."""
    has = 'S["HAVE_PYTHON_TRUE"]=""' in (build / "config.status").read_text()
    return re.search(r"^PYTHON = (.*)$", (build / "Makefile").read_text(), re.M)[1] if has else None


def built():
    """The build folder, with the library, the program and the module made."""
    given = os.environ.get("DELASSUS_BUILD")
    build = pathlib.Path(given) if given else SOURCE if (SOURCE / "config.status").exists() else SOURCE / "build-wheel"
    if not (build / "config.status").exists():
        if not (SOURCE / "configure").exists():
            subprocess.run(["autoreconf", "-fi"], cwd=SOURCE, check=True)
        build.mkdir(exist_ok=True)
        options = ["--disable-static", "--with-python", f"PYTHON={sys.executable}"]
        options += [f"--without-{name}" for name in LEFT_OUT] + shlex.split(os.environ.get("DELASSUS_CONFIGURE", ""))
        subprocess.run([SOURCE / "configure", *options], cwd=build, check=True)
    python = configured_python(build)
    code = "import sysconfig; print(sysconfig.get_config_var('EXT_SUFFIX'))"
    if not python or run(python, "-c", code).strip() != sysconfig.get_config_var("EXT_SUFFIX"):
        sys.exit(f"{build} is configured for {python or 'no Python package'}: configure it with PYTHON={sys.executable}")
    subprocess.run(["make", f"-j{os.cpu_count()}", "-s", "all"], cwd=build, check=True, stdout=sys.stderr)
    return build


# --- the libraries ---


def libraries_of(files):
    """{name as it is needed: path} of all libraries of the files that are not the system's."""
    found = {}
    for file in files:
        for name, path in re.findall(r"^\t(\S+) => (.*?) \(0x", run("ldd", file), re.M):
            if not SYSTEM.fullmatch(name):
                found[name] = pathlib.Path(path)
    return found


def package_of(path):
    """(package, version, its file of licences) of a library by Debian's package manager; None if it is of none."""
    if not shutil.which("dpkg-query"):
        return None
    for name in (path.resolve(), pathlib.Path(str(path.resolve()).removeprefix("/usr")), path):
        done = subprocess.run(["dpkg-query", "-S", str(name)], text=True, capture_output=True)
        if done.returncode == 0:
            package = done.stdout.split(": ")[0].split(",")[0]
            version = run("dpkg-query", "-W", "-f", "${Version}", package)
            return package, version, pathlib.Path("/usr/share/doc") / package.split(":")[0] / "copyright"
    return None


def bundle(files, folder):
    """Copies the libraries of {file: place in the wheel} into `folder` under names with a hash of their content, so that
    no library of that name from elsewhere is taken for them; returns the table of their licences, and these files."""
    libraries = libraries_of(files)
    inside = {}
    for name, path in sorted(libraries.items()):
        stem, dot, rest = name.partition(".so")
        digest = hashlib.sha256(path.read_bytes()).hexdigest()[:8]
        inside[name] = folder / f"{stem}-{digest}{dot}{rest}"
        shutil.copyfile(path, inside[name])
    replaced = [word for name, to in inside.items() for word in ("--replace-needed", name, to.name)]
    for file, place in [*files.items(), *((path, path) for path in inside.values())]:
        if file != place:
            shutil.copyfile(file, place)
        place.chmod(0o755)
        run("strip", "--strip-unneeded", place)
        origin = os.path.relpath(folder, place.parent)
        rpath = "$ORIGIN" if origin == "." else f"$ORIGIN/{origin}"
        if place.parent == folder:
            run("patchelf", "--set-soname", place.name, place)
        run("patchelf", *replaced, place)
        run("patchelf", "--set-rpath", rpath, place)  # apart: patchelf 0.14 confuses the strings of both
        needed = run("patchelf", "--print-needed", place).split()
        outside = [n for n in needed if not SYSTEM.fullmatch(n) and not (folder / n).exists()]
        if outside:
            sys.exit(f"{place.name} needs {', '.join(outside)}, which is not in the wheel")
    table, licences = "", {}
    for name, path in sorted(libraries.items()):
        package, version, text = package_of(path) or ("", "", None)
        if name.startswith("libdelassus."):
            row = ("delassus", "", "COPYING")
        elif text and text.exists():
            licences[f"{text.parent.name}.txt"] = text.read_bytes()
            row = (package, version, f"{text.parent.name}.txt")
        else:
            row = (package, version, "not found where the wheel was built: add it before passing the wheel on")
        table += f"| {inside[name].name} | {' | '.join(row)} |\n"
    return table, licences


# --- the wheel ---


def write_wheel(root, path, info):
    """Packs a folder with its RECORD; the order and the times of its files are always the same."""
    rows = []
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as to:

        def add(name, content, mode):
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.external_attr = (0o100000 | mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            to.writestr(entry, content)

        for file in sorted(p for p in root.rglob("*") if p.is_file()):
            name, content = file.relative_to(root).as_posix(), file.read_bytes()
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            rows.append((name, f"sha256={digest}", len(content)))
            add(name, content, 0o755 if file.stat().st_mode & 0o100 else 0o644)
        record = io.StringIO()
        csv.writer(record, lineterminator="\n").writerows([*rows, (f"{info}/RECORD", "", "")])
        add(f"{info}/RECORD", record.getvalue(), 0o644)


def names():
    """(version, tag, name of the folder of metadata) of the wheel for this interpreter and platform."""
    version = re.search(r"AC_INIT\(\[delassus\], \[(.*?)\]", (SOURCE / "configure.ac").read_text())[1]
    python = f"cp{sys.version_info[0]}{sys.version_info[1]}"
    return version, f"{python}-{python}-{re.sub(r'[-.]', '_', sysconfig.get_platform())}", f"delassus-{version}.dist-info"


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    version, tag, info = names()
    folder = pathlib.Path(metadata_directory) / info
    folder.mkdir(parents=True, exist_ok=True)
    python = f"{sys.version_info[0]}.{sys.version_info[1]}"
    (folder / "METADATA").write_text(METADATA.format(version=version, python=python))
    (folder / "WHEEL").write_text(
        f"Wheel-Version: 1.0\nGenerator: delassus_wheel\nRoot-Is-Purelib: false\nTag: {tag}\n"
    )
    (folder / "entry_points.txt").write_text("[console_scripts]\ndelassus = delassus.__main__:main\n")
    return info


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    if not shutil.which("patchelf"):
        sys.exit("a wheel with its libraries inside needs patchelf; install it (patchelf on Debian)")
    build = built()
    version, tag, info = names()
    with tempfile.TemporaryDirectory() as made:
        root = pathlib.Path(made)
        package, libraries, licences = root / "delassus", root / "delassus.libs", root / info / "licenses"
        for folder in (package / "bin", libraries, licences):
            folder.mkdir(parents=True)
        prepare_metadata_for_build_wheel(root)
        for file in (SOURCE / "python" / "delassus").iterdir():
            if file.suffix == ".py" or file.name == "py.typed":
                shutil.copyfile(file, package / file.name)
        for name in DATA:
            ignored = shutil.ignore_patterns("*.mk", ".*", "__pycache__")
            shutil.copytree(SOURCE / name, package / "data" / name, ignore=ignored)
        module = package / f"_delassus{sysconfig.get_config_var('EXT_SUFFIX')}"
        made_module, made_program = build / "python" / ".libs" / "_delassus.so", build / ".libs" / "delassus"
        table, texts = bundle({made_module: module, made_program: package / "bin" / "delassus"}, libraries)
        shutil.copyfile(SOURCE / "COPYING", licences / "COPYING")
        exception = SASL if "libsasl2" in table else ""
        (licences / "BUNDLED.md").write_text(BUNDLED.format(table=table, exception=exception))
        for name, text in texts.items():
            (licences / name).write_bytes(text)
        name = f"delassus-{version}-{tag}.whl"
        write_wheel(root, pathlib.Path(wheel_directory) / name, info)
    return name


def build_sdist(sdist_directory, config_settings=None):
    sys.exit("the archive of the sources is made by 'make dist'")
