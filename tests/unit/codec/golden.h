/* Reads the golden vectors of proto/golden for the tests of coding. */
#ifndef JC_TEST_GOLDEN_H
#define JC_TEST_GOLDEN_H

#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "jointcast/transform.h"

/* Checks each vector of the list in proto/golden/NAME, which has more than `least`. */
void golden_for_each(const char *name, size_t least, void (*check)(const json_t *vector));

/* Fails the test where the object has no such text. */
const char *golden_text(const json_t *object, const char *key);

struct golden_bytes {
	uint8_t *at; /* owned; exactly the length, so that sanitizers see past it */
	size_t length;
};

/* Bytes that are written as hex under that key. */
struct golden_bytes golden_hex(const json_t *object, const char *key);

/* Zeros where the array is NULL. */
float golden_number(const json_t *array, size_t index);
struct jc_vec3 golden_vec3(const json_t *array);
struct jc_quat golden_quat(const json_t *array);

/* To the last bit. */
void golden_assert_vec3(struct jc_vec3 a, struct jc_vec3 b);
void golden_assert_quat(struct jc_quat a, struct jc_quat b);

/* Bytes that were written, or the error, against the vector's "hex". */
void golden_assert_written(const uint8_t *bytes, int length, const json_t *vector);

/* A status against the vector's "error". */
void golden_assert_refused(int status, const json_t *vector);

#endif
