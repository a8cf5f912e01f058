/* What `error` may say, for programs (PROTOCOL.md, section 2, and error.schema.json have
 * the same). */
#ifndef JC_ERROR_CODES_H
#define JC_ERROR_CODES_H

#include <stdbool.h>

bool jc_error_code_is_known(const char *code);

#endif
