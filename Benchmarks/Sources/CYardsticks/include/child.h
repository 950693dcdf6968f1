#ifndef CYARDSTICKS_CHILD_H
#define CYARDSTICKS_CHILD_H

/// This program, running once more with other arguments, so that each measured piece of work has a process of its own.
typedef struct {
    int process;
    int input;
    int output;
} yardstick_child;

/// Starts a child; the arguments are separated by newlines. Returns 0, or an error number.
int yardstick_start_child(const char *arguments, yardstick_child *child);

/// Starts another program; its path and arguments are separated by newlines. Returns 0, or an error number.
int yardstick_start_program(const char *arguments, yardstick_child *child);

/// Asks the child to end (SIGTERM).
void yardstick_stop(yardstick_child *child);

/// Reads a line of the child's output without its newline. Returns 0 at the end of the output.
int yardstick_read_line(yardstick_child *child, char *line, int capacity);

/// Closes the child's input, which tells a server to end.
void yardstick_close_input(yardstick_child *child);

/// Waits for the end of the child and returns its exit status, -1 after a signal.
int yardstick_wait(yardstick_child *child);

#endif
