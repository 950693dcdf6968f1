#ifndef CYARDSTICKS_SYNCS_H
#define CYARDSTICKS_SYNCS_H

/// How often this process has waited for its writes to reach the disk (`fsync` and `fdatasync`); 0 where calls cannot be counted.
long long yardstick_syncs(void);

/// How many bytes this process has given to the system to write; 0 where the system does not tell.
long long yardstick_written_bytes(void);

#endif
