#ifndef CYARDSTICKS_LOCAL_WRITE_H
#define CYARDSTICKS_LOCAL_WRITE_H

#include <stdint.h>

/// What the yardstick of local changes took.
typedef struct {
    /// Transactions committed: one for each entity created.
    int64_t transactions;
    double seconds;
    double cpu_seconds;
    int64_t syncs;
    int64_t written_bytes;
} yardstick_writes;

/// Writes what a store's local creates have written (row, local id, queue entry) into a new database with the same tables, one
/// durable transaction for each, as the bare SQLite API does it.
///
/// The rows are ready in memory before the clock runs; entities that were downloaded are there already. The new database is in
/// WAL mode with synchronous FULL. Returns NULL, or a message.
const char *yardstick_local_writes(const char *source_path,
                                   const char *table,
                                   const char *target_path,
                                   yardstick_writes *result);

#endif
