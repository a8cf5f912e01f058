/* The Khronos loader, found at run time so that the same binary runs where there
 * is none, and the functions of OpenXR that this room calls. */
#ifndef JC_XR_LOADER_H
#define JC_XR_LOADER_H

#include <stdbool.h>

#include "source/openxr/xr_declarations.h"

#define JC_XR_LOADER_FILE "libopenxr_loader.so.1"

/* All zero is not open. */
struct jc_xr_loader {
	PFN_xrGetInstanceProcAddr get;
	PFN_xrEnumerateInstanceExtensionProperties enumerate_extensions;
	PFN_xrCreateInstance create_instance;
};

/* Opens it if it is not. It is never closed: runtimes leave threads behind. Returns
 * whether it is there. */
bool jc_xr_loader_open(struct jc_xr_loader *loader);

/* Functions that every runtime has, */
#define JC_XR_CORE_FUNCTIONS(_)                                                                    \
	_(DestroyInstance)                                                                         \
	_(GetInstanceProperties)                                                                   \
	_(PollEvent)                                                                               \
	_(GetSystem)                                                                               \
	_(GetSystemProperties)                                                                     \
	_(CreateSession)                                                                           \
	_(DestroySession)                                                                          \
	_(BeginSession)                                                                            \
	_(EndSession)                                                                              \
	_(EnumerateReferenceSpaces)                                                                \
	_(CreateReferenceSpace)                                                                    \
	_(CreateActionSpace)                                                                       \
	_(LocateSpace)                                                                             \
	_(DestroySpace)                                                                            \
	_(StringToPath)                                                                            \
	_(CreateActionSet)                                                                         \
	_(DestroyActionSet)                                                                        \
	_(CreateAction)                                                                            \
	_(DestroyAction)                                                                           \
	_(SuggestInteractionProfileBindings)                                                       \
	_(AttachSessionActionSets)                                                                 \
	_(SyncActions)                                                                             \
	_(GetActionStatePose)                                                                      \
	_(ConvertTimespecTimeToTimeKHR)

/* and those of extensions, NULL where they are not enabled. */
#define JC_XR_EXTENSION_FUNCTIONS(_)                                                               \
	_(CreateBodyTrackerFB)                                                                     \
	_(DestroyBodyTrackerFB)                                                                    \
	_(LocateBodyJointsFB)                                                                      \
	_(GetBodySkeletonFB)                                                                       \
	_(SuggestBodyTrackingCalibrationOverrideMETA)                                              \
	_(RequestBodyTrackingFidelityMETA)                                                         \
	_(CreateBodyTrackerBD)                                                                     \
	_(DestroyBodyTrackerBD)                                                                    \
	_(LocateBodyJointsBD)                                                                      \
	_(CreateBodyTrackerHTC)                                                                    \
	_(DestroyBodyTrackerHTC)                                                                   \
	_(LocateBodyJointsHTC)                                                                     \
	_(GetBodySkeletonHTC)                                                                      \
	_(CreateHandTrackerEXT)                                                                    \
	_(DestroyHandTrackerEXT)                                                                   \
	_(LocateHandJointsEXT)

struct jc_xr_functions {
#define JC_XR_MEMBER(name) PFN_xr##name name;
	JC_XR_CORE_FUNCTIONS(JC_XR_MEMBER)
	JC_XR_EXTENSION_FUNCTIONS(JC_XR_MEMBER)
#undef JC_XR_MEMBER
};

/* Returns 0, or why a function of the core is not there; those that are, are filled
 * in either case, so that what was begun can be ended. */
XrResult jc_xr_loader_functions(const struct jc_xr_loader *loader, XrInstance instance,
	struct jc_xr_functions *out_functions);

/* An XrResult as text; by value, for it may hold a number. */
struct jc_xr_result_name {
	char text[XR_MAX_RESULT_STRING_SIZE];
};

struct jc_xr_result_name jc_xr_result_name(XrResult result);

bool jc_xr_result_is_denial(XrResult result); /* a permission is missing */

#endif
