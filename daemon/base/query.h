/* Options after the '?' of a URI: key=value&key&key=value. Values are literal, unless
 * jc_query_unescape decodes them. */
#ifndef JC_QUERY_H
#define JC_QUERY_H

#include <stdbool.h>

/* Cuts the options off a text in place, at the last '?'; NULL: the text has none. */
char *jc_query_cut(char *text);

/* Cuts the next option out of *rest in place, which may be NULL. *out_value is NULL if the option
 * has no '='. False: no more options. */
bool jc_query_next(char **rest, const char **out_key, char **out_value);

/* Decodes the escapes of a text in place (RFC 3986, 2.1). False: a '%' without two hexadecimal
 * digits, or an escape of a control character; the text is then undefined. */
bool jc_query_unescape(char *text);

#endif
