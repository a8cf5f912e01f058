/* Reads rosters and bundles of a space. A body that stands still sends nearly nothing: its last
 * pose is repeated just before the next one, so that a player does not interpolate through the
 * pause. */
#include "net/subscribed_space.h"

#include <stdlib.h>
#include <string.h>

#include "jointcast/error.h"
#include "jointcast/humanoid.h"
#include "jointcast/skeleton.h"

#define KEYFRAME_NS INT64_C(1000000000) /* the shortest time between two requests */

static void drop(struct jc_subscribed_space *space, size_t index)
{
	struct jc_subscribed_body *body = space->bodies[index];

	space->count--;
	memmove(&space->bodies[index], &space->bodies[index + 1],
		(space->count - index) * sizeof(space->bodies[0]));
	json_decref(body->entry);
	free(body);
}

void jc_subscribed_space_finish(struct jc_subscribed_space *space)
{
	while (space->count > 0) {
		drop(space, space->count - 1);
	}
}

static size_t find(const struct jc_subscribed_space *space, uint32_t id)
{
	size_t i = 0;

	while (i < space->count && space->bodies[i]->id != id) {
		i++;
	}
	return i;
}

static size_t count_values(const char *channel)
{
	return strcmp(channel, "lookAt") == 0 ? 4 : 1;
}

static void read_channels(struct jc_subscribed_body *body)
{
	const json_t *names = json_object_get(body->entry, "channels");

	body->channel_count = body->value_count = 0;
	for (size_t i = 0; i < json_array_size(names); i++) {
		const char *name = json_string_value(json_array_get(names, i));

		if (!name || body->value_count + count_values(name) > JC_LIMIT_STREAM_VALUES) {
			return;
		}
		body->channels[body->channel_count++] = name;
		body->value_count += count_values(name);
	}
}

static int update_body(struct jc_subscribed_space *space, json_t *entry)
{
	json_int_t id = json_integer_value(json_object_get(entry, "id"));
	size_t index = find(space, (uint32_t)id);
	struct jc_subscribed_body *body;

	if (id < 1 || id > UINT32_MAX || !json_is_string(json_object_get(entry, "name"))) {
		return JC_ERROR_INVALID;
	}
	if (index == space->count) {
		if (space->count == JC_SUBSCRIBED_BODIES) {
			return JC_ERROR_INVALID;
		}
		body = calloc(1, sizeof(*body));
		if (!body) {
			return JC_ERROR_MEMORY;
		}
		body->id = (uint32_t)id;
		space->bodies[space->count++] = body;
	}
	body = space->bodies[index];
	json_decref(body->entry);
	body->entry = json_incref(entry);
	body->may_record = json_is_true(json_object_get(entry, "mayRecord"));
	read_channels(body);
	return JC_OK;
}

bool jc_subscribed_space_roster_has(const json_t *bodies, uint32_t id)
{
	for (size_t i = 0; i < json_array_size(bodies); i++) {
		const json_t *entry = json_array_get(bodies, i);

		if (json_integer_value(json_object_get(entry, "id")) == id) {
			return true;
		}
	}
	return false;
}

/* Applies a complete roster. Bodies that stay keep the state of their streams. */
static int join(struct jc_subscribed_space *space, const json_t *roster)
{
	const char *epoch = json_string_value(json_object_get(roster, "epoch"));
	const json_t *bodies = json_object_get(roster, "bodies");
	json_int_t hz = json_integer_value(json_object_get(roster, "tickHz"));

	epoch = epoch ? epoch : "";
	if (hz < 1 || hz > 1000) {
		return JC_ERROR_INVALID;
	}
	bool is_other = strncmp(space->epoch, epoch, sizeof(space->epoch) - 1) != 0;

	for (size_t i = space->count; i-- > 0;) {
		if (is_other || !jc_subscribed_space_roster_has(bodies, space->bodies[i]->id)) {
			drop(space, i);
		}
	}
	space->is_joined = true;
	space->space = json_integer_value(json_object_get(roster, "id"));
	space->tick_hz = (uint32_t)hz;
	space->tick_us = json_integer_value(json_object_get(roster, "tickTime"));
	strncpy(space->epoch, epoch, sizeof(space->epoch) - 1);
	return JC_OK;
}

/* Whether a roster is complete or the successor of the one before; notes its revision. */
static bool follows(struct jc_subscribed_space *space, const json_t *roster, bool is_complete)
{
	uint64_t revision = (uint64_t)json_integer_value(json_object_get(roster, "revision"));

	if (!is_complete && revision <= space->revision) {
		return false;
	}
	if (!is_complete && revision != space->revision + 1) {
		space->misses_revision = true;
		return false;
	}
	space->revision = revision;
	if (is_complete) {
		space->misses_revision = space->has_requested_roster = false;
	}
	return true;
}

json_t *jc_subscribed_space_ask_roster(struct jc_subscribed_space *space, const char *name)
{
	if (!space->misses_revision || space->has_requested_roster) {
		return NULL;
	}
	space->has_requested_roster = true;
	return json_pack("{ss ss}", "type", "join", "space", name);
}

int jc_subscribed_space_take_roster(struct jc_subscribed_space *space, const json_t *roster)
{
	static const char *const lists[] = { "bodies", "joined", "changed" };
	const json_t *left = json_object_get(roster, "left");
	bool is_complete = json_object_get(roster, "bodies") != NULL;
	int error = is_complete ? join(space, roster) : JC_OK;

	if (!follows(space, roster, is_complete)) {
		return error;
	}
	for (size_t k = 0; k < json_array_size(left); k++) {
		size_t index = find(space, (uint32_t)json_integer_value(json_array_get(left, k)));

		if (index < space->count) {
			drop(space, index);
		}
	}
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		const json_t *list = json_object_get(roster, lists[i]);

		for (size_t k = 0; k < json_array_size(list) && !error; k++) {
			error = update_body(space, json_array_get(list, k));
		}
	}
	return error;
}

/* Rotations R and hips of coding 1. Without states every bone counts as tracked. Returns the mask
 * of all bones: those that a packet leaves out are at rest. */
static uint64_t plain_frame(const struct jc_subscribed_body *body, struct jc_stream_frame *frame)
{
	memcpy(frame->rotations, body->plain.rotations, sizeof(frame->rotations));
	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		frame->states[bone] =
			body->plain.has_states ? body->plain.states[bone] : (uint8_t)JC_TRACKED;
	}
	frame->hips_translation =
		body->plain.has_hips ? body->plain.hips_translation : (struct jc_vec3){ 0 };
	return (UINT64_C(1) << JC_BONE_COUNT) - 1;
}

/* The built-in skeleton has an identity rest, so its rotations are the pose. */
static void read_pose(struct jc_subscribed_body *body)
{
	float height = jc_bone_rest_position(JC_BONE_HIPS).y;
	struct jc_stream_frame frame;
	uint64_t bones = jc_stream_frame(&body->decoder, &frame);

	if (body->is_plain) {
		bones = plain_frame(body, &frame);
	}

	jc_pose_init(&body->pose);
	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		if (bones >> bone & 1) {
			body->pose.rotations[bone] = frame.rotations[bone];
			body->pose.states[bone] = frame.states[bone];
		}
	}
	body->pose.hips_translation = (struct jc_vec3){ frame.hips_translation.x / height,
		frame.hips_translation.y / height, frame.hips_translation.z / height };
	if (frame.value_count < body->value_count) {
		memset(body->values, 0, sizeof(body->values));
	}
	memcpy(body->values, frame.values, frame.value_count * sizeof(frame.values[0]));
	body->has_pose = true;
	body->moves++;
}

static int report_move(const struct jc_subscribed_space_ops *ops,
	const struct jc_subscribed_body *body, bool is_held)
{
	return ops ? ops->moved(ops->context, body, is_held) : JC_OK;
}

/* Repeats the last pose one tick before the next one. */
static int hold(const struct jc_subscribed_space *space, struct jc_subscribed_body *body,
	int64_t time_us, const struct jc_subscribed_space_ops *ops)
{
	int64_t tick_us = 1000000 / space->tick_hz;

	if (!body->has_pose || time_us - body->time_us < 2 * tick_us) {
		return JC_OK;
	}
	body->time_us = time_us - tick_us;
	body->tick = space->head.tick - 1;
	body->cut = false;
	return report_move(ops, body, true);
}

/* Decodes a packet of either coding. A packet with a chain has no rotations of coding 1. */
static int decode(struct jc_subscribed_body *body, const struct jc_packet_head *head,
	const uint8_t *payload, size_t length)
{
	int error = jc_stream_decode(&body->decoder, head, payload, length);

	if (error < 0 || head->needs_state) {
		return error;
	}
	body->is_plain = true;
	for (size_t i = 0; i < JC_STREAM_CHAINS; i++) {
		body->is_plain = body->is_plain && !body->decoder.chains[i].started;
	}
	return body->is_plain ? jc_payload_decode(head->shape, payload, length, &body->plain)
			      : error;
}

static int take_packet(struct jc_subscribed_space *space, const struct jc_packet_head *head,
	const uint8_t *payload, size_t length, const struct jc_subscribed_space_ops *ops)
{
	size_t index = find(space, head->body);
	int64_t time_us = space->tick_us +
			  (int64_t)((uint64_t)space->head.tick * 1000000 / space->tick_hz) -
			  head->capture_age_us;
	struct jc_subscribed_body *body;
	int error;

	if (index == space->count) {
		return JC_OK;
	}
	body = space->bodies[index];
	time_us = time_us > body->time_us ? time_us : body->time_us + 1;
	error = hold(space, body, time_us, ops);
	if (error) {
		return error;
	}
	error = decode(body, head, payload, length);
	if (error == JC_ERROR_ABSENT) {
		space->is_behind = true;
		return JC_OK;
	}
	if (error < 0) {
		return error;
	}
	body->time_us = time_us;
	body->tick = space->head.tick;
	body->cut = head->cut;
	read_pose(body);
	return report_move(ops, body, false);
}

/* A gap of sixteen packets looks like none: after a discarded bundle all streams wait. */
static void lose_streams(struct jc_subscribed_space *space)
{
	for (size_t i = 0; i < space->count; i++) {
		space->bodies[i]->decoder.started = false;
	}
	space->is_behind = true;
}

int jc_subscribed_space_take_bundle(struct jc_subscribed_space *space, const uint8_t *bytes,
	size_t length, const struct jc_subscribed_space_ops *ops)
{
	int at = jc_bundle_read_head(
		bytes, length, space->has_head ? &space->head : NULL, &space->head);

	if (at < 0) {
		/* A reader ignores a binary message of a kind or version that it does not know. */
		if (at == JC_ERROR_UNSUPPORTED) {
			return JC_OK;
		}
		lose_streams(space);
		return at;
	}
	space->has_head = true;
	space->is_behind = false;
	while ((size_t)at < length && space->is_joined && space->head.space == space->space) {
		struct jc_packet_head head;
		const uint8_t *payload;
		size_t payload_length;
		int used = jc_bundle_read_packet(
			bytes + at, length - (size_t)at, &head, &payload, &payload_length);
		int error =
			used < 0 ? used : take_packet(space, &head, payload, payload_length, ops);

		if (error < 0) {
			lose_streams(space);
			return error;
		}
		at += used;
	}
	return JC_OK;
}

json_t *jc_subscribed_space_ask_keyframe(
	struct jc_subscribed_space *space, const char *name, int64_t now_ns)
{
	if (!space->is_behind ||
		(space->has_requested && now_ns - space->requested_ns <= KEYFRAME_NS)) {
		return NULL;
	}
	space->has_requested = true;
	space->requested_ns = now_ns;
	return json_pack("{ss ss}", "type", "keyframe", "space", name);
}

static float read_float(const json_t *value)
{
	return (float)json_number_value(value);
}

static struct jc_placement read_placement(const struct jc_subscribed_body *body)
{
	const json_t *placement = json_object_get(body->entry, "placement");
	const json_t *position = json_object_get(placement, "position");

	return (struct jc_placement){ { read_float(json_array_get(position, 0)),
					      read_float(json_array_get(position, 1)),
					      read_float(json_array_get(position, 2)) },
		read_float(json_object_get(placement, "yaw")) };
}

void jc_subscribed_body_frame(const struct jc_subscribed_body *body,
	const struct jc_skeleton *skeleton, struct jc_stream_frame *out_frame)
{
	struct jc_quat relative[JC_BONE_COUNT];

	jc_stream_frame(&body->decoder, out_frame);
	if (body->is_plain) {
		plain_frame(body, out_frame);
		memcpy(relative, out_frame->rotations, sizeof(relative));
		jc_skeleton_normalized(skeleton, relative, out_frame->rotations);
	}
}

struct jc_placement jc_subscribed_body_placement(const struct jc_subscribed_body *body)
{
	return body->decoder.has_placement ? body->decoder.placement : read_placement(body);
}

struct jc_recorded_body jc_subscribed_body_describe(const struct jc_subscribed_body *body)
{
	const char *skeleton = json_string_value(json_object_get(body->entry, "skeleton"));

	if (!body->may_record) {
		return (struct jc_recorded_body){ .id = body->id, .name = "", .skeleton = "" };
	}
	return (struct jc_recorded_body){
		.id = body->id,
		.name = json_string_value(json_object_get(body->entry, "name")),
		.display = json_string_value(json_object_get(body->entry, "display")),
		.meta = json_object_get(body->entry, "meta"),
		.recorded = JC_RECORDED_ANONYMOUS,
		.kind = JC_CAPTURE_POSE,
		.is_direct = true,
		.skeleton = skeleton ? skeleton : "",
		.channel_count = body->channel_count,
		.channels = body->channels,
		.placement = read_placement(body),
		.seat_height =
			read_float(json_object_get(json_object_get(body->entry, "seat"), "height")),
	};
}
