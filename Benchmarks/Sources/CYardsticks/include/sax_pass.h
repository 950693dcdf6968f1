#ifndef CYARDSTICKS_SAX_PASS_H
#define CYARDSTICKS_SAX_PASS_H

#include <stddef.h>

/// What libxml2 told in one pass.
typedef struct {
    long long elements;
    long long attributes;
    /// CPU seconds of the pass.
    double cpu_seconds;
} yardstick_sax;

/// Reads a document with libxml2's SAX2 interface and only counts. Returns whether it is well-formed.
int yardstick_sax_pass(const void *bytes, size_t length, yardstick_sax *result);

#endif
