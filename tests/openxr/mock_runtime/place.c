/* Computes all poses: motions at the newest sample, in any space. The initial stage is the
 * world; a recentring moves the reference spaces. */
#include <string.h>

#include "mock.h"

static XrQuaternionf multiply(XrQuaternionf a, XrQuaternionf b)
{
	return (XrQuaternionf){
		a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
		a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
		a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
		a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
	};
}

static XrQuaternionf conjugate(XrQuaternionf q)
{
	return (XrQuaternionf){ -q.x, -q.y, -q.z, q.w };
}

static XrVector3f rotate(XrQuaternionf q, XrVector3f v)
{
	XrQuaternionf turned =
		multiply(multiply(q, (XrQuaternionf){ v.x, v.y, v.z, 0.0f }), conjugate(q));

	return (XrVector3f){ turned.x, turned.y, turned.z };
}

static XrPosef combine(XrPosef a, XrPosef b)
{
	XrVector3f way = rotate(a.orientation, b.position);

	return (XrPosef){
		multiply(a.orientation, b.orientation),
		{ a.position.x + way.x, a.position.y + way.y, a.position.z + way.z },
	};
}

static XrPosef invert(XrPosef pose)
{
	XrQuaternionf back = conjugate(pose.orientation);
	XrVector3f way = rotate(back, pose.position);

	return (XrPosef){ back, { -way.x, -way.y, -way.z } };
}

static const struct mock_joint *current(enum mock_stream_name name, int column)
{
	const struct mock_motion *motion = mock.streams[name].motion;

	if (!motion || column < 0) {
		return NULL;
	}
	double t = mock.held >= 0.0 ? mock.held : (double)(mock_sample() - mock.motion_ns) / 1e9;

	return &motion->joints[mock_motion_frame(motion, t) * motion->joint_count + (size_t)column];
}

static int find_device(const char *name)
{
	const struct mock_motion *motion = mock.streams[MOCK_STREAM_DEVICES].motion;

	for (size_t i = 0; motion && name && i < motion->joint_count; i++) {
		if (strcmp(motion->names[i], name) == 0) {
			return (int)i;
		}
	}
	return -1;
}

static XrPosef scaled(XrPosef pose)
{
	float scale = (float)mock.knobs.scale;

	pose.position.x *= scale;
	pose.position.y *= scale;
	pose.position.z *= scale;
	return pose;
}

/* The transform of a reference space in the world; false if it is unknown. */
static bool find_base(uint64_t handle, XrPosef *out_base)
{
	const struct mock_object *space = mock_object(handle);
	XrPosef base = mock.recentred;

	if (!space || space->kind != MOCK_SPACE || !space->is_alive || space->action ||
		space->is_xdev) {
		return false;
	}
	if (space->value == XR_REFERENCE_SPACE_TYPE_LOCAL) {
		base.position.y += (float)mock.knobs.local_height;
	} else if (space->value == XR_REFERENCE_SPACE_TYPE_VIEW) {
		const struct mock_joint *view = current(MOCK_STREAM_DEVICES, find_device("view"));

		if (!view || view->state == 0) {
			return false;
		}
		base = scaled(view->pose);
	}
	*out_base = combine(base, space->pose);
	return true;
}

static XrSpaceLocationFlags locate(const struct mock_joint *joint, uint64_t base, XrPosef *out_pose)
{
	static const XrSpaceLocationFlags by_state[3] = { 0, 3, 15 };
	XrSpaceLocationFlags flags = 0;
	XrPosef origin;

	memset(out_pose, 0, sizeof(*out_pose));
	if (!joint || mock.is_down || !find_base(base, &origin)) {
		return 0;
	}
	flags = by_state[joint->state < 3 ? joint->state : 0] &
		(XrSpaceLocationFlags)mock.knobs.flags;
	XrPosef pose = combine(invert(origin), scaled(joint->pose));

	/* Without its bit a value reads as zeros. */
	if (flags & XR_SPACE_LOCATION_ORIENTATION_VALID_BIT) {
		out_pose->orientation = pose.orientation;
	}
	if (flags & XR_SPACE_LOCATION_POSITION_VALID_BIT) {
		out_pose->position = pose.position;
	}
	return flags;
}

XrSpaceLocationFlags mock_locate(
	enum mock_stream_name stream, size_t joint, uint64_t base, XrPosef *out_pose)
{
	return locate(current(stream, mock.streams[stream].columns[joint]), base, out_pose);
}

XrSpaceLocationFlags mock_locate_device(const char *name, uint64_t base, XrPosef *out_pose)
{
	return locate(current(MOCK_STREAM_DEVICES, find_device(name)), base, out_pose);
}

/* The path that an action is bound to for a hand or role. */
static const char *bound_path(const struct mock_object *space)
{
	const char *user = space->path ? mock_path_text(space->path) : "";

	for (size_t i = 0; user && i < mock.binding_count; i++) {
		const char *path = mock_path_text(mock.bindings[i].path);

		if (mock.bindings[i].action == space->action &&
			strncmp(path, user, strlen(user)) == 0 && find_device(path) >= 0) {
			return path;
		}
	}
	return NULL;
}

bool mock_is_gaze(uint64_t action)
{
	for (size_t i = 0; i < mock.binding_count; i++) {
		if (mock.bindings[i].action == action &&
			strcmp(mock_path_text(mock.bindings[i].path), MOCK_GAZE) == 0) {
			return true;
		}
	}
	return false;
}

XrSpaceLocationFlags mock_locate_space(uint64_t handle, uint64_t base, XrPosef *out_pose)
{
	const struct mock_object *space = mock_object(handle);
	struct mock_joint joint = { .state = 2 };

	if (space->action) {
		bool is_ready = mock.is_synced && mock.session_state == XR_SESSION_STATE_FOCUSED;

		return mock_locate_device(is_ready ? bound_path(space) : NULL, base, out_pose);
	}
	if (space->is_xdev) {
		return mock_locate_device(mock_path_text(space->path), base, out_pose);
	}
	if (space->value == XR_REFERENCE_SPACE_TYPE_VIEW) {
		return mock_locate_device("view", base, out_pose);
	}
	if (!find_base(handle, &joint.pose)) {
		joint.state = 0;
	}
	float scale = (float)mock.knobs.scale;

	joint.pose.position.x /= scale;
	joint.pose.position.y /= scale;
	joint.pose.position.z /= scale;
	return locate(&joint, base, out_pose);
}

bool mock_rest(enum mock_stream_name stream, size_t joint, XrPosef *out_pose)
{
	const struct mock_motion *motion = mock.streams[stream].motion;
	int column = mock.streams[stream].columns[joint];

	memset(out_pose, 0, sizeof(*out_pose));
	out_pose->orientation.w = 1.0f;
	if (!motion || !motion->rest || mock.knobs.no_skeleton != 0.0) {
		return false;
	}
	if (column >= 0 && motion->rest[column].state) {
		*out_pose = scaled(motion->rest[column].pose);
	}
	return true;
}
