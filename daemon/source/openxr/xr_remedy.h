/* Texts for operators: why there is no loader, runtime or headset, and what to do. */
#ifndef JC_XR_REMEDY_H
#define JC_XR_REMEDY_H

#include "source/openxr/xr_loader.h"
#include "source/source.h"

/* Writes "no OpenXR loader: REASON: REMEDY" after jc_xr_loader_open() has failed. */
void jc_xr_remedy_loader(char out_detail[JC_SOURCE_DETAIL]);

/* Writes "no OpenXR runtime: REASON: REMEDY" after the loader has created no instance, with this
 * result: names the files that were looked for, the faulty file, the library, or the socket of the
 * runtime's service. Reads files and the environment. */
void jc_xr_remedy_runtime(
	const struct jc_xr_loader *loader, XrResult why, char out_detail[JC_SOURCE_DETAIL]);

/* How a headset is connected to the runtime of that name. */
const char *jc_xr_remedy_headset(const char *runtime);

#endif
