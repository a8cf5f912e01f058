/* The Khronos loader, opened at run time because it may be absent, the OpenXR functions that this
 * folder calls, their results, and chains of optional structures. */
#ifndef JC_XR_LOADER_H
#define JC_XR_LOADER_H

#include <stdbool.h>

#include "source/openxr/xr_declarations.h"

#define JC_XR_LOADER_FILE "libopenxr_loader.so.1"

/* All zeros: not open. */
struct jc_xr_loader {
	PFN_xrGetInstanceProcAddr get;
	PFN_xrEnumerateInstanceExtensionProperties enumerate_extensions;
	PFN_xrCreateInstance create_instance;
};

/* Opens the loader once; it is never closed, because runtimes leave threads behind. Returns
 * whether it is open. */
bool jc_xr_loader_open(struct jc_xr_loader *loader);

/* Functions that every runtime has. */
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

/* Functions of extensions; NULL if not enabled. */
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
	_(GetBodyTrackingStateBD)                                                                  \
	_(CreateBodyTrackerHTC)                                                                    \
	_(DestroyBodyTrackerHTC)                                                                   \
	_(LocateBodyJointsHTC)                                                                     \
	_(GetBodySkeletonHTC)                                                                      \
	_(CreateHandTrackerEXT)                                                                    \
	_(DestroyHandTrackerEXT)                                                                   \
	_(LocateHandJointsEXT)                                                                     \
	_(CreateXDevListMNDX)                                                                      \
	_(GetXDevListGenerationNumberMNDX)                                                         \
	_(EnumerateXDevsMNDX)                                                                      \
	_(GetXDevPropertiesMNDX)                                                                   \
	_(DestroyXDevListMNDX)                                                                     \
	_(CreateXDevSpaceMNDX)                                                                     \
	_(CreateFaceTracker2FB)                                                                    \
	_(DestroyFaceTracker2FB)                                                                   \
	_(GetFaceExpressionWeights2FB)                                                             \
	_(CreateFaceTrackerANDROID)                                                                \
	_(DestroyFaceTrackerANDROID)                                                               \
	_(GetFaceStateANDROID)                                                                     \
	_(CreateFacialTrackerHTC)                                                                  \
	_(DestroyFacialTrackerHTC)                                                                 \
	_(GetFacialExpressionsHTC)

struct jc_xr_functions {
#define JC_XR_MEMBER(name) PFN_xr##name name;
	JC_XR_CORE_FUNCTIONS(JC_XR_MEMBER)
	JC_XR_EXTENSION_FUNCTIONS(JC_XR_MEMBER)
#undef JC_XR_MEMBER
};

/* Fills all available functions, also on failure, so that the caller can destroy the instance.
 * Returns 0, or the error of a missing core function. */
XrResult jc_xr_loader_functions(const struct jc_xr_loader *loader, XrInstance instance,
	struct jc_xr_functions *out_functions);

/* An XrResult as text, returned by value because it may contain a number. */
struct jc_xr_result_name {
	char text[XR_MAX_RESULT_STRING_SIZE];
};

struct jc_xr_result_name jc_xr_result_name(XrResult result);

bool jc_xr_result_is_denial(XrResult result); /* a permission is missing */

/* Whether the runtime never grants the request: the feature is unsupported, or the request is
 * invalid for this runtime. */
bool jc_xr_result_is_refusal(XrResult result);

/* Optional structures in the chain of a call. A runtime may refuse the whole call because of one
 * of them, even if it offers the extension. Without refused structures all members but names and
 * count are zero. */
struct jc_xr_chain {
	const char *const *names; /* of the structures, for operators; borrowed */
	unsigned count;           /* of names, at most 32 */
	uint32_t refused;         /* structures that are left out; bit i: names[i] */
	XrResult why;             /* the runtime's result with the last of them */
};

/* Makes a call with the structures whose bits are set, on cleared buffers. */
typedef XrResult (*jc_xr_chained_call)(void *context, uint32_t structures);

/* Makes the call with the wanted structures that are not refused. If it fails, repeats it without
 * structures, then adds them one after another, and adds those with which it fails to
 * `refused`. A call that also fails without structures changes nothing. Makes at most count + 3
 * calls. Returns the result of the last call, whose buffers are the result. */
XrResult jc_xr_chain_call(
	struct jc_xr_chain *chain, uint32_t wanted, jc_xr_chained_call call, void *context);

#endif
