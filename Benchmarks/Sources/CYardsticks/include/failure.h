#ifndef CYARDSTICKS_FAILURE_H
#define CYARDSTICKS_FAILURE_H

/// Prints a message on standard error and ends the process with status 1.
///
/// This function is necessary because `stderr` is a mutable global variable, which Swift does not let us use.
_Noreturn void yardstick_fail(const char *message);

/// Prints a text on standard error, as it is.
///
/// This function is necessary because `stderr` is a mutable global variable, which Swift does not let us use.
void yardstick_print_error(const char *text);

#endif
