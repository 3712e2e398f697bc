/* The public door: bytes -> a sequence of calls, with memory that may run short. */
#include "fuzz/calls.h"
#include "fuzz/input.h"

enum { CALLS_MOST = 100 };

static int32_t pick(void* source, int32_t count) { return fuzz_pick(source, count); }

/* Mostly plenty, now and then little more than there is already. */
static void set_limit(fuzz_memory* memory, int32_t choice) {
    size_t more = (size_t)(choice * choice) << 4;
    memory->limit = choice < 32 ? atomic_load(&memory->bytes) + more : (size_t)16 << 20;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    fuzz_input input = {data, size};
    fuzz_memory memory;
    calls c = {.pick = pick, .source = &input};
    c.allocator = fuzz_memory_begin_refusing(&memory, 0);
    set_limit(&memory, 255 - fuzz_pick(&input, 256));
    bool ready = calls_begin(&c);
    for (int i = 0; ready && i < CALLS_MOST && input.left > 0; i++) {
        set_limit(&memory, 255 - fuzz_pick(&input, 256));
        calls_make(&c);
    }
    set_limit(&memory, 255);
    if (ready) calls_check_saved(&c);
    calls_end(&c);
    fuzz_memory_end(&memory);
    return 0;
}
