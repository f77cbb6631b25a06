#!/usr/bin/env bash
# Installs into a throw-away prefix, and unpacks the Debian package into another; in each builds a C program with
# pkg-config alone and runs it. install_test.sh BUILD SOURCE FOLDER CONSUMER [deb]
set -euo pipefail
build=$1 source=$2 folder=$3 consumer=$4 what=${5:-install}
unset VISOR_LIBEXEC
export PYTHONDONTWRITEBYTECODE=1 # what Python keeps there is not the manifest's
rm -rf "$folder"
mkdir -p "$folder"

# What the prefix holds has to be enough: builds elsewhere, and what stands in the way of leaks out of the prefix.
use_prefix() {
    local prefix=$1 libraries
    libraries=$(dirname "$(find "$prefix" -name libvisor.so)")
    export PKG_CONFIG_PATH=$libraries/pkgconfig LD_LIBRARY_PATH=$libraries
    # shellcheck disable=SC2046 # the words are what is wanted
    cc -std=c11 -Wall -Werror "$source/examples/embed/harness.c" $(pkg-config --cflags --libs visor) -o "$folder/harness"
    "$folder/harness"
    # Nothing of the build's folder is needed.
    VISOR_LIBEXEC=$prefix/libexec/visor "$folder/harness" >/dev/null
    [ "$("$folder/harness" | grep -c ' ok$')" -eq 6 ]
    if [ -d "$prefix/lib/python3/dist-packages/visor" ]; then
        (cd "$source/examples" && PYTHONPATH=$prefix/lib/python3/dist-packages /usr/bin/python3 embed/five.py) |
            tee "$folder/five.txt"
        [ "$(tr -s '[:space:][]' ' ' <"$folder/five.txt")" = "$(tr -s '[:space:]' ' ' <"$source/tests/install/five.txt")" ]
        # The package finds the program and the OpenCL platform of its prefix.
        PYTHONPATH=$prefix/lib/python3/dist-packages /usr/bin/python3 -B -m visor -- -c \
            'import os, pathlib; print(*[file.read_text() for file in pathlib.Path(os.environ["OCL_ICD_VENDORS"]).iterdir()])' |
            grep -F "$libraries/libvisor-opencl.so" >/dev/null
        # In under ten lines of code.
        [ "$(grep -c '^[^#"]*[^#" ]' "$source/examples/embed/five.py")" -lt 10 ]
    fi
    # Where it was built it no longer looks: a copy outside of that folder, without its parts, finds none.
    local moved
    moved=$(mktemp -d)
    cp -r "$prefix/bin" "$prefix/lib" "$moved"
    if VISOR_CACHE_DIR=$moved/cache "$moved/bin/visor" cc "$source/examples/saxpy/saxpy.cl" -o "$moved/k.zebin" 2>"$moved/said"; then exit 1; fi
    grep -q 'visor-compile-worker. is missing' "$moved/said"
    if grep -qF "$build" "$moved/said"; then cat "$moved/said" && exit 1; fi
    rm -r "$moved"
    [ "$(pkg-config --modversion visor)" = "$("$prefix/bin/visor" --version | cut -d' ' -f2)" ]
    for page in visor visor-run visor-cc visor-as visor-dis visor-check visor-isa visor-info; do
        man_page=$prefix/share/man/man1/$page.1
        if [ ! -e "$man_page" ]; then man_page+=.gz; fi
        [ -s "$man_page" ]
    done
    zgrep -q 'fuel' "$prefix"/share/man/man1/visor-run.1*
    bash -c "source '$prefix/share/bash-completion/completions/visor'
             COMP_WORDS=(visor run --fu) COMP_CWORD=2; _visor; [ \"\${COMPREPLY[*]}\" = --fuel ]
             COMP_WORDS=(visor run --device pv) COMP_CWORD=3; _visor; [ \"\${COMPREPLY[*]}\" = pvc ]"
}

if [ "$what" = deb ]; then
    (cd "$build" && cpack -G DEB -B "$folder/package" >"$folder/cpack.log" 2>&1) || { cat "$folder/cpack.log" && exit 1; }
    package=$(find "$folder/package" -maxdepth 1 -name '*.deb')
    dpkg-deb --field "$package" Depends Recommends
    dpkg-deb --field "$package" Depends | grep -q libc6
    dpkg-deb --extract "$package" "$folder/root"
    use_prefix "$folder/root/usr"
    exit
fi

cmake --install "$build" --prefix "$folder/prefix" >/dev/null
use_prefix "$folder/prefix"
cmake -G Ninja -S "$consumer" -B "$folder/consumer" -DCMAKE_PREFIX_PATH="$folder/prefix" >/dev/null
cmake --build "$folder/consumer" >/dev/null
"$folder/consumer/harness" >/dev/null
cmake -DMANIFEST="$build/install_manifest.txt" -P "$source/cmake/install/uninstall.cmake"
left=$(find "$folder" -path "$folder/prefix/*" -not -type d) # the prefix may be gone as a whole
[ -z "$left" ] || { echo "left behind: $left" >&2 && exit 1; }
