#include "usage.h"

#include <stdio.h>
#include <sys/resource.h>
#include <time.h>

double yardstick_wall_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

double yardstick_cpu_seconds(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
        + (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

long long yardstick_peak_memory(void) {
#ifdef __APPLE__
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
#else
    // Not `ru_maxrss`: a process begins with its parent's there.
    long long kibibytes = 0;
    FILE *status = fopen("/proc/self/status", "r");
    if (status == NULL) return 0;
    char line[256];
    while (fgets(line, sizeof line, status) != NULL) {
        if (sscanf(line, "VmHWM: %lld", &kibibytes) == 1) break;
    }
    fclose(status);
    return kibibytes * 1024;
#endif
}
