/* Declarations of OpenXR: Debian 12's headers (1.0.20) and what they lack. Each extension has
 * its own guard, so that newer headers take precedence. Values are those of the OpenXR registry. */
#ifndef JC_XR_DECLARATIONS_H
#define JC_XR_DECLARATIONS_H

#include <time.h>

#define XR_USE_TIMESPEC
#define XR_NO_PROTOTYPES
#include <openxr/openxr.h>
#include <openxr/openxr_platform.h>

/* A structure type or enumerant of an extension. */
#define JC_XR_TYPE(number) ((XrStructureType)(number))

/* OpenXR 1.1; runtimes may return it for any requested version. */
#define JC_XR_ERROR_PERMISSION_INSUFFICIENT ((XrResult)-1000710000)

#ifndef XR_FB_body_tracking
#define XR_FB_body_tracking                        1
#define XR_FB_BODY_TRACKING_EXTENSION_NAME         "XR_FB_body_tracking"
#define XR_TYPE_BODY_TRACKER_CREATE_INFO_FB        JC_XR_TYPE(1000076001)
#define XR_TYPE_BODY_JOINTS_LOCATE_INFO_FB         JC_XR_TYPE(1000076002)
#define XR_TYPE_SYSTEM_BODY_TRACKING_PROPERTIES_FB JC_XR_TYPE(1000076004)
#define XR_TYPE_BODY_JOINT_LOCATIONS_FB            JC_XR_TYPE(1000076005)
#define XR_TYPE_BODY_SKELETON_FB                   JC_XR_TYPE(1000076006)

XR_DEFINE_HANDLE(XrBodyTrackerFB)

enum {
	XR_BODY_JOINT_ROOT_FB = 0,
	XR_BODY_JOINT_COUNT_FB = 70,
	XR_BODY_JOINT_NONE_FB = -1,
};

typedef enum XrBodyJointSetFB {
	XR_BODY_JOINT_SET_DEFAULT_FB = 0,
	XR_BODY_JOINT_SET_MAX_ENUM_FB = 0x7FFFFFFF
} XrBodyJointSetFB;

typedef struct XrSystemBodyTrackingPropertiesFB {
	XrStructureType type;
	void *next;
	XrBool32 supportsBodyTracking;
} XrSystemBodyTrackingPropertiesFB;

typedef struct XrBodyTrackerCreateInfoFB {
	XrStructureType type;
	const void *next;
	XrBodyJointSetFB bodyJointSet;
} XrBodyTrackerCreateInfoFB;

typedef struct XrBodyJointsLocateInfoFB {
	XrStructureType type;
	const void *next;
	XrSpace baseSpace;
	XrTime time;
} XrBodyJointsLocateInfoFB;

typedef struct XrBodyJointLocationFB {
	XrSpaceLocationFlags locationFlags;
	XrPosef pose;
} XrBodyJointLocationFB;

typedef struct XrBodyJointLocationsFB {
	XrStructureType type;
	void *next;
	XrBool32 isActive;
	float confidence;
	uint32_t jointCount;
	XrBodyJointLocationFB *jointLocations;
	uint32_t skeletonChangedCount;
	XrTime time;
} XrBodyJointLocationsFB;

typedef struct XrBodySkeletonJointFB {
	int32_t joint;
	int32_t parentJoint;
	XrPosef pose;
} XrBodySkeletonJointFB;

typedef struct XrBodySkeletonFB {
	XrStructureType type;
	void *next;
	uint32_t jointCount;
	XrBodySkeletonJointFB *joints;
} XrBodySkeletonFB;

typedef XrResult(XRAPI_PTR *PFN_xrCreateBodyTrackerFB)(
	XrSession, const XrBodyTrackerCreateInfoFB *, XrBodyTrackerFB *);
typedef XrResult(XRAPI_PTR *PFN_xrDestroyBodyTrackerFB)(XrBodyTrackerFB);
typedef XrResult(XRAPI_PTR *PFN_xrLocateBodyJointsFB)(
	XrBodyTrackerFB, const XrBodyJointsLocateInfoFB *, XrBodyJointLocationsFB *);
typedef XrResult(XRAPI_PTR *PFN_xrGetBodySkeletonFB)(XrBodyTrackerFB, XrBodySkeletonFB *);
#endif

#ifndef XR_META_body_tracking_full_body
#define XR_META_body_tracking_full_body                        1
#define XR_META_BODY_TRACKING_FULL_BODY_EXTENSION_NAME         "XR_META_body_tracking_full_body"
#define XR_BODY_JOINT_SET_FULL_BODY_META                       ((XrBodyJointSetFB)1000274000)
#define XR_TYPE_SYSTEM_PROPERTIES_BODY_TRACKING_FULL_BODY_META JC_XR_TYPE(1000274000)

enum {
	XR_FULL_BODY_JOINT_COUNT_META = 84,
	XR_FULL_BODY_JOINT_NONE_META = 85,
};

typedef struct XrSystemPropertiesBodyTrackingFullBodyMETA {
	XrStructureType type;
	void *next;
	XrBool32 supportsFullBodyTracking;
} XrSystemPropertiesBodyTrackingFullBodyMETA;
#endif

#ifndef XR_META_body_tracking_calibration
#define XR_META_body_tracking_calibration                        1
#define XR_META_BODY_TRACKING_CALIBRATION_EXTENSION_NAME         "XR_META_body_tracking_calibration"
#define XR_TYPE_BODY_TRACKING_CALIBRATION_INFO_META              JC_XR_TYPE(1000283002)
#define XR_TYPE_BODY_TRACKING_CALIBRATION_STATUS_META            JC_XR_TYPE(1000283003)
#define XR_TYPE_SYSTEM_PROPERTIES_BODY_TRACKING_CALIBRATION_META JC_XR_TYPE(1000283004)

typedef enum XrBodyTrackingCalibrationStateMETA {
	XR_BODY_TRACKING_CALIBRATION_STATE_VALID_META = 1,
	XR_BODY_TRACKING_CALIBRATION_STATE_CALIBRATING_META = 2,
	XR_BODY_TRACKING_CALIBRATION_STATE_INVALID_META = 3,
	XR_BODY_TRACKING_CALIBRATION_STATE_MAX_ENUM_META = 0x7FFFFFFF
} XrBodyTrackingCalibrationStateMETA;

/* Chained to XrBodyJointLocationsFB. */
typedef struct XrBodyTrackingCalibrationStatusMETA {
	XrStructureType type;
	void *next;
	XrBodyTrackingCalibrationStateMETA status;
} XrBodyTrackingCalibrationStatusMETA;

typedef struct XrBodyTrackingCalibrationInfoMETA {
	XrStructureType type;
	const void *next;
	float bodyHeight;
} XrBodyTrackingCalibrationInfoMETA;

typedef struct XrSystemPropertiesBodyTrackingCalibrationMETA {
	XrStructureType type;
	void *next;
	XrBool32 supportsHeightOverride;
} XrSystemPropertiesBodyTrackingCalibrationMETA;

typedef XrResult(XRAPI_PTR *PFN_xrSuggestBodyTrackingCalibrationOverrideMETA)(
	XrBodyTrackerFB, const XrBodyTrackingCalibrationInfoMETA *);
#endif

#ifndef XR_META_body_tracking_fidelity
#define XR_META_body_tracking_fidelity                        1
#define XR_META_BODY_TRACKING_FIDELITY_EXTENSION_NAME         "XR_META_body_tracking_fidelity"
#define XR_TYPE_BODY_TRACKING_FIDELITY_STATUS_META            JC_XR_TYPE(1000284000)
#define XR_TYPE_SYSTEM_PROPERTIES_BODY_TRACKING_FIDELITY_META JC_XR_TYPE(1000284001)

typedef enum XrBodyTrackingFidelityMETA {
	XR_BODY_TRACKING_FIDELITY_LOW_META = 1,
	XR_BODY_TRACKING_FIDELITY_HIGH_META = 2,
	XR_BODY_TRACKING_FIDELITY_MAX_ENUM_META = 0x7FFFFFFF
} XrBodyTrackingFidelityMETA;

/* Chained to XrBodyJointLocationsFB. */
typedef struct XrBodyTrackingFidelityStatusMETA {
	XrStructureType type;
	const void *next;
	XrBodyTrackingFidelityMETA fidelity;
} XrBodyTrackingFidelityStatusMETA;

typedef struct XrSystemPropertiesBodyTrackingFidelityMETA {
	XrStructureType type;
	void *next;
	XrBool32 supportsBodyTrackingFidelity;
} XrSystemPropertiesBodyTrackingFidelityMETA;

typedef XrResult(XRAPI_PTR *PFN_xrRequestBodyTrackingFidelityMETA)(
	XrBodyTrackerFB, const XrBodyTrackingFidelityMETA);
#endif

#ifndef XR_BD_body_tracking
#define XR_BD_body_tracking                        1
#define XR_BD_BODY_TRACKING_EXTENSION_NAME         "XR_BD_body_tracking"
#define XR_TYPE_BODY_TRACKER_CREATE_INFO_BD        JC_XR_TYPE(1000385001)
#define XR_TYPE_BODY_JOINTS_LOCATE_INFO_BD         JC_XR_TYPE(1000385002)
#define XR_TYPE_BODY_JOINT_LOCATIONS_BD            JC_XR_TYPE(1000385003)
#define XR_TYPE_SYSTEM_BODY_TRACKING_PROPERTIES_BD JC_XR_TYPE(1000385004)

XR_DEFINE_HANDLE(XrBodyTrackerBD)

enum {
	XR_BODY_JOINT_WITHOUT_ARM_COUNT_BD = 16,
	XR_BODY_JOINT_COUNT_BD = 24,
};

typedef enum XrBodyJointBD {
	XR_BODY_JOINT_PELVIS_BD = 0,
	XR_BODY_JOINT_LEFT_HIP_BD = 1,
	XR_BODY_JOINT_RIGHT_HIP_BD = 2,
	XR_BODY_JOINT_SPINE1_BD = 3,
	XR_BODY_JOINT_LEFT_KNEE_BD = 4,
	XR_BODY_JOINT_RIGHT_KNEE_BD = 5,
	XR_BODY_JOINT_SPINE2_BD = 6,
	XR_BODY_JOINT_LEFT_ANKLE_BD = 7,
	XR_BODY_JOINT_RIGHT_ANKLE_BD = 8,
	XR_BODY_JOINT_SPINE3_BD = 9,
	XR_BODY_JOINT_LEFT_FOOT_BD = 10,
	XR_BODY_JOINT_RIGHT_FOOT_BD = 11,
	XR_BODY_JOINT_NECK_BD = 12,
	XR_BODY_JOINT_LEFT_COLLAR_BD = 13,
	XR_BODY_JOINT_RIGHT_COLLAR_BD = 14,
	XR_BODY_JOINT_HEAD_BD = 15,
	XR_BODY_JOINT_LEFT_SHOULDER_BD = 16,
	XR_BODY_JOINT_RIGHT_SHOULDER_BD = 17,
	XR_BODY_JOINT_LEFT_ELBOW_BD = 18,
	XR_BODY_JOINT_RIGHT_ELBOW_BD = 19,
	XR_BODY_JOINT_LEFT_WRIST_BD = 20,
	XR_BODY_JOINT_RIGHT_WRIST_BD = 21,
	XR_BODY_JOINT_LEFT_HAND_BD = 22,
	XR_BODY_JOINT_RIGHT_HAND_BD = 23,
	XR_BODY_JOINT_MAX_ENUM_BD = 0x7FFFFFFF
} XrBodyJointBD;

typedef enum XrBodyJointSetBD {
	XR_BODY_JOINT_SET_BODY_WITHOUT_ARM_BD = 1,
	XR_BODY_JOINT_SET_FULL_BODY_JOINTS_BD = 2,
	XR_BODY_JOINT_SET_MAX_ENUM_BD = 0x7FFFFFFF
} XrBodyJointSetBD;

typedef struct XrSystemBodyTrackingPropertiesBD {
	XrStructureType type;
	void *next;
	XrBool32 supportsBodyTracking;
} XrSystemBodyTrackingPropertiesBD;

typedef struct XrBodyTrackerCreateInfoBD {
	XrStructureType type;
	const void *next;
	XrBodyJointSetBD jointSet;
} XrBodyTrackerCreateInfoBD;

typedef struct XrBodyJointsLocateInfoBD {
	XrStructureType type;
	const void *next;
	XrSpace baseSpace;
	XrTime time;
} XrBodyJointsLocateInfoBD;

typedef struct XrBodyJointLocationBD {
	XrSpaceLocationFlags locationFlags;
	XrPosef pose;
} XrBodyJointLocationBD;

typedef struct XrBodyJointLocationsBD {
	XrStructureType type;
	void *next;
	XrBool32 allJointPosesTracked;
	uint32_t jointLocationCount;
	XrBodyJointLocationBD *jointLocations;
} XrBodyJointLocationsBD;

typedef XrResult(XRAPI_PTR *PFN_xrCreateBodyTrackerBD)(
	XrSession, const XrBodyTrackerCreateInfoBD *, XrBodyTrackerBD *);
typedef XrResult(XRAPI_PTR *PFN_xrDestroyBodyTrackerBD)(XrBodyTrackerBD);
typedef XrResult(XRAPI_PTR *PFN_xrLocateBodyJointsBD)(
	XrBodyTrackerBD, const XrBodyJointsLocateInfoBD *, XrBodyJointLocationsBD *);
#endif

#ifndef XR_HTC_body_tracking
#define XR_HTC_body_tracking                        1
#define XR_HTC_BODY_TRACKING_EXTENSION_NAME         "XR_HTC_body_tracking"
#define XR_TYPE_SYSTEM_BODY_TRACKING_PROPERTIES_HTC JC_XR_TYPE(1000320000)
#define XR_TYPE_BODY_TRACKER_CREATE_INFO_HTC        JC_XR_TYPE(1000320001)
#define XR_TYPE_BODY_JOINTS_LOCATE_INFO_HTC         JC_XR_TYPE(1000320002)
#define XR_TYPE_BODY_JOINT_LOCATIONS_HTC            JC_XR_TYPE(1000320003)
#define XR_TYPE_BODY_SKELETON_HTC                   JC_XR_TYPE(1000320004)

XR_DEFINE_HANDLE(XrBodyTrackerHTC)

enum {
	XR_BODY_JOINT_COUNT_HTC = 26,
};

typedef enum XrBodyJointHTC {
	XR_BODY_JOINT_PELVIS_HTC = 0,
	XR_BODY_JOINT_LEFT_HIP_HTC = 1,
	XR_BODY_JOINT_LEFT_KNEE_HTC = 2,
	XR_BODY_JOINT_LEFT_ANKLE_HTC = 3,
	XR_BODY_JOINT_LEFT_FEET_HTC = 4,
	XR_BODY_JOINT_RIGHT_HIP_HTC = 5,
	XR_BODY_JOINT_RIGHT_KNEE_HTC = 6,
	XR_BODY_JOINT_RIGHT_ANKLE_HTC = 7,
	XR_BODY_JOINT_RIGHT_FEET_HTC = 8,
	XR_BODY_JOINT_WAIST_HTC = 9,
	XR_BODY_JOINT_SPINE_LOWER_HTC = 10,
	XR_BODY_JOINT_SPINE_MIDDLE_HTC = 11,
	XR_BODY_JOINT_SPINE_HIGH_HTC = 12,
	XR_BODY_JOINT_CHEST_HTC = 13,
	XR_BODY_JOINT_NECK_HTC = 14,
	XR_BODY_JOINT_HEAD_HTC = 15,
	XR_BODY_JOINT_LEFT_CLAVICLE_HTC = 16,
	XR_BODY_JOINT_LEFT_SCAPULA_HTC = 17,
	XR_BODY_JOINT_LEFT_ARM_HTC = 18,
	XR_BODY_JOINT_LEFT_ELBOW_HTC = 19,
	XR_BODY_JOINT_LEFT_WRIST_HTC = 20,
	XR_BODY_JOINT_RIGHT_CLAVICLE_HTC = 21,
	XR_BODY_JOINT_RIGHT_SCAPULA_HTC = 22,
	XR_BODY_JOINT_RIGHT_ARM_HTC = 23,
	XR_BODY_JOINT_RIGHT_ELBOW_HTC = 24,
	XR_BODY_JOINT_RIGHT_WRIST_HTC = 25,
	XR_BODY_JOINT_MAX_ENUM_HTC = 0x7FFFFFFF
} XrBodyJointHTC;

typedef enum XrBodyJointSetHTC {
	XR_BODY_JOINT_SET_FULL_HTC = 0,
	XR_BODY_JOINT_SET_MAX_ENUM_HTC = 0x7FFFFFFF
} XrBodyJointSetHTC;

typedef enum XrBodyJointConfidenceHTC {
	XR_BODY_JOINT_CONFIDENCE_NONE_HTC = 0,
	XR_BODY_JOINT_CONFIDENCE_LOW_HTC = 1,
	XR_BODY_JOINT_CONFIDENCE_HIGH_HTC = 2,
	XR_BODY_JOINT_CONFIDENCE_MAX_ENUM_HTC = 0x7FFFFFFF
} XrBodyJointConfidenceHTC;

typedef struct XrSystemBodyTrackingPropertiesHTC {
	XrStructureType type;
	void *next;
	XrBool32 supportsBodyTracking;
} XrSystemBodyTrackingPropertiesHTC;

typedef struct XrBodyTrackerCreateInfoHTC {
	XrStructureType type;
	const void *next;
	XrBodyJointSetHTC bodyJointSet;
} XrBodyTrackerCreateInfoHTC;

typedef struct XrBodyJointsLocateInfoHTC {
	XrStructureType type;
	const void *next;
	XrSpace baseSpace;
	XrTime time;
} XrBodyJointsLocateInfoHTC;

typedef struct XrBodyJointLocationHTC {
	XrSpaceLocationFlags locationFlags;
	XrPosef pose;
} XrBodyJointLocationHTC;

typedef struct XrBodyJointLocationsHTC {
	XrStructureType type;
	void *next;
	XrSpaceLocationFlags combinedLocationFlags;
	XrBodyJointConfidenceHTC confidenceLevel;
	uint32_t jointLocationCount;
	XrBodyJointLocationHTC *jointLocations;
	uint32_t skeletonGenerationId;
} XrBodyJointLocationsHTC;

typedef struct XrBodySkeletonJointHTC {
	XrPosef pose;
} XrBodySkeletonJointHTC;

typedef struct XrBodySkeletonHTC {
	XrStructureType type;
	void *next;
	uint32_t jointCount;
	XrBodySkeletonJointHTC *joints;
} XrBodySkeletonHTC;

typedef XrResult(XRAPI_PTR *PFN_xrCreateBodyTrackerHTC)(
	XrSession, const XrBodyTrackerCreateInfoHTC *, XrBodyTrackerHTC *);
typedef XrResult(XRAPI_PTR *PFN_xrDestroyBodyTrackerHTC)(XrBodyTrackerHTC);
typedef XrResult(XRAPI_PTR *PFN_xrLocateBodyJointsHTC)(
	XrBodyTrackerHTC, const XrBodyJointsLocateInfoHTC *, XrBodyJointLocationsHTC *);
typedef XrResult(XRAPI_PTR *PFN_xrGetBodySkeletonHTC)(
	XrBodyTrackerHTC, XrSpace, uint32_t, XrBodySkeletonHTC *);
#endif

#ifndef XR_EXT_local_floor
#define XR_EXT_local_floor                      1
#define XR_EXT_LOCAL_FLOOR_EXTENSION_NAME       "XR_EXT_local_floor"
#define XR_REFERENCE_SPACE_TYPE_LOCAL_FLOOR_EXT ((XrReferenceSpaceType)1000426000)
#endif

#ifndef XR_EXT_user_presence
#define XR_EXT_user_presence                         1
#define XR_EXT_USER_PRESENCE_EXTENSION_NAME          "XR_EXT_user_presence"
#define XR_TYPE_EVENT_DATA_USER_PRESENCE_CHANGED_EXT JC_XR_TYPE(1000470000)

typedef struct XrEventDataUserPresenceChangedEXT {
	XrStructureType type;
	const void *next;
	XrSession session;
	XrBool32 isUserPresent;
} XrEventDataUserPresenceChangedEXT;
#endif

/* A private extension of Monado, which the registry does not describe (1.1.61): these declarations
 * are those of Monado's header, revisions 1 to 3. */
#ifndef XR_MNDX_xdev_space
#define XR_MNDX_xdev_space                        1
#define XR_MNDX_XDEV_SPACE_EXTENSION_NAME         "XR_MNDX_xdev_space"
#define XR_TYPE_SYSTEM_XDEV_SPACE_PROPERTIES_MNDX JC_XR_TYPE(1000444001)
#define XR_TYPE_CREATE_XDEV_LIST_INFO_MNDX        JC_XR_TYPE(1000444002)
#define XR_TYPE_GET_XDEV_INFO_MNDX                JC_XR_TYPE(1000444003)
#define XR_TYPE_XDEV_PROPERTIES_MNDX              JC_XR_TYPE(1000444004)
#define XR_TYPE_CREATE_XDEV_SPACE_INFO_MNDX       JC_XR_TYPE(1000444005)

XR_DEFINE_ATOM(XrXDevIdMNDX)
XR_DEFINE_HANDLE(XrXDevListMNDX)

typedef struct XrSystemXDevSpacePropertiesMNDX {
	XrStructureType type;
	void *next;
	XrBool32 supportsXDevSpace;
} XrSystemXDevSpacePropertiesMNDX;

typedef struct XrCreateXDevListInfoMNDX {
	XrStructureType type;
	const void *next;
} XrCreateXDevListInfoMNDX;

typedef struct XrGetXDevInfoMNDX {
	XrStructureType type;
	const void *next;
	XrXDevIdMNDX id;
} XrGetXDevInfoMNDX;

typedef struct XrXDevPropertiesMNDX {
	XrStructureType type;
	void *next;
	char name[256];
	char serial[256];
	XrBool32 canCreateSpace;
} XrXDevPropertiesMNDX;

typedef struct XrCreateXDevSpaceInfoMNDX {
	XrStructureType type;
	const void *next;
	XrXDevListMNDX xdevList;
	XrXDevIdMNDX id;
	XrPosef offset;
} XrCreateXDevSpaceInfoMNDX;

typedef XrResult(XRAPI_PTR *PFN_xrCreateXDevListMNDX)(
	XrSession, const XrCreateXDevListInfoMNDX *, XrXDevListMNDX *);
typedef XrResult(XRAPI_PTR *PFN_xrGetXDevListGenerationNumberMNDX)(XrXDevListMNDX, uint64_t *);
typedef XrResult(XRAPI_PTR *PFN_xrEnumerateXDevsMNDX)(
	XrXDevListMNDX, uint32_t, uint32_t *, XrXDevIdMNDX *);
typedef XrResult(XRAPI_PTR *PFN_xrGetXDevPropertiesMNDX)(
	XrXDevListMNDX, const XrGetXDevInfoMNDX *, XrXDevPropertiesMNDX *);
typedef XrResult(XRAPI_PTR *PFN_xrDestroyXDevListMNDX)(XrXDevListMNDX);
typedef XrResult(XRAPI_PTR *PFN_xrCreateXDevSpaceMNDX)(
	XrSession, const XrCreateXDevSpaceInfoMNDX *, XrSpace *);
#endif

/* OpenXR 1.0.28 */
#ifndef XR_EXT_hand_tracking_data_source
#define XR_EXT_hand_tracking_data_source                1
#define XR_EXT_HAND_TRACKING_DATA_SOURCE_EXTENSION_NAME "XR_EXT_hand_tracking_data_source"
#define XR_TYPE_HAND_TRACKING_DATA_SOURCE_INFO_EXT      JC_XR_TYPE(1000428000)
#define XR_TYPE_HAND_TRACKING_DATA_SOURCE_STATE_EXT     JC_XR_TYPE(1000428001)

typedef enum XrHandTrackingDataSourceEXT {
	XR_HAND_TRACKING_DATA_SOURCE_UNOBSTRUCTED_EXT = 1,
	XR_HAND_TRACKING_DATA_SOURCE_CONTROLLER_EXT = 2,
	XR_HAND_TRACKING_DATA_SOURCE_MAX_ENUM_EXT = 0x7FFFFFFF
} XrHandTrackingDataSourceEXT;

typedef struct XrHandTrackingDataSourceInfoEXT {
	XrStructureType type;
	const void *next;
	uint32_t requestedDataSourceCount;
	XrHandTrackingDataSourceEXT *requestedDataSources;
} XrHandTrackingDataSourceInfoEXT;

typedef struct XrHandTrackingDataSourceStateEXT {
	XrStructureType type;
	void *next;
	XrBool32 isActive;
	XrHandTrackingDataSourceEXT dataSource;
} XrHandTrackingDataSourceStateEXT;
#endif

/* OpenXR 1.1.61 */
#ifndef XR_BD_body_tracking_auxiliary_metrics
#define XR_BD_body_tracking_auxiliary_metrics                1
#define XR_BD_BODY_TRACKING_AUXILIARY_METRICS_EXTENSION_NAME "XR_BD_body_tracking_auxiliary_metrics"
#define XR_TYPE_BODY_TRACKING_STATE_BD                       JC_XR_TYPE(1000395004)

typedef enum XrBodyTrackingStatusBD {
	XR_BODY_TRACKING_STATUS_INVALID_BD = 0,
	XR_BODY_TRACKING_STATUS_VALID_BD = 1,
	XR_BODY_TRACKING_STATUS_LIMITED_BD = 2,
	XR_BODY_TRACKING_STATUS_MAX_ENUM_BD = 0x7FFFFFFF
} XrBodyTrackingStatusBD;

typedef enum XrBodyTrackingMessageBD {
	XR_BODY_TRACKING_MESSAGE_NO_ERROR_BD = 0,
	XR_BODY_TRACKING_MESSAGE_TRACKER_NOT_CALIBRATED_BD = 1,
	XR_BODY_TRACKING_MESSAGE_TRACKER_NUM_NOT_ENOUGH_BD = 2,
	XR_BODY_TRACKING_MESSAGE_TRACKER_STATE_NOT_SATISFIED_BD = 3,
	XR_BODY_TRACKING_MESSAGE_TRACKER_PERSISTENT_INVISIBILITY_BD = 4,
	XR_BODY_TRACKING_MESSAGE_TRACKER_DATA_ERROR_BD = 5,
	XR_BODY_TRACKING_MESSAGE_USER_CHANGE_BD = 6,
	XR_BODY_TRACKING_MESSAGE_TRACKING_POSE_ERROR_BD = 7,
	XR_BODY_TRACKING_MESSAGE_MAX_ENUM_BD = 0x7FFFFFFF
} XrBodyTrackingMessageBD;

typedef struct XrBodyTrackingStateBD {
	XrStructureType type;
	void *next;
	XrBodyTrackingStatusBD status;
	XrBodyTrackingMessageBD message;
} XrBodyTrackingStateBD;

typedef XrResult(XRAPI_PTR *PFN_xrGetBodyTrackingStateBD)(XrSession, XrBodyTrackingStateBD *);
#endif
#include "source/openxr/xr_face_declarations.h"

#endif
