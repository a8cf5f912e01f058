/* The function that each fuzz target defines: libFuzzer calls it, or support/replay.c in other
 * builds. */
#ifndef JC_FUZZ_TARGET_H
#define JC_FUZZ_TARGET_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

#endif
