// Valgrind aborts a program whose first thread ends before the others, as that of every Swift program with an
// asynchronous `main` does. Preloaded, this lets the first thread wait instead.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

void pthread_exit(void *value) {
    if (syscall(SYS_gettid) == getpid()) {
        for (;;) pause();
    }
    void (*next)(void *) = (void (*)(void *))dlsym(RTLD_NEXT, "pthread_exit");
    next(value);
    __builtin_unreachable();
}
