/* Names from the headers' own list. */
#include "source/openxr/xr_result.h"

#include <openxr/openxr_reflection.h>
#include <stddef.h>
#include <stdio.h>

#define RESULT(name, value) { #name, value },

static const struct {
	const char *name;
	int value;
} results[] = {
	XR_LIST_ENUM_XrResult(RESULT)
	/* of OpenXR 1.1 */
	{ "XR_ERROR_PERMISSION_INSUFFICIENT", JC_XR_ERROR_PERMISSION_INSUFFICIENT },
};

struct jc_xr_result_name jc_xr_result_name(XrResult result)
{
	struct jc_xr_result_name name;

	for (size_t i = 0; i < sizeof(results) / sizeof(results[0]); i++) {
		if (results[i].value == (int)result) {
			snprintf(name.text, sizeof(name.text), "%s", results[i].name);
			return name;
		}
	}
	snprintf(name.text, sizeof(name.text), "XrResult %d", (int)result);
	return name;
}

bool jc_xr_result_is_denial(XrResult result)
{
	return result == JC_XR_ERROR_PERMISSION_INSUFFICIENT;
}
