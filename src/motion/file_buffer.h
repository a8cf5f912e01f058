/* The bytes of a file under construction. It keeps its first error, so that writers check
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

/* Writes a number with up to `digits` significant digits and a decimal point in any
 * locale. Nine digits distinguish all floats, seventeen all doubles. */
void jc_file_buffer_number(struct jc_file_buffer *output, double value, int digits);

/* Writes a number without exponent and with this many decimals. */
void jc_file_buffer_fixed(struct jc_file_buffer *output, double value, int decimals);

/* Passes the bytes to out_file; on an error frees them and fills diagnostic. */
int jc_file_buffer_finish(struct jc_file_buffer *output, struct jc_written *out_file,
	struct jc_diagnostic *diagnostic);

#endif
