# What is installed works: from C and C++, by find_package, pkg-config and add_subdirectory, static and shared, also
# when it is moved. Every program must reach the hash that the tool prints.
. "$SUPPLE_SOURCE/tests/tool/expect.bash"
for program in cmake ninja c++ pkg-config; do
    command -v $program >/dev/null || skip "$program is missing"
done
consumer=$SUPPLE_SOURCE/tests/install/consumer
scene=$SUPPLE_SOURCE/scenes/hello.json
hash=$("$SUPPLE" hash "$scene" --frames 5 | tail -n 1)
[ -n "$hash" ] || fail "there is no hash to compare with"

# must COMMAND...: is quiet unless it fails; then nothing that follows makes sense
must() {
    "$@" >log 2>&1 && return
    cat log
    echo "FAILED: $*"
    exit 1
}
# same PROGRAM WHAT: reaches the hash
same() {
    local found
    found=$("$1" "$scene")
    [ "$found" = "$hash" ] || fail "$2: $found is not $hash"
}
# configure FOLDER ARGUMENT...
configure() { cmake -G Ninja -D CMAKE_BUILD_TYPE=Debug -B "$@"; }

# by_package PREFIX NAME
by_package() {
    must configure "package_$2" -S "$consumer" -D CMAKE_PREFIX_PATH="$1" -D SUPPLE_VERSION=0.1
    must cmake --build "package_$2"
    same "package_$2/consumer_c" "find_package from C, $2"
    same "package_$2/consumer_cpp" "find_package from C++, $2"
}

strict=(-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror)
# by_pkg_config PREFIX NAME [--static]
by_pkg_config() {
    local flags standard
    export PKG_CONFIG_PATH=$1/lib/pkgconfig LD_LIBRARY_PATH=$1/lib
    must pkg-config --print-errors --exists 'supple >= 0.1.0'
    read -ra flags < <(pkg-config $3 --cflags --libs supple)
    for standard in c99 c17; do
        must cc -std=$standard "${strict[@]}" "$consumer/main.c" -o program "${flags[@]}"
        same ./program "pkg-config from $standard, $2 $3"
    done
    for standard in c++11 c++20; do
        must c++ -std=$standard "${strict[@]}" -Wold-style-cast "$consumer/main.cpp" -o program "${flags[@]}"
        same ./program "pkg-config from $standard, $2 $3"
    done
    unset PKG_CONFIG_PATH LD_LIBRARY_PATH
}

# One build for both kinds: the objects are the same.
for kind in static shared; do
    shared=OFF
    [ $kind = static ] || shared=ON
    must configure build -S "$SUPPLE_SOURCE" -D BUILD_SHARED_LIBS=$shared -D CMAKE_INSTALL_LIBDIR=lib
    must cmake --build build --parallel 2
    must cmake --install build --prefix "$PWD/first_$kind"
    mv "first_$kind" "$kind"
    ! grep -rF -e "first_$kind" -e "$PWD/build" -e "$SUPPLE_SOURCE" "$kind/lib/cmake" "$kind/lib/pkgconfig" ||
        fail "$kind: what is installed knows where it was"
    by_package "$PWD/$kind" $kind
    by_pkg_config "$PWD/$kind" $kind ''
    by_pkg_config "$PWD/$kind" $kind --static
done

# What there is, besides the library.
for file in bin/supple include/supple/supple.h share/man/man1/supple.1 share/doc/supple/LICENSE \
    share/bash-completion/completions/supple share/zsh/site-functions/_supple \
    share/fish/vendor_completions.d/supple.fish share/supple/scenes/hello.json; do
    [ -s "shared/$file" ] || fail "$file is not installed"
done
[ "$(shared/bin/supple hash shared/share/supple/scenes/hello.json --frames 5 | tail -n 1)" = "$hash" ] ||
    fail "the installed tool has another hash"
(cd build && must cpack -G TGZ)
tar tzf build/supple-*.tar.gz >files.txt || fail "the archive cannot be read"
grep -q 'lib/libsupple.so$' files.txt || fail "the archive has no library"

# The shared library: its name, the chain of links, exactly the public functions.
version=$("$SUPPLE" --version)
version=${version#supple }
soname=libsupple.so.${version%.*}
[ "$(readlink shared/lib/libsupple.so)" = "$soname" ] || fail "libsupple.so leads elsewhere"
[ "$(readlink "shared/lib/$soname")" = "libsupple.so.$version" ] || fail "$soname leads elsewhere"
objdump -p shared/lib/libsupple.so | grep -q "SONAME *$soname\$" || fail "another soname"
must "$SUPPLE_SOURCE/scripts/symbols.sh" build/libsupple_static.a shared/lib/libsupple.so
! readelf -d shared/bin/supple shared/lib/libsupple.so | grep -E 'R(UN)?PATH' || fail "a search path is built in"

# Another minor version is another API before 1.0.0.
for other in 0.99 0.0 1.0; do
    ! configure other -S "$consumer" -D CMAKE_PREFIX_PATH="$PWD/static" -D SUPPLE_VERSION=$other >log 2>&1 ||
        fail "find_package takes $version for $other"
    grep -q 'version: ' log || fail "find_package does not tell which version there is"
done

# Inside another project: the library alone, nothing to install, and nothing decided for that project.
# With clang where it is there, which optimises all of it in a third of the time that gcc takes; by day not optimised.
compiler=()
if command -v clang >/dev/null; then compiler=(-D CMAKE_C_COMPILER=clang); fi
must cmake -G Ninja -B inside -S "$consumer" -D SUPPLE_FOLDER="$SUPPLE_SOURCE" "${compiler[@]}"
grep -q '^CMAKE_BUILD_TYPE:STRING=$' inside/CMakeCache.txt || fail "add_subdirectory chooses a build type"
[ -n "${SUPPLE_LONG-}" ] || must cmake -D CMAKE_BUILD_TYPE=Debug inside
must cmake --build inside --parallel 2
same inside/consumer_c "add_subdirectory from C"
same inside/consumer_cpp "add_subdirectory from C++"
must cmake --install inside --prefix "$PWD/none"
[ ! -e none ] || [ -z "$(find none -type f)" ] || fail "add_subdirectory installs something"
! ninja -C inside -t targets all | grep -qE '^(supple_tool|test|supple_said|supple/tool)' ||
    fail "add_subdirectory builds more than the library"
! grep '^BUILD_SHARED_LIBS' inside/CMakeCache.txt || fail "add_subdirectory decides about shared libraries"
ninja -C inside -t commands consumer_c | grep 'consumer/main.c' >command.txt || fail "no command compiles main.c"
! grep -E -e '-std=|-W|-ffp-contract' command.txt || fail "flags of the library leak"

# What the README says, with its first program.
# block LANGUAGE WORD: the block of code that has this word
block() {
    awk -v fence='```'"$1" -v word="$2" '
        $0 == fence { text = ""; on = 1; next }
        /^```/ { if (on && index(text, word)) printf "%s", text; on = 0 }
        on { text = text $0 "\n" }' "$SUPPLE_SOURCE/README.md"
}
# readme NAME WORD: a project around the block of CMake that has this word
readme() {
    mkdir "$1"
    block c 'int main' >"$1/your_program.c"
    { echo 'cmake_minimum_required(VERSION 3.25)
            project(yours C)
            add_executable(your_program your_program.c)' && block cmake "$2"; } >"$1/CMakeLists.txt"
}
readme found 'find_package(supple'
must configure found/build -S found -D CMAKE_PREFIX_PATH="$PWD/static"
must cmake --build found/build
must found/build/your_program
readme folder 'add_subdirectory(supple'
ln -s "$SUPPLE_SOURCE" folder/supple
must configure folder/build -S folder
cp found/your_program.c .
block sh pkg-config >compile.sh
PKG_CONFIG_PATH=$PWD/static/lib/pkgconfig must bash -e compile.sh
must ./your_program

exit $((failures > 0))
