#!/bin/sh
# Pictures as a user makes them: every scene in every kind of file, by Khronos' validator of glTF where node has it, and in a
# browser without a window where chromium is installed; wrong input. TAP.
models=$DLS_TEST_SOURCE/models
. "$DLS_TEST_SOURCE/tests/script.sh"
# Runs a scene for a few steps, with a solver that takes its friction.
animate() { # scene, file
    for solver in pgs nsgs; do
        "$program" run "$1" --solver $solver --time "$3" --samples 40 --examine never -o "$dir/run" --animate "$2" >"$dir/out" 2>"$dir/err" &&
            return 0
        grep -q "is not solved.*: refused: " "$dir/err" || break
    done
    return 1
}

# --- wrong input ---

refuses "a name that says no kind of picture" "use one of .svg, .png, .pdf, .glb, .html" view "$scenes/pendulum.yaml" -o "$dir/a.gif"
refuses "the same of an animation, before the run" "use one of .svg" run "$scenes/pendulum.yaml" -o "$dir/none" --animate "$dir/a"
[ ! -e "$dir/none" ]
ok $? "which writes no tables"
refuses "a scene that is not there" "No such file" view "$dir/none.yaml" -o "$dir/a.svg"
printf 'bodies:\n  - {name: a, shape: cube, mass: 1}\n' >"$dir/wrong.yaml"
refuses "a scene that is wrong" "wrong.yaml:2:.*shape" view "$dir/wrong.yaml" -o "$dir/a.svg"
refuses "a setting that nothing has" "no solver in use has this key" view "$scenes/pendulum.yaml" --set colour=red -o "$dir/a.svg"
refuses "a run beside nothing" "give --animate" run "$scenes/pendulum.yaml" -o "$dir/none" --beside scheme=tgs
refuses "two runs in a file of one" "shows one run; with --beside it is FILE.html" run "$scenes/pendulum.yaml" -o "$dir/none" --animate "$dir/a.glb" --beside scheme=tgs
refuses "a run beside that is not KEY=VALUE" "'tgs' is not KEY=VALUE" run "$scenes/pendulum.yaml" --time 0.01 -o "$dir/run" --animate "$dir/a.html" --beside tgs
refuses "a scheme beside that there is not" "did you mean 'tgs'" run "$scenes/pendulum.yaml" --time 0.01 -o "$dir/run" --animate "$dir/a.html" --beside scheme=tgss
refuses "copies in motion" "--animate is not for copies" run "$scenes/pendulum.yaml" --copies 2 -o "$dir/none" --animate "$dir/a.glb"
DELASSUS_DATADIR=$dir refuses "a player that is not there" "plots/player.html: the player of pages cannot be read.*DELASSUS_DATADIR" view "$scenes/pendulum.yaml" -o "$dir/a.html"
if [ -w /dev/full ]; then
    for kind in svg png pdf glb html; do
        { [ $kind = png ] || [ $kind = pdf ]; } && ! command -v gnuplot >/dev/null && continue
        ln -s /dev/full "$dir/full.$kind"
        complains 7 "a full disk: $kind" "full.$kind: cannot write\|/dev/full: cannot write" view "$scenes/pendulum.yaml" -o "$dir/full.$kind"
    done
else
    skip "a full disk" "there is no /dev/full"
fi
(cd "$dir" && ls -A | grep '^a\.\|\.tmp$') >"$dir/told"
nothing_told "nothing is left of what failed"

# --- stills ---

for file in "$scenes"/*.yaml "$models"/*.xml "$models"/*.urdf; do
    "$program" view "$file" -o "$dir/still.svg" >"$dir/out" 2>"$dir/err" || { echo "$file"; cat "$dir/err"; }
    [ "$(grep -c '<path' "$dir/still.svg")" -ge 20 ] || echo "$file: less than 20 facets and lines"
    grep -qi 'nan\|inf' "$dir/still.svg" && echo "$file: a number that is not finite"
    tail -n 1 "$dir/still.svg" | grep -q '^</svg>$' || echo "$file: no end"
done >"$dir/told"
nothing_told "every scene and model as SVG"
"$program" view "$scenes/four-bar.yaml" --time 0.1 -o "$dir/one.svg" >"$dir/told" 2>&1 && "$program" view "$scenes/four-bar.yaml" --time 0.1 -o "$dir/two.svg" >>"$dir/told" 2>&1 &&
    cmp "$dir/one.svg" "$dir/two.svg" >>"$dir/told"
ok $? "the same picture twice has the same bytes"
! cmp -s "$dir/one.svg" "$dir/still.svg" && grep -q '<title>four-bar</title>' "$dir/one.svg"
ok $? "it has the name of its scene"
if command -v gnuplot >/dev/null; then
    "$program" view "$scenes/humanoid.yaml" -o "$dir/still.png" >"$dir/told" 2>&1 && [ "$(head -c 8 "$dir/still.png" | od -An -tx1 | tr -d ' \n')" = 89504e470d0a1a0a ] &&
        [ "$(wc -c <"$dir/still.png")" -gt 8000 ]
    ok $? "a PNG"
else
    skip "a PNG" "there is no gnuplot"
fi

# Meshes that are missing or wrong: the picture is made, each problem is a line, and a run has the same tables.
mkdir "$dir/lamp" && head -c 1000 "$models/lamp/bulb.stl" >"$dir/lamp/bulb.stl" && cp "$models/lamp/foot.obj" "$dir/lamp"
cp "$models/lamp.urdf" "$dir"
"$program" view "$dir/lamp.urdf" -o "$dir/still.svg" >"$dir/out" 2>"$dir/told" && [ "$(wc -l <"$dir/told")" -eq 2 ] &&
    grep -q "lamp.urdf:56:1: mesh: 'models/lamp/shade.stl' is neither in .* (not drawn)" "$dir/told" &&
    grep -q "lamp/bulb.stl: byte 80: 224 triangles are 11284 bytes, and the file has 1000; .* (not drawn)" "$dir/told"
ok $? "meshes that cannot be drawn are named, and the rest is drawn"
"$program" view "$models/lamp.urdf" -o "$dir/lamp.svg" >"$dir/out" 2>"$dir/told" && [ ! -s "$dir/told" ] &&
    [ "$(grep -c '<path' "$dir/lamp.svg")" -gt $(($(grep -c '<path' "$dir/still.svg") + 200)) ]
ok $? "where they can be, they have their facets, and nothing is said"

# --- animations ---

# Figures of these runs are not looked at: gnuplot draws nothing.
mkdir "$dir/bin" && cp "$DLS_TEST_SOURCE/tests/idle_gnuplot.sh" "$dir/bin/gnuplot"
PATH=$dir/bin:$PATH
mkdir "$dir/glb" "$dir/pages"
for file in "$scenes"/*.yaml "$models/lamp.urdf"; do
    stem=${file##*/} stem=${stem%.*}
    animate "$file" "$dir/glb/$stem.glb" 0.05 || { echo "$file"; cat "$dir/err"; }
    animate "$file" "$dir/pages/$stem.html" 0.05 || { echo "$file"; cat "$dir/err"; }
done >"$dir/told"
nothing_told "every scene in motion"
"$program" run "$scenes/pendulum.yaml" --time 0.1 -o "$dir/run" --animate "$dir/pages/beside.html" --beside scheme=tgs --beside dt=0.1ms --beside omega=1.2 >"$dir/told" 2>&1 &&
    [ "$(grep -c 'class="run"' "$dir/pages/beside.html")" -eq 2 ] && grep -q 'animation .*beside.html: 101 frames' "$dir/told"
ok $? "two runs side by side"
"$program" run "$scenes/pendulum.yaml" --time 0.01 -o "$dir/run" --animate "$dir/pages/fails.html" --beside solver=exec:false >"$dir/out" 2>"$dir/told"
[ $? -eq 1 ] && grep -q '^delassus: --beside: step 1, from 0 s, is not solved' "$dir/told" && [ -s "$dir/pages/fails.html" ]
ok $? "of which one fails"
grep -l 'https\?://' "$dir/pages"/*.html >"$dir/told"
nothing_told "no page asks for anything from a network"

if node -e 'require("gltf-validator")' 2>/dev/null; then
    cat >"$dir/validate.js" <<'END'
const validator = require("gltf-validator"), fs = require("fs");
(async () => {
  for (const file of process.argv.slice(2)) {
    const { issues } = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)));
    for (const m of issues.messages) if (m.severity < 2) console.log(file, m.code, m.message, m.pointer);
  }
})();
END
    node - "$dir/glb"/*.glb <"$dir/validate.js" >"$dir/told" 2>&1
    nothing_told "Khronos' validator has neither errors nor warnings"
else
    skip "Khronos' validator" "node, or its package gltf-validator (NODE_PATH), is not installed"
fi

# All pages in one browser, one after another in a frame: what each has painted, and messages on its console.
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
if [ -n "$browser" ]; then
    {
        printf '<!doctype html><meta charset="utf-8"><pre id="told"></pre><script>const pages = {\n'
        for page in "$dir/pages"/*.html; do
            printf '"%s": "%s",\n' "$(basename "$page" .html)" "$(base64 -w 0 "$page")"
        done
        cat <<'END'
};
const told = words => document.getElementById("told").append(words + "\n");
// What the buttons of the page with two runs of 0.1 s do.
function use(page) {
  const by = id => page.getElementById(id), clock = () => by("clock").textContent;
  by("when").value = 0;
  by("when").oninput();
  const seen = [clock()];
  for (const id of ["next", "next", "back"]) { by(id).click(); seen.push(clock()); }
  by("when").value = 0.05;
  by("when").oninput();
  seen.push(clock(), by("play").textContent);
  by("play").click();
  seen.push(by("play").textContent);
  by("play").click();
  by("when").value = by("when").max;
  by("when").oninput();
  seen.push(clock(), by("apart").textContent.replace(/.*: /, ""));
  const canvas = page.querySelector("canvas"), picture = () => canvas.toDataURL(), before = picture();
  canvas.onwheel({ preventDefault() {}, deltaY: 300 });
  seen.push(picture() !== before ? "zooms" : "does not zoom");
  by("home").click();
  seen.push(picture() === before ? "resets" : "does not reset");
  const strip = by("strip"), size = strip.getBoundingClientRect();
  strip.onpointermove({ buttons: 1, offsetX: size.width / 4, offsetY: size.height / 4 });
  seen.push(clock() > "0.000 s" && clock() < "0.100 s" ? "seeks" : "does not seek");
  by("fit").click();
  const names = new Set();
  for (let x = 5; x < canvas.clientWidth; x += 10)
    for (let y = 5; y < canvas.clientHeight; y += 10) {
      canvas.onpointermove({ offsetX: x, offsetY: y, clientX: x, clientY: y });
      if (by("told").style.display === "block") names.add(by("told").textContent.split("\n")[0]);
    }
  seen.push([...names].sort().join(" "));
  // A point is picked alike before and after the picture is drawn for the new size of its canvas.
  const pane = canvas.parentElement, pick = (x, y) => {
    canvas.onpointermove({ offsetX: x, offsetY: y, clientX: x, clientY: y });
    return by("told").style.display + by("told").textContent;
  };
  let off = 0;
  const picked = new Set();
  for (let x = 2; x < canvas.clientWidth / 2; x += 6)
    for (let y = 2; y < canvas.clientHeight; y += 6) {
      pane.style.maxWidth = "none";
      by("home").click();
      pane.style.maxWidth = "50%";
      const before = pick(x, y);
      by("home").click();
      picked.add(before);
      if (pick(x, y) !== before) off++;
    }
  pane.style.maxWidth = "none";
  by("home").click();
  seen.push(off === 0 && picked.size > 1 ? "resizes" : "does not resize");
  const plain = picture();
  by("colours").value = "residual";
  by("colours").onchange();
  seen.push(picture() !== plain ? "colours" : "does not colour");
  by("home").click();
  by("joint").checked = false;
  by("joint").onchange();
  seen.push(picture() !== before ? "hides" : "does not hide");
  told("used " + seen.join(", "));
}
(async () => {
  for (const [name, page] of Object.entries(pages)) {
    const frame = document.createElement("iframe");
    frame.width = 480, frame.height = 360;
    frame.srcdoc = new TextDecoder().decode(Uint8Array.from(atob(page), c => c.charCodeAt(0)));
    await new Promise(loaded => { frame.onload = loaded; document.body.append(frame); });
    const data = frame.contentDocument.body.dataset;
    told(`painted ${name} ${data.painted} ${data.frames}`);
    if (name === "beside") use(frame.contentDocument);
    frame.remove();
  }
  told("all");
})();
</script>
END
    } >"$dir/all.html"
    timeout 300 "$browser" --headless --no-sandbox --disable-gpu --use-angle=swiftshader --enable-unsafe-swiftshader --user-data-dir="$dir/profile" \
        --enable-logging=stderr --virtual-time-budget=600000 --dump-dom "file://$dir/all.html" >"$dir/dom" 2>"$dir/log"
    if grep -q 'shows no WebGL' "$dir/log"; then
        skip "pages in a browser" "this chromium has no WebGL"
    else
        {
            grep 'CONSOLE' "$dir/log" | grep -v 'GPU stall due to ReadPixels'
            grep -q '^all$' "$dir/dom" || echo "the browser did not come to the end"
            # A picture has at least one in 500 of its pixels in colour, and not all of them.
            grep -o 'painted [a-z].*' "$dir/dom" | awk '!($3 > 0.002 && $3 < 0.98) {print $2 " has painted " $3}'
            [ "$(grep -c 'painted [a-z]' "$dir/dom")" -eq "$(ls "$dir/pages" | wc -l)" ] || echo "not all pages"
        } >"$dir/told"
        nothing_told "every page is painted in a browser, and none complains"
        grep -o 'used 0.*' "$dir/dom" >"$dir/told"
        grep -q '^used 0.000 s, 0.001 s, 0.002 s, 0.001 s, 0.050 s, Play, Pause, 0.100 s, [1-9].[0-9]*e-[2-5] m, zooms, resets, seeks, [a-z ]*bob[a-z ]*, resizes, colours, hides$' "$dir/told"
        ok $? "its buttons step, play, seek, zoom, reset, name, resize, colour and hide"
    fi
else
    skip "pages in a browser" "there is no chromium"
fi
echo "1..$number"
