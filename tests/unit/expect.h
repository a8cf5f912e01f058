/* Comparisons that several tests make: findings of lint, vectors, rotations. */
#ifndef JC_EXPECT_H
#define JC_EXPECT_H

#include <string.h>

#include "jointcast/lint.h"
#include "jointcast/transform.h"
#include "unit_test.h"

/* The text of the first finding with the code; NULL: there is none. */
static inline const char *find_finding(const struct jc_lint *lint, const char *code)
{
	for (size_t i = 0; i < lint->count; i++) {
		if (strcmp(lint->entries[i].code, code) == 0) {
			return lint->entries[i].text;
		}
	}
	return NULL;
}

static inline void assert_quat(struct jc_quat actual, struct jc_quat expected)
{
	assert_true(jc_quat_angle(actual, expected) < 1e-5f);
}

static inline void assert_vec3(struct jc_vec3 actual, struct jc_vec3 expected)
{
	assert_true(jc_vec3_length(jc_vec3_subtract(actual, expected)) < 1e-5f);
}

#endif
