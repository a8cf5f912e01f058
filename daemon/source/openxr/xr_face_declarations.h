/* Declarations of face tracking that Debian 12's headers of OpenXR (1.0.20) lack, included by
 * xr_declarations.h. The registry had XR_HTC_facial_tracking from 1.0.21, XR_FB_face_tracking2 from
 * 1.0.34 and XR_ANDROID_face_tracking from 1.1.53 on; values are those of 1.1.53. The indices of
 * expressions stand in proto/face.json. */
#ifndef JC_XR_FACE_DECLARATIONS_H
#define JC_XR_FACE_DECLARATIONS_H

#ifndef XR_FB_face_tracking2
#define XR_FB_face_tracking2                        1
#define XR_FB_FACE_TRACKING2_EXTENSION_NAME         "XR_FB_face_tracking2"
#define XR_TYPE_SYSTEM_FACE_TRACKING_PROPERTIES2_FB JC_XR_TYPE(1000287013)
#define XR_TYPE_FACE_TRACKER_CREATE_INFO2_FB        JC_XR_TYPE(1000287014)
#define XR_TYPE_FACE_EXPRESSION_INFO2_FB            JC_XR_TYPE(1000287015)
#define XR_TYPE_FACE_EXPRESSION_WEIGHTS2_FB         JC_XR_TYPE(1000287016)

XR_DEFINE_HANDLE(XrFaceTracker2FB)

enum {
	XR_FACE_EXPRESSION2_COUNT_FB = 70,
};

typedef enum XrFaceExpressionSet2FB {
	XR_FACE_EXPRESSION_SET2_DEFAULT_FB = 0,
	XR_FACE_EXPRESSION_SET_2FB_MAX_ENUM_FB = 0x7FFFFFFF
} XrFaceExpressionSet2FB;

typedef enum XrFaceTrackingDataSource2FB {
	XR_FACE_TRACKING_DATA_SOURCE2_VISUAL_FB = 0,
	XR_FACE_TRACKING_DATA_SOURCE2_AUDIO_FB = 1,
	XR_FACE_TRACKING_DATA_SOURCE_2FB_MAX_ENUM_FB = 0x7FFFFFFF
} XrFaceTrackingDataSource2FB;

typedef enum XrFaceConfidence2FB {
	XR_FACE_CONFIDENCE2_LOWER_FACE_FB = 0,
	XR_FACE_CONFIDENCE2_UPPER_FACE_FB = 1,
	XR_FACE_CONFIDENCE2_COUNT_FB = 2,
	XR_FACE_CONFIDENCE_2FB_MAX_ENUM_FB = 0x7FFFFFFF
} XrFaceConfidence2FB;

typedef struct XrSystemFaceTrackingProperties2FB {
	XrStructureType type;
	void *next;
	XrBool32 supportsVisualFaceTracking;
	XrBool32 supportsAudioFaceTracking;
} XrSystemFaceTrackingProperties2FB;

typedef struct XrFaceTrackerCreateInfo2FB {
	XrStructureType type;
	const void *next;
	XrFaceExpressionSet2FB faceExpressionSet;
	uint32_t requestedDataSourceCount;
	XrFaceTrackingDataSource2FB *requestedDataSources;
} XrFaceTrackerCreateInfo2FB;

typedef struct XrFaceExpressionInfo2FB {
	XrStructureType type;
	const void *next;
	XrTime time;
} XrFaceExpressionInfo2FB;

typedef struct XrFaceExpressionWeights2FB {
	XrStructureType type;
	void *next;
	uint32_t weightCount;
	float *weights;
	uint32_t confidenceCount;
	float *confidences;
	XrBool32 isValid;
	XrBool32 isEyeFollowingBlendshapesValid;
	XrFaceTrackingDataSource2FB dataSource;
	XrTime time;
} XrFaceExpressionWeights2FB;

typedef XrResult(XRAPI_PTR *PFN_xrCreateFaceTracker2FB)(
	XrSession, const XrFaceTrackerCreateInfo2FB *, XrFaceTracker2FB *);
typedef XrResult(XRAPI_PTR *PFN_xrDestroyFaceTracker2FB)(XrFaceTracker2FB);
typedef XrResult(XRAPI_PTR *PFN_xrGetFaceExpressionWeights2FB)(
	XrFaceTracker2FB, const XrFaceExpressionInfo2FB *, XrFaceExpressionWeights2FB *);
#endif

#ifndef XR_HTC_facial_tracking
#define XR_HTC_facial_tracking                        1
#define XR_HTC_FACIAL_TRACKING_EXTENSION_NAME         "XR_HTC_facial_tracking"
#define XR_FACIAL_EXPRESSION_EYE_COUNT_HTC            14
#define XR_FACIAL_EXPRESSION_LIP_COUNT_HTC            37
#define XR_TYPE_SYSTEM_FACIAL_TRACKING_PROPERTIES_HTC JC_XR_TYPE(1000104000)
#define XR_TYPE_FACIAL_TRACKER_CREATE_INFO_HTC        JC_XR_TYPE(1000104001)
#define XR_TYPE_FACIAL_EXPRESSIONS_HTC                JC_XR_TYPE(1000104002)

XR_DEFINE_HANDLE(XrFacialTrackerHTC)

typedef enum XrFacialTrackingTypeHTC {
	XR_FACIAL_TRACKING_TYPE_EYE_DEFAULT_HTC = 1,
	XR_FACIAL_TRACKING_TYPE_LIP_DEFAULT_HTC = 2,
	XR_FACIAL_TRACKING_TYPE_MAX_ENUM_HTC = 0x7FFFFFFF
} XrFacialTrackingTypeHTC;

typedef struct XrSystemFacialTrackingPropertiesHTC {
	XrStructureType type;
	void *next;
	XrBool32 supportEyeFacialTracking;
	XrBool32 supportLipFacialTracking;
} XrSystemFacialTrackingPropertiesHTC;

typedef struct XrFacialTrackerCreateInfoHTC {
	XrStructureType type;
	const void *next;
	XrFacialTrackingTypeHTC facialTrackingType;
} XrFacialTrackerCreateInfoHTC;

typedef struct XrFacialExpressionsHTC {
	XrStructureType type;
	const void *next;
	XrBool32 isActive;
	XrTime sampleTime;
	uint32_t expressionCount;
	float *expressionWeightings;
} XrFacialExpressionsHTC;

typedef XrResult(XRAPI_PTR *PFN_xrCreateFacialTrackerHTC)(
	XrSession, const XrFacialTrackerCreateInfoHTC *, XrFacialTrackerHTC *);
typedef XrResult(XRAPI_PTR *PFN_xrDestroyFacialTrackerHTC)(XrFacialTrackerHTC);
typedef XrResult(XRAPI_PTR *PFN_xrGetFacialExpressionsHTC)(
	XrFacialTrackerHTC, XrFacialExpressionsHTC *);
#endif

#ifndef XR_ANDROID_face_tracking
#define XR_ANDROID_face_tracking                        1
#define XR_ANDROID_FACE_TRACKING_EXTENSION_NAME         "XR_ANDROID_face_tracking"
#define XR_FACE_PARAMETER_COUNT_ANDROID                 68
#define XR_FACE_REGION_CONFIDENCE_COUNT_ANDROID         3
#define XR_TYPE_FACE_TRACKER_CREATE_INFO_ANDROID        JC_XR_TYPE(1000458000)
#define XR_TYPE_FACE_STATE_GET_INFO_ANDROID             JC_XR_TYPE(1000458001)
#define XR_TYPE_FACE_STATE_ANDROID                      JC_XR_TYPE(1000458002)
#define XR_TYPE_SYSTEM_FACE_TRACKING_PROPERTIES_ANDROID JC_XR_TYPE(1000458003)

XR_DEFINE_HANDLE(XrFaceTrackerANDROID)

typedef enum XrFaceTrackingStateANDROID {
	XR_FACE_TRACKING_STATE_PAUSED_ANDROID = 0,
	XR_FACE_TRACKING_STATE_STOPPED_ANDROID = 1,
	XR_FACE_TRACKING_STATE_TRACKING_ANDROID = 2,
	XR_FACE_TRACKING_STATE_MAX_ENUM_ANDROID = 0x7FFFFFFF
} XrFaceTrackingStateANDROID;

typedef enum XrFaceConfidenceRegionsANDROID {
	XR_FACE_CONFIDENCE_REGIONS_LOWER_ANDROID = 0,
	XR_FACE_CONFIDENCE_REGIONS_LEFT_UPPER_ANDROID = 1,
	XR_FACE_CONFIDENCE_REGIONS_RIGHT_UPPER_ANDROID = 2,
	XR_FACE_CONFIDENCE_REGIONS_MAX_ENUM_ANDROID = 0x7FFFFFFF
} XrFaceConfidenceRegionsANDROID;

typedef struct XrSystemFaceTrackingPropertiesANDROID {
	XrStructureType type;
	void *next;
	XrBool32 supportsFaceTracking;
} XrSystemFaceTrackingPropertiesANDROID;

typedef struct XrFaceTrackerCreateInfoANDROID {
	XrStructureType type;
	const void *next;
} XrFaceTrackerCreateInfoANDROID;

typedef struct XrFaceStateGetInfoANDROID {
	XrStructureType type;
	const void *next;
	XrTime time;
} XrFaceStateGetInfoANDROID;

typedef struct XrFaceStateANDROID {
	XrStructureType type;
	void *next;
	uint32_t parametersCapacityInput;
	uint32_t parametersCountOutput;
	float *parameters;
	XrFaceTrackingStateANDROID faceTrackingState;
	XrTime sampleTime;
	XrBool32 isValid;
	uint32_t regionConfidencesCapacityInput;
	uint32_t regionConfidencesCountOutput;
	float *regionConfidences;
} XrFaceStateANDROID;

typedef XrResult(XRAPI_PTR *PFN_xrCreateFaceTrackerANDROID)(
	XrSession, const XrFaceTrackerCreateInfoANDROID *, XrFaceTrackerANDROID *);
typedef XrResult(XRAPI_PTR *PFN_xrDestroyFaceTrackerANDROID)(XrFaceTrackerANDROID);
typedef XrResult(XRAPI_PTR *PFN_xrGetFaceStateANDROID)(
	XrFaceTrackerANDROID, const XrFaceStateGetInfoANDROID *, XrFaceStateANDROID *);
#endif

/* Sizes on 64-bit machines: of the declarations above, and of newer headers in their place. */
#if UINTPTR_MAX == UINT64_MAX
_Static_assert(sizeof(XrSystemFaceTrackingProperties2FB) == 24, "");
_Static_assert(sizeof(XrFaceTrackerCreateInfo2FB) == 32, "");
_Static_assert(sizeof(XrFaceExpressionInfo2FB) == 24, "");
_Static_assert(sizeof(XrFaceExpressionWeights2FB) == 72, "");
_Static_assert(sizeof(XrSystemFacialTrackingPropertiesHTC) == 24, "");
_Static_assert(sizeof(XrFacialTrackerCreateInfoHTC) == 24, "");
_Static_assert(sizeof(XrFacialExpressionsHTC) == 48, "");
_Static_assert(sizeof(XrSystemFaceTrackingPropertiesANDROID) == 24, "");
_Static_assert(sizeof(XrFaceTrackerCreateInfoANDROID) == 16, "");
_Static_assert(sizeof(XrFaceStateGetInfoANDROID) == 24, "");
_Static_assert(sizeof(XrFaceStateANDROID) == 72, "");
#endif

#endif
