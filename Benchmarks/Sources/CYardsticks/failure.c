#include "failure.h"

#include <stdio.h>
#include <stdlib.h>

void yardstick_fail(const char *message) {
    fprintf(stderr, "%s\n", message);
    exit(1);
}

void yardstick_print_error(const char *text) {
    fputs(text, stderr);
}
