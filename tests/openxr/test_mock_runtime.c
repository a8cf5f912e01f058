/* Tests the mock runtime behind the real loader: it detects errors of a client and fails as its
 * script requests. Without this, tests of the client could pass by mistake. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mock_script.h"
#include "unit_test.h"

struct client {
	XrInstance instance;
	XrSession session;
	XrSpace stage;
	MockTrackerFB tracker;
};

static XrResult create_instance(XrInstance *out_instance)
{
	return mock_create_instance(4, out_instance);
}

static XrTime now(const struct client *client)
{
	struct timespec timespec;
	XrTime time = 0;

	clock_gettime(CLOCK_MONOTONIC, &timespec);
	assert_int_equal(
		CALL(client, "xrConvertTimespecTimeToTimeKHR", PFN_xrConvertTimespecTimeToTimeKHR,
			client->instance, &timespec, &time),
		XR_SUCCESS);
	return time;
}

typedef XrResult(XRAPI_PTR *create_tracker_fn)(
	XrSession session, const struct mock_tracker_info *info, MockTrackerFB *tracker);
typedef XrResult(XRAPI_PTR *destroy_tracker_fn)(MockTrackerFB tracker);
typedef XrResult(XRAPI_PTR *locate_fn)(MockTrackerFB tracker, const struct mock_locate_info *info,
	struct mock_locations_fb *locations);
typedef XrResult(XRAPI_PTR *skeleton_fn)(MockTrackerFB tracker, struct mock_skeleton_fb *skeleton);

static void open_session(struct client *client)
{
	const XrSessionCreateInfo session = { .type = XR_TYPE_SESSION_CREATE_INFO, .systemId = 7 };
	const XrReferenceSpaceCreateInfo space = {
		.type = XR_TYPE_REFERENCE_SPACE_CREATE_INFO,
		.referenceSpaceType = XR_REFERENCE_SPACE_TYPE_STAGE,
		.poseInReferenceSpace = { .orientation = { .w = 1.0f } },
	};
	const struct mock_tracker_info tracker = { .type = MOCK_TYPE_BODY_TRACKER_CREATE_INFO_FB,
		.joint_set = MOCK_JOINT_SET_FULL_BODY_META };

	assert_int_equal(create_instance(&client->instance), XR_SUCCESS);
	assert_int_equal(xrCreateSession(client->instance, &session, &client->session), XR_SUCCESS);
	assert_int_equal(
		xrCreateReferenceSpace(client->session, &space, &client->stage), XR_SUCCESS);
	assert_int_equal(CALL(client, "xrCreateBodyTrackerFB", create_tracker_fn, client->session,
				 &tracker, &client->tracker),
		XR_SUCCESS);
}

static void close_session(struct client *client)
{
	CALL(client, "xrDestroyBodyTrackerFB", destroy_tracker_fn, client->tracker);
	xrDestroySpace(client->stage);
	xrDestroySession(client->session);
	xrDestroyInstance(client->instance);
}

static XrResult locate(const struct client *client, struct mock_locations_fb *locations)
{
	const struct mock_locate_info info = { .type = MOCK_TYPE_BODY_JOINTS_LOCATE_INFO_FB,
		.base_space = client->stage,
		.time = now(client) };

	return CALL(client, "xrLocateBodyJointsFB", locate_fn, client->tracker, &info, locations);
}

/* One frame of two joints, and a rest; the command is "play fb" or "solarxr". */
static void play_by(const char *beginning)
{
	char path[] = "/tmp/mock-motion-XXXXXX";
	char command[64];
	FILE *file = fdopen(mkstemp(path), "w");

	fputs("{\"jointcast\":\"body-frames\",\"joints\":[\"hips\",\"left-lower-leg\"],"
	      "\"rest\":{\"joints\":[[0,1,0,0,0,0,1,2],[0.1,0.5,0,0,0,0,1,2]]}}\n"
	      "{\"t\":0,\"joints\":[[1,2,3,0,0,0,1,2],[4,5,6,0,0,0,1,1]]}\n",
		file);
	fclose(file);
	snprintf(command, sizeof(command), "%s %s", beginning, path);
	say(command);
	remove(path);
}

static void play(void)
{
	play_by("play fb");
}

static int set_up(void **)
{
	say("offer XR_MND_headless XR_FB_body_tracking XR_META_body_tracking_full_body "
	    "XR_KHR_convert_timespec_time");
	say("up");
	say("forgive");
	play();
	return 0;
}

static struct mock_locations_fb cleared(struct mock_location joints[MOCK_JOINT_COUNT_META])
{
	memset(joints, 0, MOCK_JOINT_COUNT_META * sizeof(*joints));
	return (struct mock_locations_fb){
		.type = MOCK_TYPE_BODY_JOINT_LOCATIONS_FB,
		.joint_count = MOCK_JOINT_COUNT_META,
		.joints = joints,
	};
}

static void delivers_the_scripted_joints_without_a_fault(void **)
{
	struct client client;
	struct mock_location joints[MOCK_JOINT_COUNT_META];
	struct mock_locations_fb locations = cleared(joints);

	open_session(&client);
	assert_int_equal(locate(&client, &locations), XR_SUCCESS);
	assert_true(locations.is_active);
	assert_int_equal(joints[0].flags, 0);
	assert_int_equal(joints[1].flags, 15);
	assert_true(joints[1].pose.position.y == 2.0f);
	assert_int_equal(joints[71].flags, 3);
	assert_int_equal(joints[2].flags, 0);
	close_session(&client);
	assert_int_equal(count_faults(""), 0);
}

static void inactive_body_does_not_change_time_and_legs(void **)
{
	struct client client;
	struct mock_location joints[MOCK_JOINT_COUNT_META];
	struct mock_locations_fb locations = cleared(joints);

	open_session(&client);
	joints[69].flags = joints[70].flags = 15;
	locations.time = 5;
	say("set active 0");
	assert_int_equal(locate(&client, &locations), XR_SUCCESS);
	say("set active 1");
	assert_false(locations.is_active);
	assert_int_equal(locations.time, 5);
	assert_int_equal(joints[69].flags, 0);
	assert_int_equal(joints[70].flags, 15);
	close_session(&client);
	assert_int_equal(count_faults("xrLocateBodyJointsFB: the locations were not cleared"), 1);
	assert_int_equal(count_faults(""), 1);
}

static void scrambled_skeleton_contains_every_joint_once(void **)
{
	struct client client;
	struct mock_skeleton_joint_fb joints[MOCK_JOINT_COUNT_META] = { 0 };
	struct mock_skeleton_fb skeleton = { .type = MOCK_TYPE_BODY_SKELETON_FB,
		.joint_count = MOCK_JOINT_COUNT_META,
		.joints = joints };
	int seen[MOCK_JOINT_COUNT_META] = { 0 };
	int moved = 0;

	open_session(&client);
	say("set scramble 1");
	assert_int_equal(
		CALL(&client, "xrGetBodySkeletonFB", skeleton_fn, client.tracker, &skeleton),
		XR_SUCCESS);
	say("set scramble 0");
	for (int i = 0; i < MOCK_JOINT_COUNT_META; i++) {
		assert_in_range(joints[i].joint, 0, MOCK_JOINT_COUNT_META - 1);
		assert_int_equal(seen[joints[i].joint]++, 0);
		moved += joints[i].joint != i;
	}
	assert_true(moved == MOCK_JOINT_COUNT_META);
	close_session(&client);
}

static void skeleton_of_solarxr_contains_the_played_joints_alone(void **)
{
	struct client client;
	struct mock_skeleton_joint_fb joints[MOCK_JOINT_COUNT_META] = { 0 };
	struct mock_skeleton_fb skeleton = { .type = MOCK_TYPE_BODY_SKELETON_FB,
		.joint_count = MOCK_JOINT_COUNT_META,
		.joints = joints };

	play_by("solarxr");
	open_session(&client);
	assert_int_equal(
		CALL(&client, "xrGetBodySkeletonFB", skeleton_fn, client.tracker, &skeleton),
		XR_SUCCESS);
	say("set partial 0");
	say("set supports_height 1");
	say("set supports_fidelity 1");
	for (int i = 0; i < MOCK_JOINT_COUNT_META; i++) {
		assert_int_equal(joints[i].joint, i == 1 || i == 71 ? i : 85);
	}
	close_session(&client);
}

static void *poll_from_elsewhere(void *context)
{
	XrEventDataBuffer event = { .type = XR_TYPE_EVENT_DATA_BUFFER };

	xrPollEvent(*(XrInstance *)context, &event);
	return NULL;
}

static void a_call_from_another_thread_is_a_fault(void **)
{
	struct client client;
	pthread_t thread;

	open_session(&client);
	assert_int_equal(count_faults(""), 0);
	pthread_create(&thread, NULL, poll_from_elsewhere, &client.instance);
	pthread_join(thread, NULL);
	assert_int_equal(count_faults("xrPollEvent: called from another thread"), 1);
	close_session(&client);
}

static void unset_types_and_chains_are_faults(void **)
{
	struct client client;
	XrEventDataBuffer event = { .type = 0 };
	XrBaseOutStructure stranger = { .type = XR_TYPE_VIEW };
	struct mock_location joints[MOCK_JOINT_COUNT_META];
	struct mock_locations_fb locations = cleared(joints);

	open_session(&client);
	assert_int_equal(xrPollEvent(client.instance, &event), XR_ERROR_VALIDATION_FAILURE);
	assert_int_equal(count_faults("xrPollEvent: type 0"), 1);
	locations.next = &stranger;
	assert_int_equal(locate(&client, &locations), XR_ERROR_VALIDATION_FAILURE);
	assert_int_equal(count_faults("xrLocateBodyJointsFB: type 7 in the chain"), 1);
	close_session(&client);
}

static void use_after_destroy_and_forgotten_children_are_faults(void **)
{
	struct client client;
	uint32_t count;

	open_session(&client);
	assert_int_equal(xrDestroySession(client.session), XR_SUCCESS);
	assert_int_equal(count_faults("xrDestroySession: a space was not destroyed"), 1);
	assert_int_equal(count_faults("xrDestroySession: a FB body tracker was not destroyed"), 1);
	assert_int_equal(xrEnumerateReferenceSpaces(client.session, 0, &count, NULL),
		XR_ERROR_HANDLE_INVALID);
	assert_int_equal(count_faults("xrEnumerateReferenceSpaces: used after"), 1);
	xrDestroyInstance(client.instance);
}

static void a_frame_loop_without_a_display_is_a_fault(void **)
{
	struct client client;
	const XrFrameWaitInfo info = { .type = XR_TYPE_FRAME_WAIT_INFO };
	XrFrameState frame = { .type = XR_TYPE_FRAME_STATE };

	open_session(&client);
	xrWaitFrame(client.session, &info, &frame);
	assert_int_equal(count_faults("xrWaitFrame"), 1);
	close_session(&client);
}

static void a_session_begun_before_it_is_ready_is_a_fault(void **)
{
	struct client client;
	const XrSessionBeginInfo info = { .type = XR_TYPE_SESSION_BEGIN_INFO };

	say("set auto_ready 0");
	open_session(&client);
	say("set auto_ready 1");
	assert_int_equal(xrBeginSession(client.session, &info), XR_ERROR_SESSION_NOT_READY);
	assert_int_equal(count_faults("xrBeginSession"), 1);
	close_session(&client);
}

static void end_of_the_service_invalidates_handles_and_restarts_time(void **)
{
	struct client client;
	struct client again;
	XrInstance instance;
	XrEventDataBuffer event = { .type = XR_TYPE_EVENT_DATA_BUFFER };
	struct mock_location joints[MOCK_JOINT_COUNT_META];
	struct mock_locations_fb locations = cleared(joints);

	open_session(&client);
	XrTime before = now(&client);

	say("set fade 1");
	say("down -2");
	assert_int_equal(xrPollEvent(client.instance, &event), XR_ERROR_INSTANCE_LOST);
	const struct mock_locate_info info = { .type = MOCK_TYPE_BODY_JOINTS_LOCATE_INFO_FB,
		.base_space = client.stage,
		.time = before };

	/* The first call fades away, the next knows. */
	assert_int_equal(
		CALL(&client, "xrLocateBodyJointsFB", locate_fn, client.tracker, &info, &locations),
		XR_ERROR_RUNTIME_FAILURE);
	say("set fade 0");
	assert_int_equal(
		CALL(&client, "xrLocateBodyJointsFB", locate_fn, client.tracker, &info, &locations),
		XR_ERROR_SESSION_LOST);
	close_session(&client);
	assert_int_equal(create_instance(&instance), XR_ERROR_RUNTIME_FAILURE);
	say("down -51");
	assert_int_equal(create_instance(&instance), XR_ERROR_RUNTIME_UNAVAILABLE);
	say("up");
	open_session(&again);
	assert_true(now(&again) - before > 900000000000);
	assert_int_equal(count_faults(""), 0);
	const struct mock_locate_info old = { .type = MOCK_TYPE_BODY_JOINTS_LOCATE_INFO_FB,
		.base_space = again.stage,
		.time = before };

	CALL(&again, "xrLocateBodyJointsFB", locate_fn, again.tracker, &old, &locations);
	assert_int_equal(count_faults("xrLocateBodyJointsFB: a time of another epoch"), 1);
	close_session(&again);
}

static void returns_a_scripted_result_the_given_number_of_times(void **)
{
	struct client client;
	XrEventDataBuffer event = { .type = XR_TYPE_EVENT_DATA_BUFFER };

	open_session(&client);
	say("result xrPollEvent -2 2");
	assert_int_equal(xrPollEvent(client.instance, &event), XR_ERROR_RUNTIME_FAILURE);
	assert_int_equal(xrPollEvent(client.instance, &event), XR_ERROR_RUNTIME_FAILURE);
	assert_int_equal(xrPollEvent(client.instance, &event), XR_SUCCESS);
	assert_int_equal(event.type, XR_TYPE_EVENT_DATA_SESSION_STATE_CHANGED);
	close_session(&client);
}

/* As Monado 25.1: an inactive body is never refused, and joints are filled before the refusal. */
static void refuses_a_chain_after_the_joints_of_an_active_body(void **)
{
	struct client client;
	struct mock_location joints[MOCK_JOINT_COUNT_META];
	struct mock_locations_fb locations = cleared(joints);
	struct mock_status_meta calibration = { .type = MOCK_TYPE_CALIBRATION_STATUS_META };

	open_session(&client);
	locations.next = &calibration;
	say("refuse calibration_status -8");
	say("set active 0");
	assert_int_equal(locate(&client, &locations), XR_SUCCESS);
	say("set active 1");
	assert_int_equal(locate(&client, &locations), XR_ERROR_FEATURE_UNSUPPORTED);
	assert_int_equal(joints[1].flags, 15);
	locations = cleared(joints);
	assert_int_equal(locate(&client, &locations), XR_SUCCESS);
	say("refuse calibration_status 0");
	locations = cleared(joints);
	locations.next = &calibration;
	say("set supports_height 0");
	assert_int_equal(locate(&client, &locations), XR_ERROR_FEATURE_UNSUPPORTED);
	say("set supports_height 1");
	locations = cleared(joints);
	locations.next = &calibration;
	assert_int_equal(locate(&client, &locations), XR_SUCCESS);
	assert_int_equal(calibration.value, 1);
	close_session(&client);
	assert_int_equal(count_faults(""), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(delivers_the_scripted_joints_without_a_fault, set_up),
		cmocka_unit_test_setup(inactive_body_does_not_change_time_and_legs, set_up),
		cmocka_unit_test_setup(scrambled_skeleton_contains_every_joint_once, set_up),
		cmocka_unit_test_setup(
			skeleton_of_solarxr_contains_the_played_joints_alone, set_up),
		cmocka_unit_test_setup(a_call_from_another_thread_is_a_fault, set_up),
		cmocka_unit_test_setup(unset_types_and_chains_are_faults, set_up),
		cmocka_unit_test_setup(use_after_destroy_and_forgotten_children_are_faults, set_up),
		cmocka_unit_test_setup(a_frame_loop_without_a_display_is_a_fault, set_up),
		cmocka_unit_test_setup(a_session_begun_before_it_is_ready_is_a_fault, set_up),
		cmocka_unit_test_setup(
			end_of_the_service_invalidates_handles_and_restarts_time, set_up),
		cmocka_unit_test_setup(returns_a_scripted_result_the_given_number_of_times, set_up),
		cmocka_unit_test_setup(refuses_a_chain_after_the_joints_of_an_active_body, set_up),
	};
	if (!mock_script_load()) {
		return 1;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
