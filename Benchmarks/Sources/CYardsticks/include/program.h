#ifndef CYARDSTICKS_PROGRAM_H
#define CYARDSTICKS_PROGRAM_H

/// What one run of another program took.
typedef struct {
    double seconds;
    double cpu_seconds;
    int status;
} yardstick_program;

/// Runs a program to its end, its output thrown away; path and arguments are separated by newlines.
///
/// Returns 0, or an error number where it could not be started.
int yardstick_run_program(const char *arguments, yardstick_program *result);

#endif
