/* Commands go to the runtime that the loader also loads. */
#include "mock_script.h"

#include <dlfcn.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit_test.h"

#define ANSWER_BYTES 32768u

static void (*runtime_command)(const char *command, char *out_answer, size_t size);

bool mock_script_load(void)
{
	void *library = dlopen(MOCK_RUNTIME, RTLD_NOW | RTLD_LOCAL);

	if (!library) {
		fprintf(stderr, "%s\n", dlerror());
		return false;
	}
	*(void **)&runtime_command = dlsym(library, "mock_runtime_command");
	setenv("XR_RUNTIME_JSON", MOCK_MANIFEST, 1);
	return true;
}

static json_t *tell(const char *command)
{
	char answer[ANSWER_BYTES];

	runtime_command(command, answer, sizeof(answer));
	json_t *json = json_loads(answer, 0, NULL);

	assert_non_null(json);
	assert_null(json_object_get(json, "error"));
	return json;
}

void say(const char *command)
{
	json_decref(tell(command));
}

size_t count_faults(const char *beginning)
{
	json_t *report = tell("ask");
	const json_t *faults = json_object_get(report, "faults");
	size_t found = 0;

	for (size_t i = 0; i < json_array_size(faults); i++) {
		const char *fault = json_string_value(json_array_get(faults, i));

		found += strncmp(fault, beginning, strlen(beginning)) == 0;
	}
	json_decref(report);
	return found;
}

XrResult mock_create_instance(uint32_t count, XrInstance *out_instance)
{
	static const char *const extensions[] = { "XR_MND_headless", "XR_FB_body_tracking",
		"XR_META_body_tracking_full_body", "XR_KHR_convert_timespec_time",
		"XR_MNDX_xdev_space", "XR_FB_face_tracking2", "XR_HTC_facial_tracking",
		"XR_ANDROID_face_tracking" };
	const XrInstanceCreateInfo info = {
		.type = XR_TYPE_INSTANCE_CREATE_INFO,
		.applicationInfo = { .applicationName = "test",
			.apiVersion = XR_MAKE_VERSION(1, 0, 20) },
		.enabledExtensionCount = count,
		.enabledExtensionNames = extensions,
	};

	return xrCreateInstance(&info, out_instance);
}
