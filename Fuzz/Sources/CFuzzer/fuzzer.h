#ifndef CFUZZER_H
#define CFUZZER_H

#include <stddef.h>
#include <stdint.h>

typedef int (*fuzz_callback)(const uint8_t *_Nullable data, size_t size);

/// libFuzzer's driver, of the compiler's runtime library; its own `main` would do no more than call it.
int LLVMFuzzerRunDriver(int *_Nonnull argc, char *_Nullable *_Nonnull *_Nonnull argv, fuzz_callback _Nonnull callback);

#endif
