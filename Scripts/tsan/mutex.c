// Reports the locking and unlocking of Swift's Mutex to the thread sanitizer. Loaded before the tests by
// Scripts/check-races.sh.
//
// On Linux (Swift 6.3) a contended Mutex is locked and unlocked by the kernel, in `_MutexHandle._lockSlow` and
// `_unlockSlow` of libswiftSynchronization, which is not built with the sanitizer. The sanitizer therefore does not see
// that the waiting thread continues after the unlocking one, and reports a race on every value in a contended Mutex. These
// functions call the originals, and report the acquire and the release. A list of suppressions would be shorter, but would
// hide races on the values in a Mutex.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

// Weak: the programs between here and the tests have no sanitizer in them.
extern void __tsan_acquire(void *address) __attribute__((weak));
extern void __tsan_release(void *address) __attribute__((weak));

typedef SWIFT void (*Lock)(uint32_t thread, SELF void *handle);
typedef SWIFT void (*Unlock)(SELF void *handle);

SWIFT void lock(uint32_t thread, SELF void *handle) __asm__(LOCK);
SWIFT void unlock(SELF void *handle) __asm__(UNLOCK);

static Lock originalLock;
static Unlock originalUnlock;

__attribute__((constructor)) static void findOriginals(void) {
    originalLock = (Lock)dlsym(RTLD_NEXT, LOCK);
    originalUnlock = (Unlock)dlsym(RTLD_NEXT, UNLOCK);
}

SWIFT void lock(uint32_t thread, SELF void *handle) {
    originalLock(thread, handle);
    if (__tsan_acquire) __tsan_acquire(handle);
}

SWIFT void unlock(SELF void *handle) {
    if (__tsan_release) __tsan_release(handle);
    originalUnlock(handle);
}
