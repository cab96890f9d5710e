#ifndef OSTIARY_CPROCESS_H
#define OSTIARY_CPROCESS_H

#ifdef __linux__
#include <sys/prctl.h>

// Swift cannot import variadic functions.

/// Makes the process's memory readable by the kernel alone: no core dump, no debugger of the same user.
static inline int cprocess_forbid_dumps(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

/// Returns 1 where the process's memory may be dumped.
static inline int cprocess_allows_dumps(void) { return prctl(PR_GET_DUMPABLE, 0, 0, 0, 0); }
#endif

#endif
