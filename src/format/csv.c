/* Reads tables of numbers. Strict: a cell is a number or empty, and a row with too few or too many
 * cells is an error. */
#include "jointcast_private/csv.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast/limits.h"
#include "jointcast_private/array.h"
#include "scanner.h"

struct reader {
	struct jc_scanner scanner;
	struct jc_csv *csv;
	size_t capacity; /* rows */
	struct jc_diagnostic *diagnostic;
};

static int fail(const struct reader *reader, int error, const char *what, struct jc_span cell)
{
	char where[32];

	snprintf(where, sizeof(where), "line %zu", reader->scanner.line);
	return jc_diagnose(reader->diagnostic, error, where, "%s '%.*s'", what,
		(int)(cell.length < 40 ? cell.length : 40), cell.start);
}

static int fail_memory(const struct reader *reader)
{
	return jc_diagnose(reader->diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
}

/* The next cell of this line; *out_more: whether another one follows. */
static struct jc_span next_cell(struct jc_scanner *scanner, bool *out_more)
{
	struct jc_span cell = jc_scanner_rest_of_line(scanner, ',');

	*out_more = scanner->at < scanner->end && *scanner->at == ',';
	scanner->at += *out_more;
	return cell;
}

static void skip_comments(struct jc_scanner *scanner)
{
	jc_scanner_skip_space(scanner);
	while (scanner->at < scanner->end && *scanner->at == '#') {
		jc_scanner_rest_of_line(scanner, '\n');
		jc_scanner_skip_space(scanner);
	}
}

/* The cell without quotes around it, which R and databases write. */
static struct jc_span without_quotes(struct jc_span cell)
{
	if (cell.length >= 2 && cell.start[0] == '"' && cell.start[cell.length - 1] == '"') {
		cell.start++;
		cell.length -= 2;
	}
	return cell;
}

static int add_name(struct reader *reader, struct jc_span cell)
{
	struct jc_csv *csv = reader->csv;
	char *name = csv->names[csv->column_count];

	if (csv->column_count == JC_LIMIT_CSV_COLUMNS) {
		return jc_diagnose(reader->diagnostic, JC_ERROR_LIMIT, NULL, "more than %u columns",
			JC_LIMIT_CSV_COLUMNS);
	}
	if (cell.length == 0 || cell.length >= JC_CSV_NAME_BYTES) {
		return fail(reader, JC_ERROR_SYNTAX, "no name of a column:", cell);
	}
	memcpy(name, cell.start, cell.length);
	for (size_t i = 0; i < csv->column_count; i++) {
		if (strcmp(csv->names[i], name) == 0) {
			return fail(reader, JC_ERROR_INVALID, "a second column", cell);
		}
	}
	csv->column_count++;
	return JC_OK;
}

static int read_names(struct reader *reader)
{
	bool more = true;

	/* One more than allowed, to detect surplus columns. */
	reader->csv->names = calloc(JC_LIMIT_CSV_COLUMNS + 1, JC_CSV_NAME_BYTES);
	if (!reader->csv->names) {
		return fail_memory(reader);
	}
	skip_comments(&reader->scanner);
	while (more) {
		int error = add_name(reader, without_quotes(next_cell(&reader->scanner, &more)));

		if (error) {
			return error;
		}
	}
	return JC_OK;
}

static int grow(struct reader *reader)
{
	struct jc_csv *csv = reader->csv;
	size_t most = JC_LIMIT_CSV_VALUES / csv->column_count;
	size_t row_bytes = csv->column_count * sizeof(*csv->values);

	if (csv->row_count >= most) {
		return jc_diagnose(reader->diagnostic, JC_ERROR_LIMIT, NULL, "more than %u numbers",
			JC_LIMIT_CSV_VALUES);
	}
	return jc_array_grow(&csv->values, &reader->capacity, csv->row_count + 1, most, row_bytes)
		       ? JC_OK
		       : fail_memory(reader);
}

static int read_row(struct reader *reader)
{
	struct jc_csv *csv = reader->csv;
	bool more = true;
	int error = grow(reader);

	for (size_t i = 0; !error && i < csv->column_count; i++) {
		struct jc_span cell;
		double *value = &csv->values[csv->row_count * csv->column_count + i];

		if (!more) {
			return fail(reader, JC_ERROR_SYNTAX, "the row has no cell in column",
				(struct jc_span){ csv->names[i], strlen(csv->names[i]) });
		}
		cell = next_cell(&reader->scanner, &more);
		*value = NAN;
		if (cell.length > 0 &&
			(jc_span_number(cell, value) != cell.length || !isfinite(*value))) {
			return fail(reader, JC_ERROR_SYNTAX, "no number:", cell);
		}
	}
	if (!error && more) {
		return fail(reader, JC_ERROR_SYNTAX,
			"the row has more cells than columns:", next_cell(&reader->scanner, &more));
	}
	csv->row_count += !error;
	return error;
}

int jc_csv_read(
	const char *text, size_t length, struct jc_csv **out_csv, struct jc_diagnostic *diagnostic)
{
	struct reader reader = { .csv = calloc(1, sizeof(*reader.csv)), .diagnostic = diagnostic };
	int error;

	if (!reader.csv) {
		return fail_memory(&reader);
	}
	jc_scanner_init(&reader.scanner, text, length);
	error = read_names(&reader);
	jc_scanner_skip_space(&reader.scanner);
	if (!error && reader.scanner.at == reader.scanner.end) {
		error = jc_diagnose(diagnostic, JC_ERROR_TRUNCATED, NULL, "the table has no row");
	}
	while (!error && reader.scanner.at < reader.scanner.end) {
		error = read_row(&reader);
		jc_scanner_skip_space(&reader.scanner);
	}
	if (error) {
		jc_csv_destroy(reader.csv);
		return error;
	}
	*out_csv = reader.csv;
	return JC_OK;
}

void jc_csv_destroy(struct jc_csv *csv)
{
	if (csv) {
		free(csv->names);
		free(csv->values);
		free(csv);
	}
}
