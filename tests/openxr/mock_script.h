/* The mock runtime in this process, behind the real loader, and its script. */
#ifndef MOCK_SCRIPT_H
#define MOCK_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>

#include "mock_runtime/extensions.h"

/* Loads the runtime and makes it the one of the loader. False, with a line on stderr, if it is not
 * there. */
bool mock_script_load(void);

/* Executes a command of the script, which must not fail. */
void say(const char *command);

/* Faults so far that begin like this; all of them for "". */
size_t count_faults(const char *beginning);

/* An instance with that number of the first extensions of: headless, FB body, META full body, clock
 * conversion, devices, faces of FB, HTC and Android. */
XrResult mock_create_instance(uint32_t count, XrInstance *out_instance);

/* Calls a function of an extension. */
#define CALL(client, name, type, ...)                                                              \
	({                                                                                         \
		PFN_xrVoidFunction function_ = NULL;                                               \
		assert_int_equal(                                                                  \
			xrGetInstanceProcAddr((client)->instance, name, &function_), XR_SUCCESS);  \
		((type)function_)(__VA_ARGS__);                                                    \
	})

#endif
