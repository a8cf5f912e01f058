/* Declares the extensions of bodies and faces that Debian 12's OpenXR headers (1.0.20) lack, from
 * the specification and for the mock runtime alone: an error in a header shared with the client
 * would cancel itself out. */
#ifndef MOCK_EXTENSIONS_H
#define MOCK_EXTENSIONS_H

#include <time.h>

#define XR_USE_TIMESPEC 1
#include <openxr/openxr.h>
#include <openxr/openxr_platform.h>

#define MOCK_ERROR_PERMISSION_INSUFFICIENT ((XrResult)-1000710000)

/* XR_FB_body_tracking, revision 1 */
enum {
	MOCK_TYPE_BODY_TRACKER_CREATE_INFO_FB = 1000076001,
	MOCK_TYPE_BODY_JOINTS_LOCATE_INFO_FB = 1000076002,
	MOCK_TYPE_SYSTEM_BODY_TRACKING_PROPERTIES_FB = 1000076004,
	MOCK_TYPE_BODY_JOINT_LOCATIONS_FB = 1000076005,
	MOCK_TYPE_BODY_SKELETON_FB = 1000076006,
	MOCK_JOINT_SET_DEFAULT_FB = 0,
	MOCK_JOINT_COUNT_FB = 70,
};

/* XR_META_body_tracking_full_body */
enum {
	MOCK_TYPE_SYSTEM_PROPERTIES_FULL_BODY_META = 1000274000,
	MOCK_JOINT_SET_FULL_BODY_META = 1000274000,
	MOCK_JOINT_COUNT_META = 84,
};

/* XR_META_body_tracking_calibration, _fidelity */
enum {
	MOCK_TYPE_CALIBRATION_INFO_META = 1000283002,
	MOCK_TYPE_CALIBRATION_STATUS_META = 1000283003,
	MOCK_TYPE_SYSTEM_PROPERTIES_CALIBRATION_META = 1000283004,
	MOCK_TYPE_FIDELITY_STATUS_META = 1000284000,
	MOCK_TYPE_SYSTEM_PROPERTIES_FIDELITY_META = 1000284001,
};

/* XR_HTC_body_tracking */
enum {
	MOCK_TYPE_SYSTEM_BODY_TRACKING_PROPERTIES_HTC = 1000320000,
	MOCK_TYPE_BODY_TRACKER_CREATE_INFO_HTC = 1000320001,
	MOCK_TYPE_BODY_JOINTS_LOCATE_INFO_HTC = 1000320002,
	MOCK_TYPE_BODY_JOINT_LOCATIONS_HTC = 1000320003,
	MOCK_TYPE_BODY_SKELETON_HTC = 1000320004,
	MOCK_JOINT_SET_FULL_HTC = 0,
	MOCK_JOINT_COUNT_HTC = 26,
};

/* XR_BD_body_tracking */
enum {
	MOCK_TYPE_BODY_TRACKER_CREATE_INFO_BD = 1000385001,
	MOCK_TYPE_BODY_JOINTS_LOCATE_INFO_BD = 1000385002,
	MOCK_TYPE_BODY_JOINT_LOCATIONS_BD = 1000385003,
	MOCK_TYPE_SYSTEM_BODY_TRACKING_PROPERTIES_BD = 1000385004,
	MOCK_JOINT_SET_WITHOUT_ARM_BD = 1,
	MOCK_JOINT_SET_FULL_BD = 2,
	MOCK_JOINT_COUNT_WITHOUT_ARM_BD = 16,
	MOCK_JOINT_COUNT_BD = 24,
};

/* XR_EXT_local_floor, XR_EXT_user_presence */
enum {
	MOCK_REFERENCE_SPACE_TYPE_LOCAL_FLOOR_EXT = 1000426000,
	MOCK_TYPE_EVENT_DATA_USER_PRESENCE_CHANGED_EXT = 1000470000,
};

/* XR_MNDX_xdev_space, revision 1, after Monado's header. */
enum {
	MOCK_TYPE_SYSTEM_XDEV_SPACE_PROPERTIES_MNDX = 1000444001,
	MOCK_TYPE_CREATE_XDEV_LIST_INFO_MNDX = 1000444002,
	MOCK_TYPE_GET_XDEV_INFO_MNDX = 1000444003,
	MOCK_TYPE_XDEV_PROPERTIES_MNDX = 1000444004,
	MOCK_TYPE_CREATE_XDEV_SPACE_INFO_MNDX = 1000444005,
	MOCK_XDEV_TEXT = 256,
};

/* XR_EXT_hand_tracking_data_source */
enum {
	MOCK_TYPE_HAND_SOURCE_INFO_EXT = 1000428000,
	MOCK_TYPE_HAND_SOURCE_STATE_EXT = 1000428001,
};

struct mock_hand_source_info {
	int32_t type;
	const void *next;
	uint32_t count;
	const int32_t *sources; /* 1 unobstructed, 2 controller */
};

struct mock_hand_source_state {
	int32_t type;
	void *next;
	XrBool32 is_active;
	int32_t source;
};

/* XR_BD_body_tracking_auxiliary_metrics */
enum { MOCK_TYPE_BODY_TRACKING_STATE_BD = 1000395004 };

struct mock_state_bd {
	int32_t type;
	void *next;
	int32_t status, message;
};

/* XR_FB_face_tracking2, revision 1 */
#define MOCK_FACE_FB_NAME "XR_FB_face_tracking2"

enum {
	MOCK_TYPE_SYSTEM_FACE_TRACKING_PROPERTIES2_FB = 1000287013,
	MOCK_TYPE_FACE_TRACKER_CREATE_INFO2_FB = 1000287014,
	MOCK_TYPE_FACE_EXPRESSION_INFO2_FB = 1000287015,
	MOCK_TYPE_FACE_EXPRESSION_WEIGHTS2_FB = 1000287016,
	MOCK_FACE_COUNT_FB = 70,
};

/* XR_HTC_facial_tracking, revision 3 */
#define MOCK_FACE_HTC_NAME "XR_HTC_facial_tracking"

enum {
	MOCK_TYPE_SYSTEM_FACIAL_TRACKING_PROPERTIES_HTC = 1000104000,
	MOCK_TYPE_FACIAL_TRACKER_CREATE_INFO_HTC = 1000104001,
	MOCK_TYPE_FACIAL_EXPRESSIONS_HTC = 1000104002,
	MOCK_FACE_EYES_HTC = 1,
	MOCK_FACE_LIPS_HTC = 2,
	MOCK_FACE_EYE_COUNT_HTC = 14,
	MOCK_FACE_LIP_COUNT_HTC = 37,
};

/* XR_ANDROID_face_tracking, revision 1 */
#define MOCK_FACE_ANDROID_NAME "XR_ANDROID_face_tracking"

enum {
	MOCK_TYPE_FACE_TRACKER_CREATE_INFO_ANDROID = 1000458000,
	MOCK_TYPE_FACE_STATE_GET_INFO_ANDROID = 1000458001,
	MOCK_TYPE_FACE_STATE_ANDROID = 1000458002,
	MOCK_TYPE_SYSTEM_FACE_TRACKING_PROPERTIES_ANDROID = 1000458003,
	MOCK_FACE_COUNT_ANDROID = 68,
};

struct mock_presence {
	int32_t type;
	const void *next;
	XrSession session;
	XrBool32 is_present;
};

/* XrSystem…Properties… of every one of them has this shape; only those of faces have a second
 * feature. */
struct mock_support {
	int32_t type;
	void *next;
	XrBool32 is_supported, has_second;
};

/* XrBodyTrackerCreateInfo of FB, HTC and BD. */
struct mock_tracker_info {
	int32_t type;
	const void *next;
	int32_t joint_set;
};

/* XrBodyJointsLocateInfo of FB, HTC and BD. */
struct mock_locate_info {
	int32_t type;
	const void *next;
	XrSpace base_space;
	XrTime time;
};

/* XrBodyJointLocation of FB, HTC and BD. */
struct mock_location {
	XrSpaceLocationFlags flags;
	XrPosef pose;
};

struct mock_locations_fb {
	int32_t type;
	void *next;
	XrBool32 is_active;
	float confidence;
	uint32_t joint_count;
	struct mock_location *joints;
	uint32_t skeleton_changed_count;
	XrTime time;
};

struct mock_skeleton_joint_fb {
	int32_t joint, parent_joint;
	XrPosef pose;
};

struct mock_skeleton_fb {
	int32_t type;
	void *next;
	uint32_t joint_count;
	struct mock_skeleton_joint_fb *joints;
};

/* XrBodyTrackingCalibrationStatusMETA and XrBodyTrackingFidelityStatusMETA. */
struct mock_status_meta {
	int32_t type;
	void *next;
	int32_t value;
};

struct mock_calibration_info_meta {
	int32_t type;
	const void *next;
	float body_height;
};

struct mock_locations_htc {
	int32_t type;
	void *next;
	XrSpaceLocationFlags combined_flags;
	int32_t confidence;
	uint32_t joint_count;
	struct mock_location *joints;
	uint32_t skeleton_generation;
};

struct mock_skeleton_htc {
	int32_t type;
	void *next;
	uint32_t joint_count;
	XrPosef *joints;
};

struct mock_locations_bd {
	int32_t type;
	void *next;
	XrBool32 all_tracked;
	uint32_t joint_count;
	struct mock_location *joints;
};

struct mock_xdev_list_info {
	int32_t type;
	const void *next;
};

struct mock_xdev_info {
	int32_t type;
	const void *next;
	uint64_t id;
};

struct mock_xdev_properties {
	int32_t type;
	void *next;
	char name[MOCK_XDEV_TEXT];
	char serial[MOCK_XDEV_TEXT];
	XrBool32 can_create_space;
};

XR_DEFINE_HANDLE(MockXDevList)

struct mock_xdev_space_info {
	int32_t type;
	const void *next;
	MockXDevList list;
	uint64_t id;
	XrPosef offset;
};

struct mock_face_info_fb {
	int32_t type;
	const void *next;
	int32_t expression_set;
	uint32_t source_count;
	const int32_t *sources;
};

/* XrFaceExpressionInfo2FB and XrFaceStateGetInfoANDROID. */
struct mock_face_time {
	int32_t type;
	const void *next;
	XrTime time;
};

struct mock_face_fb {
	int32_t type;
	void *next;
	uint32_t weight_count;
	float *weights;
	uint32_t confidence_count;
	float *confidences;
	XrBool32 is_valid, is_eye_following;
	int32_t data_source;
	XrTime time;
};

struct mock_face_htc {
	int32_t type;
	const void *next;
	XrBool32 is_active;
	XrTime time;
	uint32_t count;
	float *weights;
};

struct mock_face_android {
	int32_t type;
	void *next;
	uint32_t parameter_capacity, parameter_count;
	float *parameters;
	int32_t state;
	XrTime time;
	XrBool32 is_valid;
	uint32_t confidence_capacity, confidence_count;
	float *confidences;
};

XR_DEFINE_HANDLE(MockFaceFB)
XR_DEFINE_HANDLE(MockFaceHTC)
XR_DEFINE_HANDLE(MockFaceANDROID)
XR_DEFINE_HANDLE(MockTrackerFB)
XR_DEFINE_HANDLE(MockTrackerHTC)
XR_DEFINE_HANDLE(MockTrackerBD)

/* Between loader and runtime, interface version 1 (loader_interfaces.h). */
enum { MOCK_LOADER_INFO = 1, MOCK_RUNTIME_REQUEST = 3 };

struct mock_loader_info {
	int32_t type;
	uint32_t version;
	size_t size;
	uint32_t min_interface, max_interface;
	XrVersion min_api, max_api;
};

struct mock_runtime_request {
	int32_t type;
	uint32_t version;
	size_t size;
	uint32_t interface;
	XrVersion api;
	PFN_xrGetInstanceProcAddr get_instance_proc_addr;
};

#endif
