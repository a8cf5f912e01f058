/* Recorded motions of the data folder, for tests that want real ones. */
#ifndef TEST_RECORDED_H
#define TEST_RECORDED_H

#include <stddef.h>

#include "jointcast/motion.h"

extern const char *const recorded_names[]; /* BVH files of humanoids */
extern const size_t recorded_count;

/* The caller's to destroy; NULL where the folder or the file is not there. What is
 * there and cannot be read fails the test. */
struct jc_motion *recorded_read(const char *name);

#endif
