#ifndef CTHREADSANITIZER_SHIM_H
#define CTHREADSANITIZER_SHIM_H

// The thread sanitizer knows the locks of pthreads. Swift's `Mutex` on Linux is a futex, in a library that is not
// instrumented: without a word from us it takes everything behind such a lock for unprotected. In other builds these
// functions of the sanitizer's runtime are missing, and nothing happens.

#ifdef __linux__
extern void __tsan_acquire(void *_Nonnull) __attribute__((weak));
extern void __tsan_release(void *_Nonnull) __attribute__((weak));
#endif

/// The calling thread has taken the lock around what stands at this address.
static inline void cthreadsanitizer_locked(void *_Nonnull address) {
#ifdef __linux__
    if (__tsan_acquire) __tsan_acquire(address);
#else
    (void)address;
#endif
}

/// The calling thread is about to give that lock back.
static inline void cthreadsanitizer_unlocking(void *_Nonnull address) {
#ifdef __linux__
    if (__tsan_release) __tsan_release(address);
#else
    (void)address;
#endif
}

#endif
