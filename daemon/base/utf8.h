/* UTF-8. */
#ifndef JC_UTF8_H
#define JC_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether text is well-formed (RFC 3629: no surrogates, no overlong forms, up to U+10FFFF). */
bool jc_utf8_is_valid(const uint8_t *bytes, size_t length);

#endif
