#ifndef CYARDSTICKS_READS_H
#define CYARDSTICKS_READS_H

#include <stdint.h>

/// What a query by the bare SQLite API took.
typedef struct {
    int64_t rows;
    /// Folded from every value, so that none is left unread.
    uint64_t checksum;
    double seconds;
    double cpu_seconds;
} yardstick_reads;

/// Runs a query so many times, prepared once, every value read out; a parameter gets the numbers from `first` on in steps.
///
/// Each run is a transaction of its own, as a statement outside of one is. Returns NULL, or a message.
const char *yardstick_read(const char *path,
                           const char *sql,
                           int repeats,
                           int64_t first,
                           int64_t step,
                           yardstick_reads *result);

/// The same with the query prepared anew for each run.
const char *yardstick_read_prepared_anew(const char *path,
                                         const char *sql,
                                         int repeats,
                                         int64_t first,
                                         int64_t step,
                                         yardstick_reads *result);

/// Runs a query and those of two levels below it, prepared once, every value read out, all in one transaction.
///
/// The first column of each row is its id; a lower level gets the ids of the level above as a JSON array.
/// Returns NULL, or a message.
const char *yardstick_expand(const char *path,
                             const char *sql,
                             const char *below,
                             const char *bottom,
                             int repeats,
                             yardstick_reads *result);

/// Compiles a query so many times. Returns NULL, or a message.
const char *yardstick_prepare(const char *path, const char *sql, int repeats, yardstick_reads *result);

#endif
