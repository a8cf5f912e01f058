/* Marionette: poses out of packets. Values are kept as they come, in canonical
 * axes, and become a pose when a frame of them is whole, so that a pose never
 * has the arms of one moment and the legs of the next. */
#include "jointcast/vmc.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast/osc.h"
#include "jointcast/transform.h"
#include "vmc_names.h"

#define ITEM_ROOT  JC_BONE_COUNT /* items of a frame: the bones, and this */
#define ITEM_COUNT (JC_BONE_COUNT + 1)

#define GAP_NS      4000000    /* silence that ends a frame; they are 8 to 33 ms apart */
#define FRESH_NS    1000000000 /* a bone not heard of for longer is estimated */
#define SHORT_TIMES 8          /* frames short of an item before it is not waited for */

#define UNIT_TOLERANCE  0.1f  /* of a quaternion's length; normalised within */
#define LEAST_HIPS      0.05f /* metres; leg bones without offsets give none */
#define UNKNOWN_HEIGHT  0.945f
#define MESSAGE_NUMBERS 7 /* position and rotation */

struct item {
	struct jc_vec3 position;
	struct jc_quat rotation;
	int64_t time_ns;
};

struct jc_vmc_receiver {
	struct jc_vmc_counts counts;
	struct jc_vmc_frame frame;
	int64_t now_ns; /* of the packet being taken */
	bool available; /* the sender has a model and tracks */

	/* The frame in the making; bit = item. */
	uint64_t known;    /* ever came */
	uint64_t pending;  /* came since the last frame */
	uint64_t expected; /* make a frame whole */
	uint64_t recent;   /* came in the frames that fell short */
	unsigned short_count;
	int64_t newest_ns; /* when the last of the pending came */
	struct item items[ITEM_COUNT];

	size_t channel_count;
	struct jc_vmc_channel channels[JC_LIMIT_VMC_CHANNELS];
	float next_values[JC_LIMIT_VMC_CHANNELS]; /* until the next Apply */
	size_t device_count;
	struct jc_vmc_device devices[JC_LIMIT_VMC_DEVICES];
};

int jc_vmc_receiver_create(struct jc_vmc_receiver **out_receiver)
{
	struct jc_vmc_receiver *receiver = calloc(1, sizeof(*receiver));

	if (!receiver) {
		return JC_ERROR_MEMORY;
	}
	receiver->available = true;
	receiver->items[ITEM_ROOT].rotation = JC_QUAT_IDENTITY;
	*out_receiver = receiver;
	return JC_OK;
}

void jc_vmc_receiver_destroy(struct jc_vmc_receiver *receiver)
{
	free(receiver);
}

static bool has(const struct jc_vmc_receiver *receiver, int item)
{
	return receiver->known >> item & 1;
}

/* How far the lowest joint of a leg stands below the hips in the T-pose, where
 * every offset lies in canonical axes; 0 for a leg that is not whole. */
static float leg_drop(const struct jc_vmc_receiver *receiver, const enum jc_bone leg[4])
{
	float drop = 0.0f;

	for (int i = 0; i < 3; i++) {
		if (!has(receiver, leg[i])) {
			return 0.0f;
		}
		drop -= receiver->items[leg[i]].position.y;
	}
	return has(receiver, leg[3]) ? fmaxf(drop, drop - receiver->items[leg[3]].position.y)
				     : drop;
}

static float measure_hips_height(const struct jc_vmc_receiver *receiver)
{
	static const enum jc_bone legs[2][4] = {
		{ JC_BONE_LEFT_UPPER_LEG, JC_BONE_LEFT_LOWER_LEG, JC_BONE_LEFT_FOOT,
			JC_BONE_LEFT_TOES },
		{ JC_BONE_RIGHT_UPPER_LEG, JC_BONE_RIGHT_LOWER_LEG, JC_BONE_RIGHT_FOOT,
			JC_BONE_RIGHT_TOES },
	};
	float height = fmaxf(leg_drop(receiver, legs[0]), leg_drop(receiver, legs[1]));

	return height >= LEAST_HIPS ? height : UNKNOWN_HEIGHT;
}

/* Where the hips of an avatar stand in its T-pose, from its hips height and the
 * built-in figure's proportions. */
static struct jc_vec3 rest_hips(const struct jc_vmc_receiver *receiver, float height)
{
	bool toes = has(receiver, JC_BONE_LEFT_TOES) || has(receiver, JC_BONE_RIGHT_TOES);
	bool feet = has(receiver, JC_BONE_LEFT_FOOT) || has(receiver, JC_BONE_RIGHT_FOOT);
	float hips = jc_bone_rest_position(JC_BONE_HIPS).y;
	float floor =
		jc_bone_rest_position(feet && !toes ? JC_BONE_LEFT_FOOT : JC_BONE_LEFT_TOES).y;

	return (struct jc_vec3){ 0.0f, height * hips / (hips - floor), 0.0f };
}

static struct jc_vec3 hips_translation(const struct jc_vmc_receiver *receiver, float height)
{
	struct jc_vec3 rest = rest_hips(receiver, height);
	struct jc_vec3 hips = receiver->items[JC_BONE_HIPS].position;
	const struct item *root = &receiver->items[ITEM_ROOT];

	if (hips.x == 0.0f && hips.y == 0.0f && hips.z == 0.0f) {
		hips = rest;
	}
	hips = jc_vec3_add(root->position, jc_quat_rotate(root->rotation, hips));
	return jc_vec3_scale(jc_vec3_subtract(hips, rest), 1.0f / height);
}

static void make_pose(struct jc_vmc_receiver *receiver)
{
	struct jc_vmc_frame *frame = &receiver->frame;
	struct jc_pose *pose = &frame->pose;

	jc_pose_init(pose);
	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		const struct item *item = &receiver->items[bone];

		if (has(receiver, bone)) {
			bool fresh = receiver->newest_ns - item->time_ns <= FRESH_NS;

			pose->rotations[bone] = item->rotation;
			pose->states[bone] =
				receiver->available && fresh ? JC_TRACKED : JC_ESTIMATED;
		}
	}
	/* What turns the model turns its hips. */
	pose->rotations[JC_BONE_HIPS] = jc_quat_normalize(jc_quat_multiply(
		receiver->items[ITEM_ROOT].rotation, pose->rotations[JC_BONE_HIPS]));
	if (has(receiver, ITEM_ROOT) && !has(receiver, JC_BONE_HIPS)) {
		pose->states[JC_BONE_HIPS] = JC_ESTIMATED;
	}
	frame->hips_height = measure_hips_height(receiver);
	pose->hips_translation = hips_translation(receiver, frame->hips_height);
}

static void end_frame(struct jc_vmc_receiver *receiver)
{
	if ((receiver->expected & ~receiver->pending) == 0) {
		receiver->recent = 0;
		receiver->short_count = 0;
	} else {
		receiver->recent |= receiver->pending;
		if (++receiver->short_count == SHORT_TIMES) {
			receiver->expected = receiver->recent;
			receiver->recent = 0;
			receiver->short_count = 0;
		}
	}
	receiver->expected |= receiver->pending;
	receiver->pending = 0;
	if ((receiver->known & ~(UINT64_C(1) << ITEM_ROOT)) == 0) {
		return; /* a place without a body */
	}
	make_pose(receiver);
	receiver->frame.time_ns = receiver->newest_ns;
	receiver->frame.number = ++receiver->counts.frames;
}

static void end_frame_after_gap(struct jc_vmc_receiver *receiver, int64_t now_ns)
{
	if (receiver->pending && now_ns - receiver->newest_ns >= GAP_NS) {
		end_frame(receiver);
	}
}

static void take_item(struct jc_vmc_receiver *receiver, int index, const struct item *item)
{
	uint64_t bit = UINT64_C(1) << index;

	if (receiver->pending & bit) {
		end_frame(receiver);
	}
	receiver->items[index] = *item;
	receiver->known |= bit;
	receiver->pending |= bit;
	receiver->newest_ns = item->time_ns;
	if (receiver->expected && (receiver->expected & ~receiver->pending) == 0) {
		end_frame(receiver);
	}
}

/* Do the arguments begin like this ("sfffffff")? More are allowed. */
static bool matches(const struct jc_osc_message *message, const char *types)
{
	size_t count = strlen(types);

	if (message->argument_count < count) {
		return false;
	}
	for (size_t i = 0; i < count; i++) {
		if (message->arguments[i].type != types[i]) {
			return false;
		}
	}
	return true;
}

/* Position and rotation behind a name, into canonical axes. */
static bool read_item(struct jc_vmc_receiver *receiver, const struct jc_osc_message *message,
	struct item *out_item)
{
	float n[MESSAGE_NUMBERS];

	for (int i = 0; i < MESSAGE_NUMBERS; i++) {
		n[i] = message->arguments[1 + i].f;
		/* NaN fails too. */
		if (!(fabsf(n[i]) <= JC_LIMIT_COORDINATE)) {
			receiver->counts.invalid++;
			return false;
		}
	}
	struct jc_quat q = { n[3], n[4], n[5], n[6] };
	float length = sqrtf(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);

	if (!(fabsf(length - 1.0f) <= UNIT_TOLERANCE)) {
		receiver->counts.invalid++;
		return false;
	}
	out_item->position = jc_vmc_mirror_point((struct jc_vec3){ n[0], n[1], n[2] });
	out_item->rotation = jc_vmc_mirror_rotation(jc_quat_normalize(q));
	out_item->time_ns = receiver->now_ns;
	return true;
}

static bool on_ok(struct jc_vmc_receiver *receiver, const struct jc_osc_message *message)
{
	if (!matches(message, "i")) {
		return false;
	}
	/* The fourth argument is the tracking status since version 2.7. */
	receiver->available = message->arguments[0].i != 0 &&
			      (!matches(message, "iiii") || message->arguments[3].i != 0);
	return true;
}

static bool on_time(struct jc_vmc_receiver *receiver, const struct jc_osc_message *message)
{
	(void)receiver;
	return matches(message, "f");
}

static bool on_root(struct jc_vmc_receiver *receiver, const struct jc_osc_message *message)
{
	struct item item;

	if (!matches(message, "sfffffff")) {
		return false;
	}
	if (read_item(receiver, message, &item)) {
		take_item(receiver, ITEM_ROOT, &item);
	}
	return true;
}

static bool on_bone(struct jc_vmc_receiver *receiver, const struct jc_osc_message *message)
{
	struct item item;

	if (!matches(message, "sfffffff")) {
		return false;
	}
	enum jc_bone bone = jc_vmc_bone_find(message->arguments[0].s);

	if (bone == JC_BONE_NONE) {
		return false;
	}
	if (read_item(receiver, message, &item)) {
		take_item(receiver, bone, &item);
	}
	return true;
}

static bool on_blend_value(struct jc_vmc_receiver *receiver, const struct jc_osc_message *message)
{
	char name[JC_LIMIT_VMC_NAME_BYTES];
	size_t index = 0;

	if (!matches(message, "sf")) {
		return false;
	}
	float value = message->arguments[1].f;
	int length = snprintf(name, sizeof(name), JC_VMC_EXPRESSION "%s",
		jc_vmc_expression(message->arguments[0].s));

	if ((size_t)length >= sizeof(name)) {
		return false;
	}
	if (!isfinite(value)) {
		receiver->counts.invalid++;
		return true;
	}
	while (index < receiver->channel_count &&
		strcmp(receiver->channels[index].name, name) != 0) {
		index++;
	}
	if (index == JC_LIMIT_VMC_CHANNELS) {
		return false;
	}
	if (index == receiver->channel_count) {
		strcpy(receiver->channels[index].name, name);
		receiver->channels[index].value = 0.0f;
		receiver->channel_count++;
	}
	receiver->next_values[index] = fminf(fmaxf(value, 0.0f), 1.0f);
	return true;
}

static bool on_blend_apply(struct jc_vmc_receiver *receiver, const struct jc_osc_message *message)
{
	(void)message;
	for (size_t i = 0; i < receiver->channel_count; i++) {
		receiver->channels[i].value = receiver->next_values[i];
	}
	return true;
}

static bool take_device(struct jc_vmc_receiver *receiver, const struct jc_osc_message *message,
	enum jc_vmc_device_kind kind, bool local)
{
	struct item item;
	size_t index = 0;

	if (!matches(message, "sfffffff")) {
		return false;
	}
	const char *serial = message->arguments[0].s;

	if (strlen(serial) >= JC_LIMIT_VMC_NAME_BYTES) {
		return false;
	}
	while (index < receiver->device_count &&
		(receiver->devices[index].kind != kind || receiver->devices[index].local != local ||
			strcmp(receiver->devices[index].serial, serial) != 0)) {
		index++;
	}
	if (index == JC_LIMIT_VMC_DEVICES) {
		return false;
	}
	if (!read_item(receiver, message, &item)) {
		return true;
	}
	struct jc_vmc_device *device = &receiver->devices[index];

	*device = (struct jc_vmc_device){ .kind = kind,
		.local = local,
		.position = item.position,
		.rotation = item.rotation,
		.time_ns = item.time_ns };
	strcpy(device->serial, serial);
	receiver->device_count += index == receiver->device_count;
	return true;
}

static bool on_device(struct jc_vmc_receiver *receiver, const struct jc_osc_message *message)
{
	static const char *const addresses[][2] = {
		[JC_VMC_HMD] = { "Hmd/Pos", "Hmd/Pos/Local" },
		[JC_VMC_CONTROLLER] = { "Con/Pos", "Con/Pos/Local" },
		[JC_VMC_TRACKER] = { "Tra/Pos", "Tra/Pos/Local" },
	};
	const char *name = message->address + strlen("/VMC/Ext/");

	for (int kind = JC_VMC_HMD; kind <= JC_VMC_TRACKER; kind++) {
		for (int local = 0; local < 2; local++) {
			if (strcmp(name, addresses[kind][local]) == 0) {
				return take_device(
					receiver, message, (enum jc_vmc_device_kind)kind, local);
			}
		}
	}
	return false;
}

/* False: not a message that is read. */
static bool dispatch(struct jc_vmc_receiver *receiver, const struct jc_osc_message *message)
{
	static const struct {
		const char *name;
		bool (*take)(struct jc_vmc_receiver *, const struct jc_osc_message *);
	} addresses[] = {
		{ "Bone/Pos", on_bone },
		{ "Root/Pos", on_root },
		{ "Blend/Val", on_blend_value },
		{ "Blend/Apply", on_blend_apply },
		{ "OK", on_ok },
		{ "T", on_time },
	};

	if (strncmp(message->address, "/VMC/Ext/", strlen("/VMC/Ext/")) != 0) {
		return false;
	}
	for (size_t i = 0; i < sizeof(addresses) / sizeof(addresses[0]); i++) {
		if (strcmp(message->address + strlen("/VMC/Ext/"), addresses[i].name) == 0) {
			return addresses[i].take(receiver, message);
		}
	}
	return on_device(receiver, message);
}

static void on_message(void *context, const struct jc_osc_message *message)
{
	struct jc_vmc_receiver *receiver = context;

	receiver->counts.messages++;
	if (!dispatch(receiver, message)) {
		receiver->counts.ignored++;
	}
}

int jc_vmc_receiver_take(struct jc_vmc_receiver *receiver, const void *bytes, size_t length,
	int64_t now_ns, struct jc_diagnostic *diagnostic)
{
	receiver->counts.packets++;
	receiver->now_ns = now_ns;
	end_frame_after_gap(receiver, now_ns);
	int status = jc_osc_read(bytes, length, on_message, receiver, diagnostic);

	if (status != JC_OK) {
		receiver->counts.refused++;
	}
	return status;
}

const struct jc_vmc_frame *jc_vmc_receiver_frame(struct jc_vmc_receiver *receiver, int64_t now_ns)
{
	end_frame_after_gap(receiver, now_ns);
	return receiver->frame.number > 0 ? &receiver->frame : NULL;
}

const struct jc_vmc_counts *jc_vmc_receiver_counts(const struct jc_vmc_receiver *receiver)
{
	return &receiver->counts;
}

size_t jc_vmc_receiver_channel_count(const struct jc_vmc_receiver *receiver)
{
	return receiver->channel_count;
}

const struct jc_vmc_channel *jc_vmc_receiver_channels(const struct jc_vmc_receiver *receiver)
{
	return receiver->channels;
}

size_t jc_vmc_receiver_device_count(const struct jc_vmc_receiver *receiver)
{
	return receiver->device_count;
}

const struct jc_vmc_device *jc_vmc_receiver_devices(const struct jc_vmc_receiver *receiver)
{
	return receiver->devices;
}
