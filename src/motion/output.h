/* The bytes of a file under construction. An error sticks, so that writers ask
 * once, at the end. */
#ifndef JC_MOTION_OUTPUT_H
#define JC_MOTION_OUTPUT_H

#include <stddef.h>

#include "jointcast/error.h"
#include "jointcast/write.h"

struct jc_output {
	char *bytes; /* owned */
	size_t length;
	size_t capacity;
	int error; /* enum jc_error of the first failure */
};

void jc_output_put(struct jc_output *output, const void *bytes, size_t length);
void jc_output_text(struct jc_output *output, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* A number in up to `digits` significant digits with a point in any locale:
 * nine tell every float from its neighbours, seventeen every double. */
void jc_output_number(struct jc_output *output, double value, int digits);

/* Likewise without exponent and with so many decimals. */
void jc_output_fixed(struct jc_output *output, double value, int decimals);

/* Hands the bytes over, or frees them and says what went wrong. */
int jc_output_finish(
	struct jc_output *output, struct jc_written *out_file, struct jc_diagnostic *diagnostic);

#endif
