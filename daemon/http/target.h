/* The target of a request: its path, and the options after the '?'. */
#ifndef JC_TARGET_H
#define JC_TARGET_H

#include "http/request.h"

/* The part before the '?'. */
struct jc_text jc_target_path(struct jc_text target);

/* The part after it; empty if the target ends there. */
struct jc_text jc_target_options(struct jc_text target);

/* Undoes the escapes of a part of a path. False: an escape is cut off, a byte is 0, or the result
 * with its NUL does not fit. */
bool jc_target_unescape(struct jc_text text, char *out_text, size_t capacity);

/* Cuts the next option, KEY=VALUE, off the options. False: no more. */
bool jc_target_next(struct jc_text *rest, struct jc_text *out_key, struct jc_text *out_value);

/* As jc_target_unescape, for the value of an option: a '+' is a blank, as pages write it. */
bool jc_target_value(struct jc_text value, char *out_text, size_t capacity);

/* A decimal number of at most six digits. */
bool jc_target_number(struct jc_text value, size_t *out_number);

#endif
