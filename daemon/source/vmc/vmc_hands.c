/* Prefers names that are certain: SlimeVR's, then serials with a hand, then sides of the body. */
#include "source/vmc/vmc_hands.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "jointcast/transform.h"
#include "jointcast_private/device_place.h"

#define FRESH_NS     INT64_C(1000000000) /* as for bones */
#define ASIDE        0.15f               /* metres beside the body that count fully */
#define DECIDED      0.5f                /* seconds */
#define SECONDS_MOST 30.0f               /* that are remembered */
#define STEP_MOST    0.1f                /* seconds between two calls that count */
#define QUARTER      1.5707963f

#define SLIMEVR "human://"

/* From the wrist to SlimeVR's controller, in the axes of the hanging hand. */
static const struct jc_vec3 slimevr_grip = { 0.0f, -0.035f, 0.13f };

/* From axes of a device with +Z to the front to those of OpenXR with -Z to the front. */
static const struct jc_quat half_turn = { 0.0f, 1.0f, 0.0f, 0.0f };

static bool contains(const char *text, const char *part)
{
	size_t length = strlen(part);

	for (; *text; text++) {
		if (strncasecmp(text, part, length) == 0) {
			return true;
		}
	}
	return false;
}

/* 0 left, 1 right, -1 unknown. */
static int named_side(const char *serial)
{
	bool left = contains(serial, "left");
	bool right = contains(serial, "right");

	return left == right ? -1 : right;
}

static bool is_of_slimevr(const struct jc_vmc_device *device)
{
	return strncmp(device->serial, SLIMEVR, strlen(SLIMEVR)) == 0;
}

/* The devices of one space: those as scaled to the avatar, or those as tracked. */
struct set {
	const struct jc_vmc_device *devices;
	size_t count;
	bool local;
	int64_t time_ns;
};

static bool is_in(const struct set *set, const struct jc_vmc_device *device)
{
	return device->local == set->local && set->time_ns - device->time_ns <= FRESH_NS;
}

/* The first device of a kind, one of SlimeVR if there is one. NULL: none. */
static const struct jc_vmc_device *find_head(const struct set *set)
{
	const struct jc_vmc_device *head = NULL;

	for (size_t i = 0; i < set->count; i++) {
		const struct jc_vmc_device *device = &set->devices[i];

		if (device->kind == JC_VMC_HMD && is_in(set, device) &&
			(!head || (is_of_slimevr(device) && !is_of_slimevr(head)))) {
			head = device;
		}
	}
	return head;
}

static const struct jc_vmc_device *find_waist(const struct set *set)
{
	for (size_t i = 0; i < set->count; i++) {
		const struct jc_vmc_device *device = &set->devices[i];

		if (device->kind == JC_VMC_TRACKER && is_in(set, device) &&
			strcmp(device->serial, SLIMEVR "WAIST") == 0) {
			return device;
		}
	}
	return NULL;
}

/* The room of a controller without a hand in its serial: its own, a free one, or that of a
 * controller that is silent. NULL: there are too many. */
static struct jc_vmc_side_of *find_side(struct jc_vmc_hands *hands, const char *serial)
{
	struct jc_vmc_side_of *found = NULL;

	for (int i = 0; i < JC_VMC_SIDES; i++) {
		struct jc_vmc_side_of *side = &hands->sides[i];

		if (strcmp(side->serial, serial) == 0) {
			return side;
		}
		if (!side->serial[0] || hands->time_ns - side->time_ns > FRESH_NS) {
			found = side;
		}
	}
	if (found) {
		*found = (struct jc_vmc_side_of){ .seconds = 0.0f };
		strcpy(found->serial, serial);
	}
	return found;
}

/* Direction to the left of the trunk. */
static struct jc_vec3 find_left(const struct jc_pose *pose)
{
	struct jc_quat turned = JC_QUAT_IDENTITY;

	for (int bone = JC_BONE_HIPS; bone <= JC_BONE_UPPER_CHEST; bone++) {
		if (pose->states[bone] != JC_ABSENT) {
			turned = jc_quat_multiply(turned, pose->rotations[bone]);
		}
	}
	return jc_quat_rotate(turned, (struct jc_vec3){ 1.0f, 0.0f, 0.0f });
}

static void watch_side(struct jc_vmc_side_of *side, float aside, float seconds)
{
	side->seconds += fminf(fmaxf(aside / ASIDE, -1.0f), 1.0f) * seconds;
	side->seconds = fminf(fmaxf(side->seconds, -SECONDS_MOST), SECONDS_MOST);
}

/* Controllers of a set by hand. */
struct controllers {
	const struct jc_vmc_device *hands[2]; /* left, right; NULL: none */
	const struct jc_vmc_device *unnamed[JC_VMC_SIDES];
	const struct jc_vmc_side_of *sides[JC_VMC_SIDES]; /* of these */
	size_t unnamed_count;
	bool too_many;
};

static void sort_controllers(struct jc_vmc_hands *hands, const struct set *set, struct jc_vec3 head,
	struct jc_vec3 left, float seconds, struct controllers *out_sorted)
{
	*out_sorted = (struct controllers){ .unnamed_count = 0 };
	for (size_t i = 0; i < set->count; i++) {
		const struct jc_vmc_device *device = &set->devices[i];
		int hand = named_side(device->serial);

		if (device->kind != JC_VMC_CONTROLLER || !is_in(set, device)) {
			continue;
		}
		hands->has_controllers = true;
		if (hand >= 0) {
			const struct jc_vmc_device **place = &out_sorted->hands[hand];

			*place = !*place || is_of_slimevr(device) ? device : *place;
			continue;
		}
		struct jc_vmc_side_of *side = find_side(hands, device->serial);

		if (!side || out_sorted->unnamed_count == JC_VMC_SIDES) {
			out_sorted->too_many = true;
			continue;
		}
		side->time_ns = device->time_ns;
		watch_side(
			side, jc_vec3_dot(jc_vec3_subtract(device->position, head), left), seconds);
		out_sorted->unnamed[out_sorted->unnamed_count] = device;
		out_sorted->sides[out_sorted->unnamed_count++] = side;
	}
}

/* Gives controllers without names to free hands. Returns whether all hands are clear. */
static bool assign_sides(struct controllers *sorted)
{
	bool free[2] = { !sorted->hands[0], !sorted->hands[1] };
	float seconds;

	if (!(free[0] || free[1]) || (sorted->unnamed_count == 0 && !sorted->too_many)) {
		return true;
	}
	if (sorted->too_many || (sorted->unnamed_count == 2 && !(free[0] && free[1]))) {
		return false;
	}
	if (!(free[0] && free[1])) {
		sorted->hands[free[0] ? 0 : 1] = sorted->unnamed[0];
		return true;
	}
	seconds = sorted->sides[0]->seconds;
	if (sorted->unnamed_count == 2) {
		seconds = 0.5f * (seconds - sorted->sides[1]->seconds);
	}
	if (fabsf(seconds) < DECIDED) {
		return false;
	}
	sorted->hands[seconds > 0.0f ? 0 : 1] = sorted->unnamed[0];
	if (sorted->unnamed_count == 2) {
		sorted->hands[seconds > 0.0f ? 1 : 0] = sorted->unnamed[1];
	}
	return true;
}

static struct jc_device_pose openxr_pose(const struct jc_vmc_device *device)
{
	return (struct jc_device_pose){ device->position,
		jc_quat_multiply(device->rotation, half_turn) };
}

static struct jc_reach_hand place_hand(const struct jc_vmc_device *device, int side)
{
	struct jc_reach_hand hand = { .is_known = true };

	if (is_of_slimevr(device)) {
		hand.wrist = jc_vec3_subtract(
			device->position, jc_quat_rotate(device->rotation, slimevr_grip));
		hand.turned = jc_quat_multiply(device->rotation,
			jc_quat_from_axis_angle((struct jc_vec3){ 0.0f, 0.0f, 1.0f },
				side == 0 ? -QUARTER : QUARTER));
		return hand;
	}
	struct jc_body_joint joint =
		jc_device_place_aim(side == 0 ? JC_HAND_LEFT : JC_HAND_RIGHT, openxr_pose(device));

	hand.wrist = joint.position;
	hand.turned = jc_quat_multiply(joint.orientation,
		jc_quat_conjugate(jc_joint_t_pose(JC_PROFILE_WEBXR_SPEC,
			side == 0 ? JC_JOINT_LEFT_HAND_WRIST : JC_JOINT_RIGHT_HAND_WRIST)));
	return hand;
}

static void place_head(const struct jc_vmc_device *device, struct jc_reach *reach)
{
	bool is_neck = is_of_slimevr(device);

	reach->anchor = is_neck ? JC_BONE_NECK : JC_BONE_HEAD;
	reach->place =
		is_neck ? device->position : jc_device_place_head(openxr_pose(device)).position;
}

void jc_vmc_hands_find(struct jc_vmc_hands *hands, const struct jc_vmc_device *devices,
	size_t count, const struct jc_pose *pose, int64_t time_ns, struct jc_reach *out_reach)
{
	struct set set = { .devices = devices, .count = count, .time_ns = time_ns };
	float seconds = (float)(time_ns - hands->time_ns) * 1.0e-9f;
	const struct jc_vmc_device *head = find_head(&set);
	struct controllers sorted;

	*out_reach = (struct jc_reach){ .anchor = JC_BONE_HEAD };
	if (!head) {
		set.local = true;
		head = find_head(&set);
	}
	set.local = head && set.local;
	hands->time_ns = time_ns;
	hands->is_slimevr = false;
	for (size_t i = 0; i < count; i++) {
		hands->is_slimevr = hands->is_slimevr || is_of_slimevr(&devices[i]);
	}
	hands->has_head = head != NULL;
	hands->has_controllers = false;
	sort_controllers(hands, &set, head ? head->position : (struct jc_vec3){ 0 },
		find_left(pose), head ? fminf(fmaxf(seconds, 0.0f), STEP_MOST) : 0.0f, &sorted);
	hands->is_unclear = !assign_sides(&sorted);
	if (!head) {
		return;
	}
	place_head(head, out_reach);
	const struct jc_vmc_device *waist = find_waist(&set);

	if (waist && out_reach->anchor == JC_BONE_NECK) {
		out_reach->has_hips = true;
		out_reach->hips = waist->position;
	}
	for (int side = 0; side < 2; side++) {
		if (sorted.hands[side]) {
			out_reach->hands[side] = place_hand(sorted.hands[side], side);
		}
	}
}
