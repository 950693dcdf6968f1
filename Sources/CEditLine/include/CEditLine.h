#ifndef CEDITLINE_H
#define CEDITLINE_H

#include <stdbool.h>

// libedit edits the lines of the shell. It is opened when the first line is asked for: a machine without it reads lines as they are.
// Its few functions are declared here, so that no header of it is needed; they have been the same since its version 3.1.

/// Returns what can stand where a line ends so far, words apart by newlines, allocated with `malloc`; NULL where nothing can.
typedef char *_Nullable (*ceditline_completer)(const char *_Nonnull line, int cursor);

/// Opens the library, and reads a history from a file where there is one. False where the library is missing.
bool ceditline_open(const char *_Nonnull prompt, const char *_Nullable history, ceditline_completer _Nonnull completer);

/// Reads a line without its newline, allocated with `malloc`, and takes it into the history. NULL at the end of the input.
/// A line that `ceditline_cancel` has ended is empty.
char *_Nullable ceditline_read(void);

/// Ends the line that is being typed; may be called on any thread.
void ceditline_cancel(void);

/// Writes the history into its file.
void ceditline_close(void);

#endif
