#ifndef CYARDSTICKS_SYNCS_H
#define CYARDSTICKS_SYNCS_H

/// How often this process has waited for its writes to reach the disk (`fsync` and `fdatasync`); 0 where calls cannot be counted.
long long yardstick_syncs(void);

#endif
