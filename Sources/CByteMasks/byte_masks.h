// Swift's vectors have no operation that takes one bit of each of their bytes, which every processor has. Its compiler makes this a
// part of the functions that call it.

#ifndef BYTE_MASKS_H
#define BYTE_MASKS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

// What 64 bytes of JSON hold, one bit for each byte, the lowest for the first.
struct byte_masks {
    uint64_t quotes;
    uint64_t backslashes;
    // Brackets and braces; and `Y`, `_`, `y` and DEL, which well-formed JSON has in strings alone.
    uint64_t brackets;
    uint64_t controls;
    uint64_t beyond_ascii;
};

typedef uint8_t byte_masks_bytes __attribute__((ext_vector_type(64)));
typedef bool byte_masks_bits __attribute__((ext_vector_type(64)));

#define BYTE_MASKS_GATHER(where, into)                                              \
    do {                                                                            \
        byte_masks_bits bits = __builtin_convertvector((where), byte_masks_bits);   \
        memcpy((into), &bits, sizeof bits);                                         \
    } while (0)

static inline __attribute__((always_inline)) struct byte_masks byte_masks_of(const uint8_t *from)
{
    byte_masks_bytes bytes;
    struct byte_masks masks;
    memcpy(&bytes, from, sizeof bytes);
    BYTE_MASKS_GATHER(bytes == '"', &masks.quotes);
    BYTE_MASKS_GATHER(bytes == '\\', &masks.backslashes);
    // `[`, `]`, `{` and `}` differ in these bits alone.
    BYTE_MASKS_GATHER((bytes | 0x26) == 0x7F, &masks.brackets);
    BYTE_MASKS_GATHER(bytes < 0x20, &masks.controls);
    BYTE_MASKS_GATHER(bytes >= 0x80, &masks.beyond_ascii);
    return masks;
}

#undef BYTE_MASKS_GATHER

#endif
