/* Structures in the chains of a client: which ones it has sent, and which ones the script
 * refuses. */
#include <stdio.h>
#include <string.h>

#include "mock.h"

/* By bit of mock.chained and index of mock.refusals. */
static const struct {
	const char *name;
	int type;
} links[] = {
	{ "hand_properties", XR_TYPE_SYSTEM_HAND_TRACKING_PROPERTIES_EXT },
	{ "fb_properties", MOCK_TYPE_SYSTEM_BODY_TRACKING_PROPERTIES_FB },
	{ "full_body_properties", MOCK_TYPE_SYSTEM_PROPERTIES_FULL_BODY_META },
	{ "calibration_properties", MOCK_TYPE_SYSTEM_PROPERTIES_CALIBRATION_META },
	{ "fidelity_properties", MOCK_TYPE_SYSTEM_PROPERTIES_FIDELITY_META },
	{ "bd_properties", MOCK_TYPE_SYSTEM_BODY_TRACKING_PROPERTIES_BD },
	{ "htc_properties", MOCK_TYPE_SYSTEM_BODY_TRACKING_PROPERTIES_HTC },
	{ "xdev_properties", MOCK_TYPE_SYSTEM_XDEV_SPACE_PROPERTIES_MNDX },
	{ "fb_face_properties", MOCK_TYPE_SYSTEM_FACE_TRACKING_PROPERTIES2_FB },
	{ "htc_face_properties", MOCK_TYPE_SYSTEM_FACIAL_TRACKING_PROPERTIES_HTC },
	{ "android_face_properties", MOCK_TYPE_SYSTEM_FACE_TRACKING_PROPERTIES_ANDROID },
	{ "gaze_properties", XR_TYPE_SYSTEM_EYE_GAZE_INTERACTION_PROPERTIES_EXT },
	{ "gaze_sample_time", XR_TYPE_EYE_GAZE_SAMPLE_TIME_EXT },
	{ "calibration_status", MOCK_TYPE_CALIBRATION_STATUS_META },
	{ "fidelity_status", MOCK_TYPE_FIDELITY_STATUS_META },
	{ "hand_source_info", MOCK_TYPE_HAND_SOURCE_INFO_EXT },
	{ "hand_source_state", MOCK_TYPE_HAND_SOURCE_STATE_EXT },
	{ "hand_velocities", XR_TYPE_HAND_JOINT_VELOCITIES_EXT },
};

#define LINKS (sizeof(links) / sizeof(*links))
_Static_assert(LINKS <= MOCK_LINKS, "every structure has a bit and a refusal");

const char *mock_link_name(size_t link)
{
	return link < LINKS ? links[link].name : NULL;
}

bool mock_refuse(const char *name, XrResult result)
{
	for (size_t i = 0; i < LINKS; i++) {
		if (strcmp(links[i].name, name) == 0) {
			mock.refusals[i] = result;
			return true;
		}
	}
	return false;
}

/* The debug messenger that the loader of Debian 12 adds is none of the client's. */
void mock_note_link(const char *function, int type)
{
	for (size_t i = 0; i < LINKS; i++) {
		if (links[i].type == type) {
			mock.chained |= UINT32_C(1) << i;
			return;
		}
	}
	if (type != XR_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT) {
		mock_blame(function, "type %d in a chain cannot be refused (chain.c)", type);
	}
}

XrResult mock_check_chain(const void *structure)
{
	for (size_t i = 0; i < LINKS; i++) {
		if (mock.refusals[i] != XR_SUCCESS && mock_chained(structure, links[i].type)) {
			mock.refused_calls++;
			return mock.refusals[i];
		}
	}
	return XR_SUCCESS;
}
