#ifndef CYARDSTICKS_FIRST_LOAD_H
#define CYARDSTICKS_FIRST_LOAD_H

#include <stdint.h>

/// What the yardstick of the first load took.
typedef struct {
    /// Rows inserted.
    int64_t rows;
    /// Seconds of the inserts and their commits.
    double insert_seconds;
    /// Seconds of building the table's indexes afterwards.
    double index_seconds;
    /// CPU seconds of both.
    double cpu_seconds;
} yardstick_load;

/// Inserts the rows of a table of one database into a new table of the same layout in another, as fast as the bare SQLite API can.
///
/// The rows are read into memory before the clock runs, one transaction's worth at a time. The new database is in WAL mode with
/// synchronous FULL, as a store is. Returns NULL, or a message.
const char *yardstick_first_load(const char *source_path,
                                 const char *table,
                                 const char *target_path,
                                 int rows_per_transaction,
                                 yardstick_load *result);

/// Finds the table with the most rows; writes its name into `name`. Returns NULL, or a message.
const char *yardstick_largest_table(const char *path, char *name, int capacity);

#endif
