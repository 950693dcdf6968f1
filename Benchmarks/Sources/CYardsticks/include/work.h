#ifndef CYARDSTICKS_WORK_H
#define CYARDSTICKS_WORK_H

/// Counts every statement that this process runs on SQLite connections opened from now on.
void yardstick_count_statements(void);

/// Statements counted so far.
long long yardstick_statements(void);

/// Bytes that this process has written so far, to files and elsewhere; 0 where the system does not tell.
long long yardstick_written_bytes(void);

#endif
