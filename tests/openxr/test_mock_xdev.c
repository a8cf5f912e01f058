/* Tests the devices of the mock runtime (XR_MNDX_xdev_space): it refuses what Monado refuses. */
#include "mock_script.h"
#include "unit_test.h"

struct client {
	XrInstance instance;
	XrSession session;
};

static int set_up(void **)
{
	say("offer XR_MND_headless XR_FB_body_tracking XR_META_body_tracking_full_body "
	    "XR_KHR_convert_timespec_time XR_MNDX_xdev_space");
	say("forgive");
	say("xdev add Vive%20Tracker LHR-1 /xdev/waist");
	say("xdev add HMD - -");
	return 0;
}

static int tear_down(void **)
{
	say("xdev remove /xdev/waist");
	say("xdev remove -");
	return 0;
}

typedef XrResult(XRAPI_PTR *create_list_fn)(
	XrSession session, const struct mock_xdev_list_info *info, MockXDevList *list);
typedef XrResult(XRAPI_PTR *generation_fn)(MockXDevList list, uint64_t *generation);
typedef XrResult(XRAPI_PTR *enumerate_fn)(
	MockXDevList list, uint32_t capacity, uint32_t *count, uint64_t *ids);
typedef XrResult(XRAPI_PTR *properties_fn)(MockXDevList list, const struct mock_xdev_info *info,
	struct mock_xdev_properties *properties);
typedef XrResult(XRAPI_PTR *destroy_list_fn)(MockXDevList list);
typedef XrResult(XRAPI_PTR *create_space_fn)(
	XrSession session, const struct mock_xdev_space_info *info, XrSpace *space);

static void open_with_devices(struct client *client, MockXDevList *list)
{
	const XrSessionCreateInfo session = { .type = XR_TYPE_SESSION_CREATE_INFO, .systemId = 7 };
	const struct mock_xdev_list_info info = { .type = MOCK_TYPE_CREATE_XDEV_LIST_INFO_MNDX };

	assert_int_equal(mock_create_instance(5, &client->instance), XR_SUCCESS);
	assert_int_equal(xrCreateSession(client->instance, &session, &client->session), XR_SUCCESS);
	say("set supports_xdev 0");
	assert_int_equal(
		CALL(client, "xrCreateXDevListMNDX", create_list_fn, client->session, &info, list),
		XR_ERROR_FEATURE_UNSUPPORTED);
	say("set supports_xdev 1");
	assert_int_equal(
		CALL(client, "xrCreateXDevListMNDX", create_list_fn, client->session, &info, list),
		XR_SUCCESS);
}

static void a_list_of_devices_is_a_snapshot(void **)
{
	struct client client;
	MockXDevList list;
	uint64_t before, after, ids[2];
	uint32_t count = 0;

	open_with_devices(&client, &list);
	assert_int_equal(CALL(&client, "xrEnumerateXDevsMNDX", enumerate_fn, list, 1, &count, ids),
		XR_ERROR_SIZE_INSUFFICIENT);
	assert_int_equal(count, 2);
	CALL(&client, "xrGetXDevListGenerationNumberMNDX", generation_fn, list, &before);
	say("xdev remove /xdev/waist");
	assert_int_equal(CALL(&client, "xrEnumerateXDevsMNDX", enumerate_fn, list, 2, &count, ids),
		XR_SUCCESS);
	assert_int_equal(count, 2);
	CALL(&client, "xrGetXDevListGenerationNumberMNDX", generation_fn, list, &after);
	assert_true(before == after);
	say("set xdev_live 1");
	CALL(&client, "xrGetXDevListGenerationNumberMNDX", generation_fn, list, &after);
	assert_true(before != after);
	say("set xdev_live 0");
	say("set xdev_fixed 1");
	CALL(&client, "xrGetXDevListGenerationNumberMNDX", generation_fn, list, &after);
	assert_int_equal(after, 1);
	say("set xdev_fixed 0");
	CALL(&client, "xrDestroyXDevListMNDX", destroy_list_fn, list);
	assert_int_equal(count_faults(""), 0);
	assert_int_equal(CALL(&client, "xrEnumerateXDevsMNDX", enumerate_fn, list, 2, &count, ids),
		XR_ERROR_HANDLE_INVALID);
	xrDestroySession(client.session);
	xrDestroyInstance(client.instance);
	assert_int_equal(count_faults(""), 1);
}

static void refuses_a_space_of_a_device_as_monado_does(void **)
{
	struct client client;
	MockXDevList list;
	struct mock_xdev_info info = { .type = MOCK_TYPE_GET_XDEV_INFO_MNDX, .id = 42 };
	struct mock_xdev_properties properties = { .type = MOCK_TYPE_XDEV_PROPERTIES_MNDX };
	XrSpace space;

	open_with_devices(&client, &list);
	struct mock_xdev_space_info wanted = {
		.type = MOCK_TYPE_CREATE_XDEV_SPACE_INFO_MNDX, .list = list, .id = 42
	};
#define SPACE()                                                                                    \
	CALL(&client, "xrCreateXDevSpaceMNDX", create_space_fn, client.session, &wanted, &space)
	assert_int_equal(SPACE(), XR_ERROR_POSE_INVALID);
	wanted.offset.orientation.w = 1.0f;
	wanted.id = 43; /* no pose */
	assert_int_equal(SPACE(), XR_ERROR_VALIDATION_FAILURE);
	wanted.id = 44; /* no device */
	assert_int_equal(SPACE(), XR_ERROR_VALIDATION_FAILURE);
	assert_int_equal(count_faults("xrCreateXDevSpaceMNDX"), 3);
	wanted.id = 42;
	assert_int_equal(SPACE(), XR_SUCCESS);
	assert_int_equal(
		CALL(&client, "xrGetXDevPropertiesMNDX", properties_fn, list, &info, &properties),
		XR_SUCCESS);
	assert_string_equal(properties.name, "Vive Tracker");
	assert_string_equal(properties.serial, "LHR-1");
	assert_true(properties.can_create_space);
	info.id = 44;
	assert_int_equal(
		CALL(&client, "xrGetXDevPropertiesMNDX", properties_fn, list, &info, &properties),
		XR_ERROR_VALIDATION_FAILURE);
	CALL(&client, "xrDestroyXDevListMNDX", destroy_list_fn, list);
	assert_int_equal(xrDestroySpace(space), XR_SUCCESS);
	xrDestroySession(client.session);
	xrDestroyInstance(client.instance);
}

static void has_no_devices_without_the_extension(void **)
{
	PFN_xrVoidFunction function = NULL;
	XrInstance instance;

	assert_int_equal(mock_create_instance(4, &instance), XR_SUCCESS);
	assert_int_equal(xrGetInstanceProcAddr(instance, "xrCreateXDevListMNDX", &function),
		XR_ERROR_FUNCTION_UNSUPPORTED);
	xrDestroyInstance(instance);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_list_of_devices_is_a_snapshot, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			refuses_a_space_of_a_device_as_monado_does, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			has_no_devices_without_the_extension, set_up, tear_down),
	};

	return mock_script_load() ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
}
