#!/bin/sh
# Archives of numpy (.npz) with problems of ContactBench: those that numpy writes are read to the bit, those that are
# broken are refused with a word on what is wrong, and numpy reads ours. TAP.
python=${DLS_TEST_PYTHON:-python3}
if ! "$python" -c 'import numpy' 2>/dev/null; then
    echo "1..0 # SKIP $python has no numpy"
    exit 0
fi
. "$DLS_TEST_SOURCE/tests/script.sh"

cat >"$dir/write.py" <<'END'
import os, sys, zipfile
import numpy as np
folder = sys.argv[1]
path = lambda name: os.path.join(folder, name)
rng = np.random.default_rng(7)
J = rng.standard_normal((6, 9))
G = J @ J.T
g = np.array([0.25, -0.5, -3, 0.125, 0.75, -2])
mus = np.array([0.375, 0.5])
np.savez(path("plain.npz"), G=G, g=g, mus=mus)
np.savez_compressed(path("packed.npz"), G=G, g=g, mus=mus)
np.savez(path("columns.npz"), G=np.asfortranarray(G), g=g.reshape(6, 1), mus=mus.reshape(1, 2), lam0=np.zeros(6))
np.savez(path("big.npz"), G=G.astype(">f8"), g=g.astype(">f8"), mus=mus.astype(">f4"))
np.savez(path("halves.npz"), G=G, g=g.astype("f4"), mus=mus.astype("f4"))
W = np.round(4 * G + 40 * np.eye(6))
for kind in "i8", "i4", "i2", "i1", ">i4":
    np.savez(path("whole-%s.npz" % kind.strip(">")) if kind[0] != ">" else path("whole-big.npz"), G=W.astype(kind), g=np.array([1, -2, -3, 1, -1, -2], kind), mus=np.array([0, 1], "u1"))
np.savez(path("whole.npz"), G=W, g=np.array([1., -2, -3, 1, -1, -2]), mus=np.array([0., 1]))
np.savez(path("no-mus.npz"), G=G, g=g)
np.savez(path("object.npz"), G=G, g=g, mus=np.array([0.5, None], dtype=object))
np.savez(path("complex.npz"), G=G.astype(complex), g=g, mus=mus)
np.savez(path("half.npz"), G=G.astype("f2"), g=g, mus=mus)
np.savez(path("bool.npz"), G=G, g=g, mus=np.array([True, False]))
np.savez(path("oblong.npz"), G=G[:, :3], g=g, mus=mus)
np.savez(path("four.npz"), G=G[:4, :4], g=g[:4], mus=mus)
np.savez(path("flat.npz"), G=G.ravel(), g=g, mus=mus)
np.savez(path("empty.npz"), G=np.zeros((0, 0)), g=np.zeros(0), mus=np.zeros(0))
np.savez(path("short.npz"), G=G, g=g[:5], mus=mus)
np.savez(path("many.npz"), G=G, g=g, mus=np.ones(3))
np.savez(path("minus.npz"), G=G, g=g, mus=-mus)
np.savez(path("nan.npz"), G=G, g=np.where(g == 0.75, np.nan, g), mus=mus)
np.savez(path("inf.npz"), G=G, g=g, mus=np.array([0.5, np.inf]))
with zipfile.ZipFile(path("other.npz"), "w") as z:
    z.writestr("README", "nothing of numpy")
whole = open(path("plain.npz"), "rb").read()
def member(name):
    with zipfile.ZipFile(path("plain.npz")) as z:
        return z.read(name)
def archive(name, method=zipfile.ZIP_STORED, **changed):
    with zipfile.ZipFile(path(name), "w", method) as z:
        for part in "G", "g", "mus":
            z.writestr(part + ".npy", changed.get(part, member(part + ".npy")))
archive("bzip2.npz", zipfile.ZIP_BZIP2)
archive("text.npz", g=b"1 2 3 4 5 6")
archive("version.npz", g=b"\x93NUMPY\x09\x00" + member("g.npy")[8:])
archive("head.npz", g=member("g.npy")[:40])
archive("less.npz", g=member("g.npy")[:-8])
archive("more.npz", g=member("g.npy") + b"12345678")
swap = lambda a, b: member("g.npy").replace(a, b + b" " * (len(a) - len(b)))
archive("twice.npz", g=swap(b"'fortran_order': False", b"'descr': '<f8'"))
archive("lacks.npz", g=swap(b"'fortran_order': False,", b""))
archive("unknown.npz", g=swap(b"fortran_order", b"fortran_onder"))
archive("maybe.npz", g=swap(b"False", b"Maybe"))
archive("shape.npz", g=swap(b"(6,)", b"(6"))
archive("scalar.npz", g=swap(b"(6,)", b"()"))
archive("huge.npz", g=member("g.npy").replace(b"(6,), }       ", b"(99999999,), }"))
archive("minus-shape.npz", g=member("g.npy").replace(b"(6,), } ", b"(-6,), }"))
flipped = bytearray(whole)
flipped[whole.index(b"mus.npy") - 40] ^= 4  # a number of g
open(path("flipped.npz"), "wb").write(flipped)
locked = bytearray(whole)
locked[whole.index(b"PK\1\2") + 8] |= 1
open(path("locked.npz"), "wb").write(locked)
lost = bytearray(whole)
at = whole.index(b"PK\1\2") + 42
lost[at:at + 4] = (7).to_bytes(4, "little")
open(path("lost.npz"), "wb").write(lost)
torn = bytearray(whole)
torn[whole.index(b"PK\1\2") + 1] = 0
open(path("torn.npz"), "wb").write(torn)
parted = bytearray(whole)
parted[whole.index(b"PK\5\6") + 4] = 1
open(path("parted.npz"), "wb").write(parted)
packed = bytearray(open(path("packed.npz"), "rb").read())
packed[packed.index(b"G.npy") + 60] ^= 255
open(path("unpacked.npz"), "wb").write(packed)
for length in range(22, len(whole), 61):
    open(path("cut-%d.npz" % length), "wb").write(whole[:length])
END
"$python" "$dir/write.py" "$dir" >"$dir/out" 2>"$dir/err"
ok $? "numpy writes the archives"

for name in plain packed columns big halves whole whole-i8 whole-i4 whole-i2 whole-i1 whole-big; do
    "$program" convert "$dir/$name.npz" "$dir/$name.json" --to json >"$dir/out" 2>"$dir/err"
done
for name in packed columns big halves; do
    if [ $name = packed ] && ! [ -s "$dir/packed.json" ]; then
        "$program" solve "$dir/packed.npz" 2>"$dir/err" >"$dir/out"
        grep -q 'G.npy: is compressed, and this build is without zlib' "$dir/err"
        ok $? "packed: refused, with what it needs"
        continue
    fi
    sed '/"name"/d' "$dir/plain.json" >"$dir/out" && sed '/"name"/d' "$dir/$name.json" | cmp - "$dir/out" >"$dir/err" 2>&1
    ok $? "$name: the same problem, to the bit"
done
for name in whole-i8 whole-i4 whole-i2 whole-i1 whole-big; do
    sed '/"name"/d' "$dir/whole.json" >"$dir/out" && sed '/"name"/d' "$dir/$name.json" | cmp - "$dir/out" >"$dir/err" 2>&1
    ok $? "$name: whole numbers"
done
"$program" convert "$dir/plain.npz" "$dir/back.npz" --to contactbench-npz >"$dir/out" 2>"$dir/err" &&
    "$python" -c 'import numpy as np, sys
a, b = np.load(sys.argv[1]), np.load(sys.argv[2])
assert sorted(a) == sorted(b) and all((a[k].ravel() == b[k].ravel()).all() and a[k].dtype == b[k].dtype for k in a)
assert a["G"].shape == (6, 6) and a["g"].shape == (6, 1) and a["mus"].shape == (2,)' "$dir/back.npz" "$dir/plain.npz" 2>"$dir/err"
ok $? "what we write, numpy reads to the bit"
cp "$dir/back.npz" "$dir/first.npz"
"$program" convert "$dir/plain.npz" "$dir/back.npz" --to contactbench-npz >"$dir/out" 2>"$dir/err" && cmp "$dir/first.npz" "$dir/back.npz" 2>"$dir/err"
ok $? "the same problem gives the same bytes"
"$program" solve "$dir/plain.npz" >"$dir/out" 2>"$dir/err" && grep -q '6 rows.*read as contactbench-npz' "$dir/out" && grep -q "2 contacts under Coulomb's cone" "$dir/out"
ok $? "it is recognised and solved"

refused() { # name, word
    "$program" solve "$dir/$1.npz" >"$dir/out" 2>"$dir/err"
    status=$?
    [ $status -eq 2 ] && [ "$(wc -l <"$dir/err")" -eq 1 ] && grep -q "$1.npz: .*$2" "$dir/err"
    ok $? "$1 is refused: $2"
}
refused no-mus "mus.npy: is not in the archive; a problem of ContactBench has the arrays G, g and mus"
refused other "G.npy: is not in the archive"
refused object "mus.npy: its numbers have numpy's type '|O'; store them as float64"
refused complex "G.npy: its numbers have numpy's type '<c16'"
refused half "type '<f2'"
refused bool "type '|b1'"
refused oblong "G.npy: must be a square matrix"
refused four "G.npy: must be a square matrix of three rows for each contact"
refused flat "G.npy: must be a square matrix"
refused empty "G.npy: must be a square matrix"
refused short "g.npy: must be a vector of 6 numbers"
refused many "mus.npy: must be a vector of 2 numbers, one for each contact"
refused minus "mus.npy: the coefficient of contact 0 is negative"
refused nan "g.npy: number 4 (from 0, by rows) is NaN"
refused inf "mus.npy: number 1"
refused bzip2 "another method than deflate"
refused text "g.npy: is no array of numpy"
refused version "g.npy: has version 9.0"
refused head "g.npy: is cut off within its header"
refused less "g.npy: has 40 bytes of numbers where its header says 48"
refused more "g.npy: has 56 bytes of numbers where its header says 48"
for name in twice lacks unknown maybe shape minus-shape; do refused $name "g.npy: the header of the array is not"; done
refused scalar "g.npy: has 48 bytes of numbers where its header says 8"
refused huge "g.npy: \(its shape has more numbers\|has 48 bytes\)"
refused flipped "g.npy: is damaged: its checksum"
refused locked "G.npy: is encrypted"
refused lost "G.npy: is damaged: the archive's directory leads nowhere"
refused torn "the directory of the archive is damaged"
refused parted "is one part of an archive"
refused unpacked "G.npy: is \(damaged\|compressed\)"
for file in "$dir"/cut-*.npz; do
    "$program" solve "$file" >"$dir/out" 2>"$dir/err"
    [ $? -eq 2 ] && grep -q "is cut off: the directory" "$dir/err" || echo "$file"
done >"$dir/told"
[ ! -s "$dir/told" ]
ok $? "cut anywhere, it is refused"
echo "1..$number"
