/* Options after the '?' of a URI: key=value&key&key=value, without escapes. */
#ifndef JC_QUERY_H
#define JC_QUERY_H

#include <stdbool.h>

/* Cuts the options off a text in place, at the last '?'; NULL: the text has none. */
char *jc_query_cut(char *text);

/* Cuts the next option out of *rest in place, which may be NULL. *out_value is NULL if the option
 * has no '='. False: no more options. */
bool jc_query_next(char **rest, const char **out_key, const char **out_value);

#endif
