#define _GNU_SOURCE

#include "syncs.h"

#include <stdatomic.h>
#include <stdio.h>

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

long long yardstick_written_bytes(void) {
    FILE *file = fopen("/proc/self/io", "r");
    if (file == NULL) return 0;
    char line[128];
    long long bytes = 0;
    while (fgets(line, sizeof line, file) != NULL) {
        if (sscanf(line, "wchar: %lld", &bytes) == 1) break;
    }
    fclose(file);
    return bytes;
}
#else
long long yardstick_written_bytes(void) { return 0; }
#endif
