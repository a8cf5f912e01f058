/* Options behind the '?' of a URI: key=value&key&key=value, without escapes. */
#ifndef JC_QUERY_H
#define JC_QUERY_H

#include <stdbool.h>

/* Cuts the options off a text in place, at the last '?'; NULL where it has none. */
char *jc_query_cut(char *text);

/* The next option, cut out of *rest in place, which NULL is fine for; *out_value
 * is NULL without '='. False when there are no more. */
bool jc_query_next(char **rest, const char **out_key, const char **out_value);

#endif
