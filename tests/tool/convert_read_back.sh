# What supple convert writes, read by meshio: OBJ, PLY, STL and VTU with the same points and polygons.
. "$SUPPLE_SOURCE/tests/tool/expect.bash"
python=/usr/bin/python3 # Debian's packages are for this one
$python -c 'import meshio' 2>/dev/null || skip "python3-meshio is missing"

# same FROM.obj FILE...: meshio sees the same
same() { $python "$SUPPLE_SOURCE/scripts/meshio_read_back.py" "$@" >out.txt 2>&1 || { fail "meshio: $*" && cat out.txt; }; }

star=$SUPPLE_SOURCE/scenes/meshes/star.obj
for ending in obj ply stl vtu; do
    expect 0 convert "$star" star.$ending -q
done
same "$star" star.obj star.ply star.stl star.vtu

# triangles alone; a polygon that fills a byte, and one that does not
expect 0 convert star.stl flat.obj -q
for ending in ply stl vtu; do
    expect 0 convert flat.obj flat.$ending -q
done
same flat.obj flat.ply flat.stl flat.vtu
for corners in 255 256; do
    awk -v n=$corners 'BEGIN {
        for (i = 0; i < n; i++) printf "v %.6f %.6f 0\n", cos(6.2831853 * i / n), sin(6.2831853 * i / n)
        printf "f"; for (i = 1; i <= n; i++) printf " %d", i; print "" }' >wheel.obj
    for ending in ply stl vtu; do
        expect 0 convert wheel.obj wheel.$ending -q
    done
    same wheel.obj wheel.ply wheel.stl wheel.vtu
done

# one pose of what moves, and the poses of a series
expect 0 run "$SUPPLE_SOURCE/scenes/hello.json" -n 3 -o run.pc2 -q
expect 0 convert run.pc2 series.pvd -q
for frame in 0 3; do
    expect 0 convert run.pc2 pose.obj --frame $frame -q
    expect 0 convert run.pc2 pose.vtu --frame $frame -q
    same pose.obj pose.vtu series-00000$frame.vtu
done

# another mesh is seen as another one
sed 's/^f 1 2 3 /f 2 1 3 /' wheel.obj >other.obj
$python "$SUPPLE_SOURCE/scripts/meshio_read_back.py" other.obj wheel.vtu >/dev/null 2>&1 && fail "meshio sees no difference"

exit $((failures > 0))
