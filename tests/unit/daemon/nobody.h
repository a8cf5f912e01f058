/* A distribution half for spaces that nobody watches. */
#ifndef JC_TEST_NOBODY_H
#define JC_TEST_NOBODY_H

#include "space/distribution.h"

extern const struct jc_distribution_ops nobody;

#endif
