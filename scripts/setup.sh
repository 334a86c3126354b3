# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by ./run, ./test and .ci/run: installs what is missing on Debian 12 and builds a preset.

# package: why
build_packages=(
  "g++: the C++20 compiler"
  "cmake: the build"
  "ninja-build: the build's hands"
  "ccache: a second build that doesn't start over"
  "pkg-config: finds libzip"
  "qt6-base-dev: windows, painting, printing and the tests"
  "qt6-svg-dev: icons, and figures as SVG"
  "qt6-tools-dev: translations, their CMake part"
  "qt6-tools-dev-tools: what that CMake part asks for"
  "qt6-l10n-tools: translations, their compiler"
  "libgl-dev: Qt asks for OpenGL's headers"
  "libqcustomplot-dev: heat maps"
  "libeigen3-dev: matrices"
  "libdnnl-dev: oneDNN, the fast matrix products"
  "libhwy-dev: Highway, loops that fit the processor at hand"
  "libexpected-dev: results that may be errors"
  "libfmt-dev: sentences with numbers in them"
  "nlohmann-json3-dev: JSON"
  "libzip-dev: npz files"
  "libicu-dev: ICU, the graphemes and words of Unicode, and the names of scripts"
  "zlib1g-dev: the CRC-32 that seeds a token's vector"
)
run_packages=(
  "libqt6gui6: the platform plugins, also the one without a display"
  "libqt6svg6: SVG icons"
  "qt6-translations-l10n: Qt's own words in Chinese"
  "fonts-inter: the type of the window and the figures"
  "fonts-dejavu-core: mathematical signs, and type for code"
  "fonts-droid-fallback: Chinese"
)
test_packages=(
  "unicode-data: Unicode's own tests of graphemes and words"
  "poppler-utils: pdftoppm, to compare a PDF with its PNG"
  "python3-numpy: what headscope.py needs"
  "librsvg2-bin: rsvg-convert, to compare an SVG with its PNG"
)
fuzz_packages=(
  "clang: libFuzzer and the compiler that it belongs to"
  "llvm: the coverage of the fuzzers"
)
package_packages=(
  "librsvg2-bin: the icon in the sizes of the icon theme"
  "desktop-file-utils: checks the desktop file"
  "appstream: checks what software catalogues read"
  "lintian: checks the package"
  "dpkg-dev: finds the libraries that the package needs"
)
check_packages=(
  "clang-format: the layout of the source"
  "clang-tidy: the habits of the source"
  "desktop-file-utils: the desktop file"
)

say() { printf '%s\n' "$*" >&2; }

# need LIST...: installs the packages that are missing, and says what for.
need() {
  local line name missing=()
  for line in "$@"; do
    name=${line%%:*}
    dpkg-query -W -f='${Status}' "$name" 2>/dev/null | grep -q '^install ok installed' && continue
    [ ${#missing[@]} -gt 0 ] || say "Installing what HeadScope needs:"
    say "  $name -${line#*:}"
    missing+=("$name")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  if ! command -v apt-get >/dev/null; then
    say "There is no apt-get here; please install the packages above, or what your system calls them."
    return 1
  fi
  local root=()
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || { say "Please install them as root; there is no sudo here."; return 1; }
    root=(sudo)
  fi
  local log
  log=$(mktemp)
  if ! { "${root[@]}" apt-get update && "${root[@]}" env DEBIAN_FRONTEND=noninteractive \
         apt-get install -y --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
    tail -n 20 "$log" >&2
    say "apt-get could not install them; all it said is in $log"
    return 1
  fi
  rm -f "$log"
}

# Passes on what the build says; a terminal shows which file of how many is compiled.
progress() {
  local line
  while IFS= read -r line; do
    printf '%s\n' "$line"
    if [ -t 2 ] && [[ $line =~ ^\[([0-9]+)/([0-9]+)\]\ .*\ ([^ ]+)$ ]]; then
      printf '\r\033[K%s of %s: %s' "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}" "${BASH_REMATCH[3]##*/}" >&2
    fi
  done
  [ ! -t 2 ] || printf '\r\033[K' >&2
}

# build PRESET [TARGET...]: configures and builds, and says little unless something goes wrong.
build() {
  local preset=$1 log=build/$1.log
  shift
  mkdir -p build
  [ -e "build/$preset/build.ninja" ] || say "Building HeadScope ($preset); the first time takes some minutes."
  if ! { cmake --preset "$preset" && cmake --build --preset "$preset" ${1:+--target "$@"}; } 2>&1 | progress >"$log"; then
    grep -E -A5 'error|Error' "$log" | head -n 40 >&2 || true
    tail -n 5 "$log" >&2
    say "The build failed; all it said is in $log"
    return 1
  fi
}
