#ifndef CYARDSTICKS_USAGE_H
#define CYARDSTICKS_USAGE_H

/// Seconds of a clock that never goes back.
double yardstick_wall_seconds(void);

/// CPU seconds of this process, user and system.
double yardstick_cpu_seconds(void);

/// Largest resident memory of this process so far, in bytes.
long long yardstick_peak_memory(void);

#endif
