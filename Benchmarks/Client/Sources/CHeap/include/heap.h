#ifndef BENCH_HEAP_H
#define BENCH_HEAP_H

#include <stddef.h>

/// Returns the bytes of the heap that are in use.
size_t heap_bytes_in_use(void);

#endif
