#include "bench.h"
const bench_row* bench_rows_cloth(int32_t* count) { *count = 0; return 0; }
