/* Numbers of the command line, strictly: all of the text or nothing. */
#ifndef JC_CLI_NUMBER_TEXT_H
#define JC_CLI_NUMBER_TEXT_H

#include <stdbool.h>
#include <stddef.h>

bool jc_number_parse(const char *text, double *out_value); /* finite */
bool jc_number_parse_count(const char *text, size_t maximum, size_t *out_count);

/* Comma-separated finite numbers, at least one. *out_values is the caller's to
 * free. */
bool jc_number_parse_list(const char *text, double **out_values, size_t *out_count);

#endif
