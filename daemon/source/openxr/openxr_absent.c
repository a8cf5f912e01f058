/* The OpenXR source of a build without the OpenXR headers: creating it fails. */
#include "source/openxr/openxr_source.h"

int jc_openxr_source_create(const struct jc_openxr_source_options *options,
	struct jc_source **out_source, struct jc_diagnostic *diagnostic)
{
	(void)options;
	(void)out_source;
	return jc_diagnose(diagnostic, JC_ERROR_UNSUPPORTED, NULL, "built without OpenXR");
}
