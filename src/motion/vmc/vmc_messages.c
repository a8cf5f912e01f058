/* Reads the messages of VMC and checks the types and values of their arguments. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "jointcast/transform.h"
#include "jointcast_private/apps/sender_clock.h"
#include "vmc_model.h"
#include "vmc_receiver.h"

#define UNIT_TOLERANCE  0.1f /* of a quaternion's length; normalised if within */
#define MESSAGE_NUMBERS 7    /* position and rotation */

#define PREFIX "/VMC/Ext/"

/* Why a message is not used. */
static const char wrong_types[] = "arguments of wrong types";
static const char impossible[] = "impossible number";
static const char unknown_bone[] = "unknown bone";
static const char unknown_address[] = "unknown address";
static const char long_name[] = "name too long";
static const char many_shapes[] = "too many blend shapes";
static const char many_devices[] = "too many devices";

/* Reads position and rotation after a name, into canonical axes. Returns the reason against it,
 * or NULL. */
static const char *read_item(const struct jc_vmc_receiver *receiver,
	const struct jc_osc_message *message, struct jc_vmc_item *out_item)
{
	float n[MESSAGE_NUMBERS];

	if (!jc_osc_matches(message, "snnnnnnn")) {
		return wrong_types;
	}
	for (int i = 0; i < MESSAGE_NUMBERS; i++) {
		double value = jc_osc_number(&message->arguments[1 + i]);

		/* NaN fails too. */
		if (!(fabs(value) <= (double)JC_LIMIT_COORDINATE)) {
			return impossible;
		}
		n[i] = (float)value;
	}
	struct jc_quat q = { n[3], n[4], n[5], n[6] };
	float length = sqrtf(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);

	if (!(fabsf(length - 1.0f) <= UNIT_TOLERANCE)) {
		return impossible;
	}
	out_item->position = jc_vmc_mirror_point((struct jc_vec3){ n[0], n[1], n[2] });
	out_item->rotation = jc_vmc_mirror_rotation(jc_quat_normalize(q));
	out_item->time_ns = receiver->now_ns;
	return NULL;
}

static const char *on_ok(struct jc_vmc_receiver *receiver, const struct jc_osc_message *message)
{
	if (!jc_osc_matches(message, "n")) {
		return wrong_types;
	}
	/* The fourth argument is the tracking status, since version 2.7. */
	double loaded = jc_osc_number(&message->arguments[0]);
	double tracking =
		jc_osc_matches(message, "nnnn") ? jc_osc_number(&message->arguments[3]) : 1.0;

	if (isnan(loaded) || isnan(tracking)) {
		return impossible;
	}
	receiver->values.available = loaded != 0.0 && tracking != 0.0;
	return NULL;
}

static const char *on_time(struct jc_vmc_receiver *receiver, const struct jc_osc_message *message)
{
	if (!jc_osc_matches(message, "n")) {
		return wrong_types;
	}
	const struct jc_osc_argument *time = &message->arguments[0];

	receiver->values.sent_ns = time->type == 'f' ? jc_sender_clock_ns(time->f)
				   : time->type == 'd' && fabs(time->d) < JC_SENDER_CLOCK_SECONDS
					   ? (int64_t)(time->d * 1.0e9)
					   : INT64_MIN;
	receiver->values.timed_ns = receiver->now_ns;
	return NULL;
}

static const char *on_root(struct jc_vmc_receiver *receiver, const struct jc_osc_message *message)
{
	struct jc_vmc_item item;
	const char *reason = read_item(receiver, message, &item);

	if (!reason) {
		jc_vmc_receiver_put(receiver, JC_VMC_ITEM_ROOT, &item);
	}
	return reason;
}

static const char *on_bone(struct jc_vmc_receiver *receiver, const struct jc_osc_message *message)
{
	struct jc_vmc_item item;

	if (!jc_osc_matches(message, "s")) {
		return wrong_types;
	}
	enum jc_bone bone = jc_vmc_bone_find(message->arguments[0].s);

	if (bone == JC_BONE_NONE) {
		return unknown_bone;
	}
	const char *reason = read_item(receiver, message, &item);

	if (!reason) {
		jc_vmc_receiver_put(receiver, bone, &item);
	}
	return reason;
}

static const char *on_blend_value(
	struct jc_vmc_receiver *receiver, const struct jc_osc_message *message)
{
	char name[JC_LIMIT_VMC_NAME_BYTES];
	size_t index = 0;

	if (!jc_osc_matches(message, "sn")) {
		return wrong_types;
	}
	double value = jc_osc_number(&message->arguments[1]);
	int length = snprintf(name, sizeof(name), JC_VMC_EXPRESSION "%s",
		jc_vmc_model_expression(message->arguments[0].s));

	if ((size_t)length >= sizeof(name)) {
		return long_name;
	}
	if (!isfinite(value)) {
		return impossible;
	}
	while (index < receiver->channel_count &&
		strcmp(receiver->channels[index].name, name) != 0) {
		index++;
	}
	if (index == JC_LIMIT_VMC_CHANNELS) {
		return many_shapes;
	}
	if (index == receiver->channel_count) {
		strcpy(receiver->channels[index].name, name);
		receiver->channels[index].value = 0.0f;
		receiver->channel_count++;
	}
	receiver->next_values[index] = (float)fmin(fmax(value, 0.0), 1.0);
	return NULL;
}

static const char *on_blend_apply(
	struct jc_vmc_receiver *receiver, const struct jc_osc_message *message)
{
	(void)message;
	for (size_t i = 0; i < receiver->channel_count; i++) {
		receiver->channels[i].value = receiver->next_values[i];
	}
	return NULL;
}

static const char *take_device(struct jc_vmc_receiver *receiver,
	const struct jc_osc_message *message, enum jc_vmc_device_kind kind, bool local)
{
	struct jc_vmc_item item;
	size_t index = 0;

	if (!jc_osc_matches(message, "s")) {
		return wrong_types;
	}
	const char *serial = message->arguments[0].s;

	if (strlen(serial) >= JC_LIMIT_VMC_NAME_BYTES) {
		return long_name;
	}
	while (index < receiver->device_count &&
		(receiver->devices[index].kind != kind || receiver->devices[index].local != local ||
			strcmp(receiver->devices[index].serial, serial) != 0)) {
		index++;
	}
	if (index == JC_LIMIT_VMC_DEVICES) {
		return many_devices;
	}
	const char *reason = read_item(receiver, message, &item);

	if (reason) {
		return reason;
	}
	struct jc_vmc_device *device = &receiver->devices[index];

	*device = (struct jc_vmc_device){ .kind = kind,
		.local = local,
		.position = item.position,
		.rotation = item.rotation,
		.time_ns = item.time_ns };
	strcpy(device->serial, serial);
	receiver->device_count += index == receiver->device_count;
	return NULL;
}

static const char *on_device(struct jc_vmc_receiver *receiver, const struct jc_osc_message *message)
{
	static const char *const addresses[][2] = {
		[JC_VMC_HMD] = { "Hmd/Pos", "Hmd/Pos/Local" },
		[JC_VMC_CONTROLLER] = { "Con/Pos", "Con/Pos/Local" },
		[JC_VMC_TRACKER] = { "Tra/Pos", "Tra/Pos/Local" },
	};
	const char *name = message->address + strlen(PREFIX);

	for (int kind = JC_VMC_HMD; kind <= JC_VMC_TRACKER; kind++) {
		for (int local = 0; local < 2; local++) {
			if (strcmp(name, addresses[kind][local]) == 0) {
				return take_device(
					receiver, message, (enum jc_vmc_device_kind)kind, local);
			}
		}
	}
	return unknown_address;
}

/* Messages of the protocol that are about something else than a body: the program, the camera,
 * the light, and devices with keys. */
static const char *on_other(struct jc_vmc_receiver *receiver, const struct jc_osc_message *message)
{
	(void)receiver;
	(void)message;
	return NULL;
}

/* Returns why the message is not used; NULL: no fault. */
static const char *dispatch(struct jc_vmc_receiver *receiver, const struct jc_osc_message *message)
{
	static const struct {
		const char *name;
		const char *(*take)(struct jc_vmc_receiver *, const struct jc_osc_message *);
	} addresses[] = {
		{ "Bone/Pos", on_bone },
		{ "Root/Pos", on_root },
		{ "Blend/Val", on_blend_value },
		{ "Blend/Apply", on_blend_apply },
		{ "OK", on_ok },
		{ "T", on_time },
		{ "Cam", on_other },
		{ "Con", on_other },
		{ "Key", on_other },
		{ "Midi/Note", on_other },
		{ "Midi/CC/Val", on_other },
		{ "Midi/CC/Bit", on_other },
		{ "Light", on_other },
		{ "VRM", on_other },
		{ "Remote", on_other },
		{ "Opt", on_other },
		{ "Rcv", on_other },
		{ "Setting/Color", on_other },
		{ "Setting/Win", on_other },
		{ "Config", on_other },
	};

	if (strncmp(message->address, PREFIX, strlen(PREFIX)) != 0) {
		return unknown_address;
	}
	for (size_t i = 0; i < sizeof(addresses) / sizeof(addresses[0]); i++) {
		if (strcmp(message->address + strlen(PREFIX), addresses[i].name) == 0) {
			return addresses[i].take(receiver, message);
		}
	}
	return on_device(receiver, message);
}

void jc_vmc_messages_take(void *context, const struct jc_osc_message *message)
{
	struct jc_vmc_receiver *receiver = context;
	const char *reason = dispatch(receiver, message);

	receiver->counts.messages++;
	if (!reason) {
		return;
	}
	jc_osc_names_add(&receiver->unused, message->address);
	receiver->counts.invalid += reason == impossible;
	receiver->counts.ignored += reason != impossible;
	if (!receiver->reason.what[0]) {
		jc_diagnose(&receiver->reason, JC_ERROR_INVALID, message->address, "%s%s%.60s",
			reason, reason == unknown_bone ? " " : "",
			reason == unknown_bone ? message->arguments[0].s : "");
	}
}
