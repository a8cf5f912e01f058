/* Loads OpenXR functions, and calls them with less if a runtime refuses a structure. Copies
 * function pointers as bytes, because a cast to another function type is undefined. */
#include "source/openxr/xr_loader.h"

#include <dlfcn.h>
#include <openxr/openxr_reflection.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static XrResult find(const struct jc_xr_loader *loader, XrInstance instance, const char *name,
	void *out_function, size_t size)
{
	PFN_xrVoidFunction function = NULL;
	XrResult result = loader->get(instance, name, &function);

	if (XR_SUCCEEDED(result) && !function) {
		result = XR_ERROR_FUNCTION_UNSUPPORTED;
	}
	if (XR_SUCCEEDED(result)) {
		memcpy(out_function, &function, size);
	}
	return result;
}

bool jc_xr_loader_open(struct jc_xr_loader *loader)
{
	struct jc_xr_loader found = { 0 };

	if (loader->get) {
		return true;
	}
	void *library = dlopen(JC_XR_LOADER_FILE, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);

	if (!library) {
		return false;
	}
	void *symbol = dlsym(library, "xrGetInstanceProcAddr");

	if (!symbol) {
		return false;
	}
	memcpy(&found.get, &symbol, sizeof(found.get));
	if (find(&found, XR_NULL_HANDLE, "xrEnumerateInstanceExtensionProperties",
		    &found.enumerate_extensions, sizeof(found.enumerate_extensions)) < 0 ||
		find(&found, XR_NULL_HANDLE, "xrCreateInstance", &found.create_instance,
			sizeof(found.create_instance)) < 0) {
		return false;
	}
	*loader = found;
	return true;
}

XrResult jc_xr_loader_functions(const struct jc_xr_loader *loader, XrInstance instance,
	struct jc_xr_functions *out_functions)
{
	struct jc_xr_functions functions = { 0 };
	XrResult result = XR_SUCCESS;

#define FIND(name)                                                                                 \
	if (XR_SUCCEEDED(result)) {                                                                \
		result = find(                                                                     \
			loader, instance, "xr" #name, &functions.name, sizeof(functions.name));    \
	}
	JC_XR_CORE_FUNCTIONS(FIND)
#undef FIND
#define FIND(name) find(loader, instance, "xr" #name, &functions.name, sizeof(functions.name));
	JC_XR_EXTENSION_FUNCTIONS(FIND)
#undef FIND
	*out_functions = functions;
	return result;
}

/* Names from the headers' own list. */
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

bool jc_xr_result_is_refusal(XrResult result)
{
	return result == XR_ERROR_FEATURE_UNSUPPORTED || result == XR_ERROR_VALIDATION_FAILURE;
}

/* The call has failed with all wanted structures. A call must succeed after each failure that
 * counts as a refusal: a runtime that ends meanwhile refuses nothing. */
static XrResult call_with_less(
	struct jc_xr_chain *chain, uint32_t wanted, jc_xr_chained_call call, void *context)
{
	struct jc_xr_chain found = *chain;
	uint32_t accepted = 0;
	XrResult result = call(context, 0);

	if (XR_FAILED(result)) {
		return result;
	}
	for (unsigned i = 0; i < chain->count; i++) {
		uint32_t structure = wanted & UINT32_C(1) << i;

		if (!structure) {
			continue;
		}
		result = call(context, accepted | structure);
		if (XR_SUCCEEDED(result)) {
			accepted |= structure;
		} else {
			found.refused |= structure;
			found.why = result;
		}
	}
	if (XR_FAILED(result)) {
		result = call(context, accepted);
	}
	if (XR_SUCCEEDED(result)) {
		*chain = found;
	}
	return result;
}

XrResult jc_xr_chain_call(
	struct jc_xr_chain *chain, uint32_t wanted, jc_xr_chained_call call, void *context)
{
	wanted &= ~chain->refused;
	XrResult result = call(context, wanted);

	return XR_FAILED(result) && wanted ? call_with_less(chain, wanted, call, context) : result;
}
