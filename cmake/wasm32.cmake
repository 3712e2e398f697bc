# Toolchain: WebAssembly by clang, lld and wasi-libc.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_C_COMPILER clang)
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
foreach(tool ar ranlib objcopy) # with a version in their names where only that package is there
  string(TOUPPER CMAKE_${tool} variable)
  find_program(${variable} NAMES llvm-${tool} llvm-${tool}-14 REQUIRED)
endforeach()
# A program cannot be linked and run to try the compiler.
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)

# Instructions that every machine has that has vectors, which the kernels need anyway. Optimised as
# a whole, the module is a tenth faster.
set(CMAKE_C_FLAGS_INIT "-mnontrapping-fptoint -msign-ext -mbulk-memory -flto")
