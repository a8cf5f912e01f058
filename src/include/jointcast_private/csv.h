/* Tables of numbers as comma-separated text, syntax only: lines that begin with
 * '#', a line of column names, a line of numbers for each row. No quoting. */
#ifndef JC_PRIVATE_CSV_H
#define JC_PRIVATE_CSV_H

#include <stddef.h>

#include "jointcast/error.h"

#define JC_CSV_NAME_BYTES 64

struct jc_csv {
	size_t column_count;
	char (*names)[JC_CSV_NAME_BYTES]; /* owned; none is empty, none twice */
	size_t row_count;
	double *values; /* owned: row after row; finite, or NaN where a cell is empty */
};

/* Reads a whole file: at least one column and one row, all rows as long as the
 * line of names. On success *out_csv is the caller's. */
int jc_csv_read(
	const char *text, size_t length, struct jc_csv **out_csv, struct jc_diagnostic *diagnostic);
void jc_csv_destroy(struct jc_csv *csv);

#endif
