/* Creates, destroys and loses handles, and never reuses one. */
#include "mock.h"

static const char *const names[MOCK_KINDS] = {
	[MOCK_INSTANCE] = "instance",
	[MOCK_SESSION] = "session",
	[MOCK_SPACE] = "space",
	[MOCK_ACTION_SET] = "action set",
	[MOCK_HAND_TRACKER] = "hand tracker",
	[MOCK_TRACKER_FB] = "FB body tracker",
	[MOCK_TRACKER_BD] = "BD body tracker",
	[MOCK_TRACKER_HTC] = "HTC body tracker",
	[MOCK_XDEV_LIST] = "list of devices",
	[MOCK_FACE_FB] = "FB face tracker",
	[MOCK_FACE_HTC] = "HTC facial tracker",
	[MOCK_FACE_ANDROID] = "Android face tracker",
};

uint64_t mock_create(enum mock_kind kind, uint64_t parent)
{
	if (mock.object_count == MOCK_OBJECTS) {
		return 0;
	}
	mock.objects[mock.object_count] = (struct mock_object){
		.kind = kind,
		.parent = (uint32_t)parent,
		.is_alive = true,
		.pose = { .orientation = { .w = 1.0f } },
	};
	return ++mock.object_count;
}

struct mock_object *mock_object(uint64_t handle)
{
	return handle >= 1 && handle <= mock.object_count ? &mock.objects[handle - 1] : NULL;
}

/* Children come after their parents. The specification permits children to end with their
 * parent; the mock reports a client that relies on it, because it has lost track of its objects.
 * Actions may end with their set. */
void mock_destroy(const char *function, uint64_t handle)
{
	for (uint64_t i = handle + 1; i <= mock.object_count; i++) {
		const struct mock_object *child = mock_object(i);

		if (!child->is_alive || child->parent != handle) {
			continue;
		}
		if (child->kind != MOCK_ACTION) {
			mock_blame(function, "a %s was not destroyed before", names[child->kind]);
		}
		mock_destroy(function, i);
	}
	mock_object(handle)->is_alive = false;
}

XrResult mock_end(const char *function, enum mock_kind kind, uint64_t handle)
{
	XrResult result = mock_enter(function, kind, handle);

	if (result != XR_SUCCESS) {
		return result;
	}
	mock_destroy(function, handle);
	return mock_leave(XR_SUCCESS);
}

static bool is_under(const struct mock_object *object, uint32_t top)
{
	while (object && object->parent != top) {
		object = mock_object(object->parent);
	}
	return object != NULL;
}

void mock_lose(enum mock_kind kind)
{
	for (uint32_t top = 1; top <= mock.object_count; top++) {
		if (mock_object(top)->kind != kind || !mock_object(top)->is_alive) {
			continue;
		}
		mock_object(top)->is_lost = true;
		for (uint32_t i = top + 1; i <= mock.object_count; i++) {
			if (is_under(mock_object(i), top)) {
				mock_object(i)->is_lost = true;
			}
		}
	}
}
