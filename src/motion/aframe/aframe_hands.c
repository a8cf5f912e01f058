/* Assigns controllers to hands by names, then by place, and detects hand-controls by the roll. */
#include "aframe_hands.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "jointcast/transform.h"

#define RADIANS   0.017453292519943295f
#define TURNED    20.0f  /* degrees of roll that two hands differ by more if they are turned */
#define HALF_TURN 180.0f /* no YXZ angle about Z is larger */

struct jc_quat jc_aframe_hands_rotation(struct jc_vec3 degrees)
{
	struct jc_quat x =
		jc_quat_from_axis_angle((struct jc_vec3){ 1.0f, 0.0f, 0.0f }, degrees.x * RADIANS);
	struct jc_quat y =
		jc_quat_from_axis_angle((struct jc_vec3){ 0.0f, 1.0f, 0.0f }, degrees.y * RADIANS);
	struct jc_quat z =
		jc_quat_from_axis_angle((struct jc_vec3){ 0.0f, 0.0f, 1.0f }, degrees.z * RADIANS);

	return jc_quat_normalize(jc_quat_multiply(y, jc_quat_multiply(x, z)));
}

static bool contains(const char *text, const char *word)
{
	for (; *text; text++) {
		if (strncasecmp(text, word, strlen(word)) == 0) {
			return true;
		}
	}
	return false;
}

/* The hand that a text names, or JC_HANDS. */
static enum jc_hand named_hand(const char *text)
{
	bool left = contains(text, "left");

	return left == contains(text, "right") ? JC_HANDS : left ? JC_HAND_LEFT : JC_HAND_RIGHT;
}

/* Sum over the poses of whether the device is left of the head, -1 or 1 each. */
static long count_left(const struct jc_aframe_device *device, const struct jc_aframe_device *camera)
{
	size_t at = 0;
	long sum = 0;

	for (size_t i = 0; i < device->count; i++) {
		const struct jc_aframe_pose *pose = &device->poses[i];
		struct jc_vec3 right;

		while (at + 1 < camera->count && camera->poses[at + 1].t <= pose->t) {
			at++;
		}
		right = jc_quat_rotate(jc_aframe_hands_rotation(camera->poses[at].degrees),
			(struct jc_vec3){ 1.0f, 0.0f, 0.0f });
		sum += jc_vec3_dot(right,
			       jc_vec3_subtract(pose->position, camera->poses[at].position)) < 0.0f
			       ? 1
			       : -1;
	}
	return sum;
}

static void give(struct jc_aframe_body *body, enum jc_hand hand,
	const struct jc_aframe_device *device, struct jc_lint *lint)
{
	if (hand == JC_HANDS || body->hands[hand]) {
		jc_lint_add(lint, JC_WARNING, "device-unused",
			hand == JC_HANDS ? "which hand holds '%s' is unknown: left out"
					 : "'%s' is a second controller of one hand: left out",
			device->id);
		return;
	}
	body->hands[hand] = device;
}

/* Where no name decides. The other hand is the one that is left. */
static enum jc_hand hand_by_place(
	const struct jc_aframe_body *body, const struct jc_aframe_device *device)
{
	if (body->hands[JC_HAND_LEFT] && !body->hands[JC_HAND_RIGHT]) {
		return JC_HAND_RIGHT;
	}
	if (body->hands[JC_HAND_RIGHT] && !body->hands[JC_HAND_LEFT]) {
		return JC_HAND_LEFT;
	}
	if (!body->camera) {
		return JC_HANDS;
	}
	return count_left(device, body->camera) > 0 ? JC_HAND_LEFT : JC_HAND_RIGHT;
}

static bool is_controller(const struct jc_aframe_device *device)
{
	return device->kind != JC_AFRAME_CAMERA;
}

/* The mean angle about Z, degrees. It is undefined where the device points up or down. */
static float mean_roll(const struct jc_aframe_device *device)
{
	double sine = 0.0, cosine = 0.0;

	for (size_t i = 0; i < device->count; i++) {
		struct jc_vec3 degrees = device->poses[i].degrees;
		double weight = cos((double)(degrees.x * RADIANS));

		sine += weight * sin((double)(degrees.z * RADIANS));
		cosine += weight * cos((double)(degrees.z * RADIANS));
	}
	return (float)atan2(sine, cosine) / RADIANS;
}

/* WebVR's versions of A-Frame add the turn to the angle about Z, which then leaves its range.
 * Otherwise the rolls of the hands decide: they are mirror images of each other, so a turn of both
 * makes half their difference larger by 90 degrees. */
static bool is_turned(const struct jc_aframe_body *body)
{
	float difference = 0.0f;
	float count = 0.0f;

	for (int hand = 0; hand < JC_HANDS; hand++) {
		const struct jc_aframe_device *device = body->hands[hand];

		if (!device || device->kind == JC_AFRAME_GRIP) {
			continue;
		}
		for (size_t i = 0; i < device->count; i++) {
			if (fabsf(device->poses[i].degrees.z) > HALF_TURN) {
				return true;
			}
		}
		difference += hand == JC_HAND_LEFT ? mean_roll(device) : -mean_roll(device);
		count += 1.0f;
	}
	return count > 0.0f && difference / count > TURNED;
}

void jc_aframe_hands_find(const struct jc_aframe_recording *recording,
	struct jc_aframe_body *out_body, struct jc_lint *lint)
{
	const struct jc_aframe_device *unnamed[JC_AFRAME_DEVICES];
	struct jc_aframe_body body = { .camera = NULL };
	size_t unnamed_count = 0;

	for (size_t i = 0; i < recording->count; i++) {
		const struct jc_aframe_device *device = &recording->devices[i];
		enum jc_hand hand = named_hand(device->id);

		hand = hand == JC_HANDS ? named_hand(device->hand) : hand;
		if (!is_controller(device)) {
			body.camera = device;
		} else if (hand == JC_HANDS) {
			unnamed[unnamed_count++] = device;
		} else {
			give(&body, hand, device, lint);
		}
	}
	/* Of two without names the first is assigned by its place, the second gets the other hand.
	 */
	for (size_t i = 0; i < unnamed_count; i++) {
		give(&body, hand_by_place(&body, unnamed[i]), unnamed[i], lint);
	}
	body.is_turned = is_turned(&body);
	*out_body = body;
}
