#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
# Opens the HTML report in headless Chromium: the script runs without an error, every chart is drawn, the
# Gantt picture answers the keyboard, in the light and in the dark theme, on a wide and a narrow window.
# Screenshots stay in the output directory, to be looked at.
#
#   check.sh WRITE_PAGE OUTPUT_DIRECTORY
#
# Exit status 77 (ctest: skipped) when there is no Chromium.
set -eu
write_page=$1
output=$2

browser=
for name in chromium chromium-browser google-chrome; do
  if command -v "$name" >/dev/null 2>&1; then browser=$name; break; fi
done
if [ -z "$browser" ]; then
  echo 'skipped: html_in_browser needs chromium (Debian: apt-get install chromium)'
  exit 77
fi

mkdir -p "$output"
output=$(cd "$output" && pwd)
"$write_page" "$output"
profile=$(mktemp -d)
trap 'rm -rf "$profile"' EXIT
failures=0
fail() { echo "FAILED: $*"; failures=$((failures + 1)); }

# browse PAGE THEME SIZE ARGUMENT…   (theme 0 = dark, 1 = light)
browse() {
  page=$1 theme=$2 size=$3
  shift 3
  timeout 120 "$browser" --headless --no-sandbox --disable-gpu --disable-quic --no-first-run \
    --disable-background-networking --disable-component-update --disable-sync --hide-scrollbars \
    --user-data-dir="$profile" --enable-logging=stderr --window-size="$size" \
    --blink-settings=preferredColorScheme="$theme" "$@" "file://$page"
}

for kind in chartjs svg; do
  page=$output/$kind.html
  if [ ! -f "$page" ]; then
    echo "skipped: the build found no Chart.js, $kind.html was not written"
    continue
  fi
  # The copy presses keys and writes down what the page says; the page itself stays as users get it.
  probe=$output/$kind-probe.html
  sed 's#</body>#<script>(() => {\
    const gantt = document.getElementById("gantt");\
    const where = document.getElementById("where");\
    const press = key => gantt.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true, cancelable: true}));\
    const ink = canvas => { const all = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;\
      const seen = new Set(); for (let at = 0; at < all.length; at += 4) seen.add(all.slice(at, at + 3).join()); return seen.size; };\
    const blank = [...document.querySelectorAll("canvas")].filter(canvas => ink(canvas) < 5).length;\
    const result = {blank, page: getComputedStyle(document.body).backgroundColor,\
      wide: document.documentElement.scrollWidth > document.documentElement.clientWidth ? "overflow" : "fits"};\
    press("ArrowRight"); result.first = where.textContent;\
    press("ArrowRight"); press("ArrowDown"); result.second = where.textContent;\
    press("Escape"); result.third = where.textContent;\
    document.documentElement.dataset.probe = JSON.stringify(result);\
  })();</script></body>#' "$page" >"$probe"

  for theme in 0 1; do
    case $theme in 0) name=dark background='rgb(20, 24, 28)' ;; *) name=light background='rgb(251, 251, 250)' ;; esac
    browse "$probe" "$theme" 1280,1900 --dump-dom >"$output/$kind-$name.dom" 2>"$output/$kind-$name.log" ||
      fail "$kind, $name: the browser gave up"
    root=$(grep -m 1 '<html' "$output/$kind-$name.dom" | sed 's/&quot;/"/g')
    echo "$kind, $name: $root"
    if grep -q 'CONSOLE' "$output/$kind-$name.log"; then
      fail "$kind, $name: $(grep -m 1 CONSOLE "$output/$kind-$name.log")"
    fi
    case $root in *data-error*) fail "$kind, $name: the script stopped" ;; esac
    case $root in *'data-drawn="3"'*) ;; *) fail "$kind, $name: not three charts" ;; esac
    case $root in *'data-gantt="drawn"'*) ;; *) fail "$kind, $name: no Gantt picture" ;; esac
    case $root in *'"blank":0,'*) ;; *) fail "$kind, $name: an empty canvas" ;; esac
    case $root in *"\"page\":\"$background\""*) ;; *) fail "$kind, $name: not the colours of the theme" ;; esac
    case $root in *'"wide":"fits"'*) ;; *) fail "$kind, $name: wider than the window" ;; esac
    case $root in *'"first":"Node 0, GPU 0,'*) ;; *) fail "$kind, $name: the first key did not enter the picture" ;; esac
    case $root in *'"second":"Node 0, GPU 1,'*) ;; *) fail "$kind, $name: the arrows did not move" ;; esac
    case $root in *'"third":""'*) ;; *) fail "$kind, $name: Escape did not let go" ;; esac
    browse "$page" "$theme" 1280,1900 --screenshot="$output/$kind-$name.png" >/dev/null 2>&1
    [ -s "$output/$kind-$name.png" ] || fail "$kind, $name: no screenshot"
  done
  browse "$page" 1 500,2600 --screenshot="$output/$kind-narrow.png" >/dev/null 2>&1
  [ -s "$output/$kind-narrow.png" ] || fail "$kind: no narrow screenshot"
done

if [ "$failures" -ne 0 ]; then
  echo "$failures failures; pages, logs and screenshots: $output"
  exit 1
fi
echo "the report works in $browser; screenshots: $output"
