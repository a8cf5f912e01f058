/* The bytes of a file under construction. An error sticks, so that writers ask
 * once, at the end. */
#ifndef JC_MOTION_FILE_BUFFER_H
#define JC_MOTION_FILE_BUFFER_H

#include <stddef.h>

#include "jointcast/error.h"
#include "jointcast/write.h"

struct jc_file_buffer {
	char *bytes; /* owned */
	size_t length;
	size_t capacity;
	int error; /* enum jc_error of the first failure */
};

void jc_file_buffer_put(struct jc_file_buffer *output, const void *bytes, size_t length);
void jc_file_buffer_text(struct jc_file_buffer *output, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* A number in up to `digits` significant digits with a point in any locale:
 * nine tell every float from its neighbours, seventeen every double. */
void jc_file_buffer_number(struct jc_file_buffer *output, double value, int digits);

/* Likewise without exponent and with so many decimals. */
void jc_file_buffer_fixed(struct jc_file_buffer *output, double value, int decimals);

/* Hands the bytes over, or frees them and says what went wrong. */
int jc_file_buffer_finish(struct jc_file_buffer *output, struct jc_written *out_file,
	struct jc_diagnostic *diagnostic);

#endif
