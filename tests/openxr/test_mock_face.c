/* Tests the faces of the mock runtime: it refuses what real runtimes refuse, and records what a
 * client must not do. */
#include <math.h>
#include <time.h>

#include "mock_script.h"
#include "unit_test.h"

struct client {
	XrInstance instance;
	XrSession session;
	XrTime now;
};

typedef XrResult(XRAPI_PTR *time_fn)(XrInstance, const struct timespec *, XrTime *);
typedef XrResult(XRAPI_PTR *create_fb_fn)(
	XrSession, const struct mock_face_info_fb *, MockFaceFB *);
typedef XrResult(XRAPI_PTR *get_fb_fn)(
	MockFaceFB, const struct mock_face_time *, struct mock_face_fb *);
typedef XrResult(XRAPI_PTR *destroy_fb_fn)(MockFaceFB);
typedef XrResult(XRAPI_PTR *create_htc_fn)(
	XrSession, const struct mock_tracker_info *, MockFaceHTC *);
typedef XrResult(XRAPI_PTR *get_htc_fn)(MockFaceHTC, struct mock_face_htc *);
typedef XrResult(XRAPI_PTR *destroy_htc_fn)(MockFaceHTC);
typedef XrResult(XRAPI_PTR *create_android_fn)(
	XrSession, const XrBaseInStructure *, MockFaceANDROID *);
typedef XrResult(XRAPI_PTR *get_android_fn)(
	MockFaceANDROID, const struct mock_face_time *, struct mock_face_android *);
typedef XrResult(XRAPI_PTR *destroy_android_fn)(MockFaceANDROID);

static int set_up(void **)
{
	say("offer XR_MND_headless XR_FB_body_tracking XR_META_body_tracking_full_body "
	    "XR_KHR_convert_timespec_time XR_MNDX_xdev_space XR_FB_face_tracking2 "
	    "XR_HTC_facial_tracking XR_ANDROID_face_tracking");
	say("set supports_fb_face 1");
	say("set supports_htc_face 1");
	say("set supports_android_face 1");
	say("weights 0 0.25 1 nan 2 7");
	say("forgive");
	return 0;
}

static void open_session(struct client *client)
{
	const XrSessionCreateInfo info = { .type = XR_TYPE_SESSION_CREATE_INFO, .systemId = 7 };
	struct timespec now;

	assert_int_equal(mock_create_instance(8, &client->instance), XR_SUCCESS);
	assert_int_equal(xrCreateSession(client->instance, &info, &client->session), XR_SUCCESS);
	clock_gettime(CLOCK_MONOTONIC, &now);
	assert_int_equal(CALL(client, "xrConvertTimespecTimeToTimeKHR", time_fn, client->instance,
				 &now, &client->now),
		XR_SUCCESS);
}

static void begin_session(const struct client *client)
{
	const XrSessionBeginInfo info = { .type = XR_TYPE_SESSION_BEGIN_INFO };

	assert_int_equal(xrBeginSession(client->session, &info), XR_SUCCESS);
}

static void close_session(const struct client *client)
{
	xrDestroySession(client->session);
	xrDestroyInstance(client->instance);
}

static void has_no_faces_without_the_extensions(void **)
{
	static const char *const names[] = { "xrCreateFaceTracker2FB", "xrCreateFacialTrackerHTC",
		"xrCreateFaceTrackerANDROID" };
	PFN_xrVoidFunction function = NULL;
	XrInstance instance;

	assert_int_equal(mock_create_instance(5, &instance), XR_SUCCESS);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		assert_int_equal(xrGetInstanceProcAddr(instance, names[i], &function),
			XR_ERROR_FUNCTION_UNSUPPORTED);
	}
	xrDestroyInstance(instance);
}

static void refuses_faces_that_the_device_lacks(void **)
{
	const int32_t microphone = 1;
	const int32_t twice[] = { 0, 0 };
	struct mock_face_info_fb fb = { .type = MOCK_TYPE_FACE_TRACKER_CREATE_INFO2_FB,
		.source_count = 1,
		.sources = &microphone };
	struct mock_tracker_info lips = { .type = MOCK_TYPE_FACIAL_TRACKER_CREATE_INFO_HTC,
		.joint_set = MOCK_FACE_LIPS_HTC };
	XrBaseInStructure android = {
		.type = (XrStructureType)MOCK_TYPE_FACE_TRACKER_CREATE_INFO_ANDROID
	};
	struct client client;
	MockFaceFB face;
	MockFaceHTC mouth;
	MockFaceANDROID other;

	open_session(&client);
#define CREATE_FB()                                                                                \
	CALL(&client, "xrCreateFaceTracker2FB", create_fb_fn, client.session, &fb, &face)
	assert_int_equal(CREATE_FB(), XR_ERROR_FEATURE_UNSUPPORTED);
	fb.source_count = 2;
	fb.sources = twice;
	assert_int_equal(CREATE_FB(), XR_ERROR_VALIDATION_FAILURE);
	fb.source_count = 0;
	fb.expression_set = 1;
	assert_int_equal(CREATE_FB(), XR_ERROR_FEATURE_UNSUPPORTED);
	fb.expression_set = 0;
	say("set supports_fb_face 0");
	assert_int_equal(CREATE_FB(), XR_ERROR_FEATURE_UNSUPPORTED);
	assert_int_equal(CALL(&client, "xrCreateFacialTrackerHTC", create_htc_fn, client.session,
				 &lips, &mouth),
		XR_ERROR_FEATURE_UNSUPPORTED);
	lips.joint_set = 3;
	assert_int_equal(CALL(&client, "xrCreateFacialTrackerHTC", create_htc_fn, client.session,
				 &lips, &mouth),
		XR_ERROR_VALIDATION_FAILURE);
	say("set supports_android_face 0");
	assert_int_equal(CALL(&client, "xrCreateFaceTrackerANDROID", create_android_fn,
				 client.session, &android, &other),
		XR_ERROR_FEATURE_UNSUPPORTED);
	close_session(&client);
}

static void refuses_wrong_counts_and_times_of_fb(void **)
{
	const struct mock_face_info_fb info = { .type = MOCK_TYPE_FACE_TRACKER_CREATE_INFO2_FB };
	float weights[MOCK_FACE_COUNT_FB] = { 0 };
	float confidences[2] = { 0 };
	struct mock_face_time at = { .type = MOCK_TYPE_FACE_EXPRESSION_INFO2_FB };
	struct mock_face_fb wanted = { .type = MOCK_TYPE_FACE_EXPRESSION_WEIGHTS2_FB,
		.weight_count = MOCK_FACE_COUNT_FB - 1,
		.weights = weights,
		.confidence_count = 2,
		.confidences = confidences };
	struct client client;
	MockFaceFB face;

	open_session(&client);
	assert_int_equal(
		CALL(&client, "xrCreateFaceTracker2FB", create_fb_fn, client.session, &info, &face),
		XR_SUCCESS);
#define GET_FB() CALL(&client, "xrGetFaceExpressionWeights2FB", get_fb_fn, face, &at, &wanted)
	assert_int_equal(GET_FB(), XR_ERROR_VALIDATION_FAILURE);
	wanted.weight_count = MOCK_FACE_COUNT_FB;
	wanted.confidence_count = 1;
	assert_int_equal(GET_FB(), XR_ERROR_VALIDATION_FAILURE);
	wanted.confidence_count = 2;
	assert_int_equal(GET_FB(), XR_ERROR_TIME_INVALID);
	say("forgive");
	at.time = client.now;
	assert_int_equal(GET_FB(), XR_SUCCESS);
	assert_int_equal(count_faults("xrGetFaceExpressionWeights2FB: called while"), 1);
	begin_session(&client);
	assert_true(
		wanted.is_valid && weights[0] == 0.25f && isnan(weights[1]) && weights[2] == 7.0f);
	assert_int_equal(GET_FB(), XR_SUCCESS);
	assert_int_equal(count_faults("xrGetFaceExpressionWeights2FB: the values were not"), 1);
	CALL(&client, "xrDestroyFaceTracker2FB", destroy_fb_fn, face);
	assert_int_equal(GET_FB(), XR_ERROR_HANDLE_INVALID);
	close_session(&client);
}

static void refuses_wrong_sizes_of_htc_and_android(void **)
{
	const struct mock_tracker_info eyes = { .type = MOCK_TYPE_FACIAL_TRACKER_CREATE_INFO_HTC,
		.joint_set = MOCK_FACE_EYES_HTC };
	const XrBaseInStructure info = {
		.type = (XrStructureType)MOCK_TYPE_FACE_TRACKER_CREATE_INFO_ANDROID
	};
	float values[MOCK_FACE_COUNT_ANDROID] = { 0 };
	float confidences[3] = { 0 };
	struct client client;
	struct mock_face_htc htc = { .type = MOCK_TYPE_FACIAL_EXPRESSIONS_HTC,
		.count = MOCK_FACE_EYE_COUNT_HTC - 1,
		.weights = values };
	struct mock_face_android android = { .type = MOCK_TYPE_FACE_STATE_ANDROID,
		.parameter_capacity = MOCK_FACE_COUNT_ANDROID,
		.parameters = values,
		.confidence_capacity = 2,
		.confidences = confidences };
	struct mock_face_time at = { .type = MOCK_TYPE_FACE_STATE_GET_INFO_ANDROID };
	MockFaceHTC left;
	MockFaceANDROID right;

	open_session(&client);
	begin_session(&client);
	at.time = client.now;
	assert_int_equal(CALL(&client, "xrCreateFacialTrackerHTC", create_htc_fn, client.session,
				 &eyes, &left),
		XR_SUCCESS);
	assert_int_equal(CALL(&client, "xrCreateFaceTrackerANDROID", create_android_fn,
				 client.session, &info, &right),
		XR_SUCCESS);
#define GET_ANDROID() CALL(&client, "xrGetFaceStateANDROID", get_android_fn, right, &at, &android)
	assert_int_equal(CALL(&client, "xrGetFacialExpressionsHTC", get_htc_fn, left, &htc),
		XR_ERROR_SIZE_INSUFFICIENT);
	assert_int_equal(GET_ANDROID(), XR_ERROR_SIZE_INSUFFICIENT);
	assert_int_equal(android.confidence_count, 3);
	android.confidence_capacity = 3;
	assert_int_equal(GET_ANDROID(), XR_SUCCESS);
	assert_true(android.is_valid && android.state == 2 && confidences[2] == 1.0f);
	CALL(&client, "xrDestroyFacialTrackerHTC", destroy_htc_fn, left);
	CALL(&client, "xrDestroyFaceTrackerANDROID", destroy_android_fn, right);
	close_session(&client);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(has_no_faces_without_the_extensions, set_up),
		cmocka_unit_test_setup(refuses_faces_that_the_device_lacks, set_up),
		cmocka_unit_test_setup(refuses_wrong_counts_and_times_of_fb, set_up),
		cmocka_unit_test_setup(refuses_wrong_sizes_of_htc_and_android, set_up),
	};

	return mock_script_load() ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
}
