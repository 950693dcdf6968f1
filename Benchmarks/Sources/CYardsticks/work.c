#include "work.h"

#include <sqlite3.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>

static atomic_llong statements;

static int count(unsigned type, void *context, void *statement, void *text) {
    (void)type, (void)context, (void)statement, (void)text;
    atomic_fetch_add_explicit(&statements, 1, memory_order_relaxed);
    return 0;
}

static int watch(sqlite3 *connection, const char **message, const void *routines) {
    (void)message, (void)routines;
    return sqlite3_trace_v2(connection, SQLITE_TRACE_STMT, count, NULL);
}

void yardstick_count_statements(void) {
    sqlite3_auto_extension((void (*)(void))watch);
}

long long yardstick_statements(void) {
    return atomic_load_explicit(&statements, memory_order_relaxed);
}

long long yardstick_written_bytes(void) {
    FILE *file = fopen("/proc/self/io", "r");
    if (file == NULL) return 0;
    long long bytes = 0;
    char line[128];
    while (fgets(line, sizeof line, file) != NULL) {
        if (sscanf(line, "wchar: %lld", &bytes) == 1) break;
    }
    fclose(file);
    return bytes;
}
