# Checks that are not about one function: sources, symbols, documents, files, pictures and golden
# hashes.

# add_gate(NAME COMMAND...)
function(add_gate name)
  add_test(NAME ${name} COMMAND ${ARGN} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(${name} PROPERTIES
    ENVIRONMENT CC=${CMAKE_C_COMPILER} SKIP_RETURN_CODE 77 TIMEOUT ${timeout})
endfunction()

add_gate(gate.format scripts/format.sh --check)
add_gate(gate.rooms scripts/rooms.sh)
add_gate(gate.symbols scripts/symbols.sh $<TARGET_FILE:supple_static>)
add_gate(gate.snippets scripts/snippets.sh $<TARGET_FILE:supple_tool> $<TARGET_FILE:supple_static>)
add_gate(gate.glb node scripts/validate_glb.mjs ${output})
set_tests_properties(gate.glb PROPERTIES DEPENDS "${tests}")
add_gate(gate.gallery.page scripts/gallery.sh page $<TARGET_FILE:supple_tool>)
add_gate(gate.gallery.charts scripts/gallery.sh charts $<TARGET_FILE:supple_tool>)
file(STRINGS ${PROJECT_SOURCE_DIR}/scripts/gallery.txt pictures REGEX "^[^#]")
foreach(line ${pictures})
  string(REGEX REPLACE " .*" "" scene ${line})
  add_gate(gate.gallery.${scene} scripts/gallery.sh check $<TARGET_FILE:supple_tool> ${scene})
  set_tests_properties(gate.gallery.${scene} PROPERTIES LABELS pictures)
endforeach()

# Pictures of the manual of deformers: by day those that show most at least cost.
set(drawn cube plate)
if(SUPPLE_LONG_TESTS)
  list(APPEND drawn rings transverse passes pins volumes face)
endif()
foreach(name ${drawn})
  add_gate(gate.deform.${name} scripts/deform_pictures.sh check $<TARGET_FILE:supple_tool> ${name})
  set_tests_properties(gate.deform.${name} PROPERTIES LABELS pictures)
endforeach()

# add_golden(PRESET SIMDS THREADS [LAST_FRAME]): the tool that another preset has built
function(add_golden preset simds threads)
  add_gate("golden.${preset}.${simds}.${threads}"
    scripts/golden.sh check build/${preset}/tool/supple ${simds} ${threads} ${ARGN})
endfunction()

# dev is gcc -O2, release gcc -O3, clang is clang -O3, scalar clang -O2. By day every build goes to
# the end with one copy of the kernels and one number of threads, each of which occurs, and dev to
# frame 10 with the others, where all bodies have been built and have moved. The long tests
# go to the end with every copy of every build, and every copy with every number of threads: all
# are held against the same hashes, so more would compare the same again. Unoptimised code is slow,
# and goes to frame 60.
if(SUPPLE_LONG_TESTS)
  add_golden(dev scalar 1)
  add_golden(dev sse2 2)
  add_golden(dev avx2 1,2,3,8)
  add_golden(release scalar 2)
  add_golden(release sse2 3)
  add_golden(release avx2 8)
  add_golden(clang-o2 scalar 3)
  add_golden(clang-o2 sse2 8)
  add_golden(clang-o2 avx2 1)
  add_golden(clang scalar 8)
  add_golden(clang sse2 1)
  add_golden(clang avx2 2)
  foreach(preset gcc-o0 clang-o0)
    add_golden(${preset} scalar 1 60)
    add_golden(${preset} sse2 8 60)
    add_golden(${preset} avx2 1 60)
  endforeach()
else()
  add_golden(dev scalar 1 10)
  add_golden(dev sse2 3 10)
  add_golden(dev avx2 8)
  add_golden(release sse2 3)
  add_golden(clang avx2 1)
  set(wasm_last_frame 10)
endif()
add_golden(scalar scalar 2)

# WebAssembly: the package that the preset wasm has built.
set(package build/wasm/package)
add_gate(golden.wasm node scripts/golden_wasm.mjs ${package} ${wasm_last_frame})
add_gate(web.loader node tests/web/loader.mjs ${package})
add_gate(web.browser node tests/web/browser.mjs ${package})
add_gate(web.package node tests/web/package.mjs ${package})

# The longest first, so that no processor waits for them at the end.
set_tests_properties(install.install PROPERTIES COST 100)
set_tests_properties(golden.wasm gate.gallery.squids gate.gallery.dressed PROPERTIES COST 50)
get_property(all DIRECTORY PROPERTY TESTS)
foreach(name ${all})
  if(name MATCHES "^(golden\\..*\\.|gate\\.gallery\\.)" AND NOT name MATCHES "squids|dressed")
    set_tests_properties(${name} PROPERTIES COST 20)
  endif()
endforeach()
