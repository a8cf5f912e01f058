/* Results by name, those that no header knows by number. */
#ifndef JC_XR_RESULT_H
#define JC_XR_RESULT_H

#include <stdbool.h>

#include "source/openxr/xr_declarations.h"

/* An XrResult as text; by value, for it may hold a number. */
struct jc_xr_result_name {
	char text[XR_MAX_RESULT_STRING_SIZE];
};

struct jc_xr_result_name jc_xr_result_name(XrResult result);

bool jc_xr_result_is_denial(XrResult result); /* a permission is missing */

#endif
