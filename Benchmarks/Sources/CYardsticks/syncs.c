#define _GNU_SOURCE

#include "syncs.h"

#include <stdatomic.h>

static atomic_llong syncs;

long long yardstick_syncs(void) { return atomic_load(&syncs); }

#ifdef __linux__
#include <sys/syscall.h>
#include <unistd.h>

// The program's own functions come before the C library's, so these are what SQLite calls.
int fsync(int file) {
    atomic_fetch_add(&syncs, 1);
    return (int)syscall(SYS_fsync, file);
}

int fdatasync(int file) {
    atomic_fetch_add(&syncs, 1);
    return (int)syscall(SYS_fdatasync, file);
}
#endif
