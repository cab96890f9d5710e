#ifndef OSTIARY_CPROCESS_H
#define OSTIARY_CPROCESS_H

#ifdef __linux__
#include <malloc.h>
#include <sys/prctl.h>
#include <sys/vfs.h>

// Swift cannot import variadic functions.

/// Makes the process's memory readable by the kernel alone: no core dump, no debugger of the same user.
static inline int cprocess_forbid_dumps(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

/// Returns 1 where the process's memory may be dumped.
static inline int cprocess_allows_dumps(void) { return prctl(PR_GET_DUMPABLE, 0, 0, 0, 0); }

// Glibc's module has neither <malloc.h> nor <sys/vfs.h>.

/// Limits the number of arenas of the allocator, as mallopt(3) describes; nothing with another C library than glibc.
static inline void cprocess_limit_arenas(int count) {
#ifdef M_ARENA_MAX
    mallopt(M_ARENA_MAX, count);
#else
    (void)count;
#endif
}

/// Returns the magic number of the file system that a path is on, as statfs(2) lists them; -1 if there is no such path.
static inline long cprocess_file_system(const char *path) {
    struct statfs information;
    return statfs(path, &information) == 0 ? (long)information.f_type : -1;
}
#endif

#endif
