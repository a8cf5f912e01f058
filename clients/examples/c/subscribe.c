/* Subscribes to a space and prints where the heads are: one line for each body and bundle, X Y Z in
 * metres and the name of the body.
 *
 * usage: subscribe [HOST:PORT [SPACE]]     default: 127.0.0.1:9871 lobby */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bundle_reader.h"
#include "connection.h"

#define BODIES_MAX 64

struct subscriber {
	const char *space;
	struct bundle_reader reader;
	int64_t requested_us;         /* time of the last request for a keyframe */
	struct jc_skeleton *skeleton; /* the built-in one, for which the packets are requested */
	size_t count;
	struct body {
		uint32_t id;
		char name[64];
		struct jc_placement placement; /* of the roster */
	} bodies[BODIES_MAX];
};

static struct body *find(struct subscriber *subscriber, uint32_t id)
{
	for (size_t i = 0; i < subscriber->count; i++) {
		if (subscriber->bodies[i].id == id) {
			return &subscriber->bodies[i];
		}
	}
	return NULL;
}

/* The place of a bone in the space: forward kinematics, then the placement of the body. */
static struct jc_vec3 place(const struct subscriber *subscriber, enum jc_bone bone,
	const struct jc_stream_frame *frame, struct jc_placement placement)
{
	struct jc_transform
		locals[JC_BONE_COUNT]; /* nodes of the built-in skeleton are its bones */
	struct jc_mat4 worlds[JC_BONE_COUNT];
	struct jc_skeleton_pose pose = { .hips_translation = frame->hips_translation };
	struct jc_quat turn =
		jc_quat_from_axis_angle((struct jc_vec3){ 0.0f, 1.0f, 0.0f }, placement.yaw);

	jc_skeleton_relative(subscriber->skeleton, frame->rotations, pose.rotations);
	jc_skeleton_locals(subscriber->skeleton, &pose, locals);
	jc_skeleton_worlds(subscriber->skeleton, locals, worlds);
	return jc_vec3_add(
		placement.position, jc_quat_rotate(turn, jc_mat4_translation(worlds[bone])));
}

/* Names are texts of strangers: a control character could change the terminal. */
static void print_name(const char *name)
{
	for (; *name; name++) {
		putchar((unsigned char)*name < 0x20 || *name == 0x7f ? '?' : *name);
	}
	putchar('\n');
	fflush(stdout);
}

static void on_moved(void *context, const struct bundle_reader *reader, uint32_t id,
	const struct jc_stream_frame *frame)
{
	struct subscriber *subscriber = context;
	const struct body *body = find(subscriber, id);

	(void)reader;
	if (body) {
		/* The roster has the first placement, packets have later ones. */
		struct jc_vec3 head = place(subscriber, JC_BONE_HEAD, frame,
			frame->has_placement ? frame->placement : body->placement);

		printf("%.3f %.3f %.3f ", (double)head.x, (double)head.y, (double)head.z);
		print_name(body->name);
	}
}

static void on_bytes(
	void *context, struct connection *connection, const uint8_t *bytes, size_t length)
{
	struct subscriber *subscriber = context;
	int64_t now_us = connection_now_us();
	int error;

	subscriber->reader.is_behind = false;
	error = bundle_reader_take(&subscriber->reader, bytes, length);
	if (error) {
		fprintf(stderr, "a bundle is damaged: %s\n", jc_error_name(error));
		connection_close(connection);
	} else if (subscriber->reader.is_behind && now_us - subscriber->requested_us > 1000000) {
		subscriber->requested_us = now_us;
		connection_send(connection,
			json_pack("{ss ss}", "type", "keyframe", "space", subscriber->space));
	}
}

static float number(const json_t *value)
{
	return (float)json_number_value(value);
}

static void take_body(struct subscriber *subscriber, const json_t *entry)
{
	uint32_t id = (uint32_t)json_integer_value(json_object_get(entry, "id"));
	const json_t *placement = json_object_get(entry, "placement");
	const json_t *position = json_object_get(placement, "position");
	const char *name = json_string_value(json_object_get(entry, "name"));
	struct body *body = find(subscriber, id);

	if (!body && subscriber->count < BODIES_MAX) {
		body = &subscriber->bodies[subscriber->count++];
	}
	if (body) {
		body->id = id;
		snprintf(body->name, sizeof(body->name), "%s", name ? name : "");
		body->placement = (struct jc_placement){
			{ number(json_array_get(position, 0)), number(json_array_get(position, 1)),
				number(json_array_get(position, 2)) },
			number(json_object_get(placement, "yaw")),
		};
	}
}

static void drop_body(struct subscriber *subscriber, uint32_t id)
{
	struct body *body = find(subscriber, id);

	bundle_reader_forget(&subscriber->reader, id);
	if (body) {
		*body = subscriber->bodies[--subscriber->count];
	}
}

/* A roster with `bodies` is complete; otherwise it has the changes since the last one. */
static void take_roster(struct subscriber *subscriber, const json_t *roster)
{
	static const char *const lists[] = { "bodies", "joined", "changed" };
	const json_t *left = json_object_get(roster, "left");

	if (json_object_get(roster, "bodies")) {
		subscriber->count = 0;
		bundle_reader_finish(&subscriber->reader);
	}
	for (size_t i = 0; i < json_array_size(left); i++) {
		drop_body(subscriber, (uint32_t)json_integer_value(json_array_get(left, i)));
	}
	for (size_t k = 0; k < sizeof(lists) / sizeof(lists[0]); k++) {
		const json_t *list = json_object_get(roster, lists[k]);

		for (size_t i = 0; i < json_array_size(list); i++) {
			take_body(subscriber, json_array_get(list, i));
		}
	}
}

static void on_message(void *context, struct connection *connection, const json_t *message)
{
	struct subscriber *subscriber = context;
	const char *type = json_string_value(json_object_get(message, "type"));

	if (!type) {
		return;
	}
	if (strcmp(type, "roster") == 0) {
		take_roster(subscriber, message);
	} else if (strcmp(type, "error") == 0) {
		connection_refused(connection, message);
	}
}

static void on_opened(void *context, struct connection *connection)
{
	const struct subscriber *subscriber = context;

	connection_send(connection,
		json_pack("{ss ss s[ii]}", "type", "hello", "client", "example", "codings", 3, 2));
	connection_send(
		connection, json_pack("{ss ss}", "type", "join", "space", subscriber->space));
	/* All bodies on the built-in skeleton: no other skeleton has to be read. */
	connection_send(connection, json_pack("{ss ss ss}", "type", "subscribe", "space",
					    subscriber->space, "skeleton", "humanoid"));
}

int main(int argc, char **argv)
{
	static struct subscriber subscriber;
	static const struct connection_ops ops = {
		.opened = on_opened,
		.message = on_message,
		.bytes = on_bytes,
	};
	int status;

	subscriber.space = argc > 2 ? argv[2] : "lobby";
	subscriber.reader.moved = on_moved;
	subscriber.reader.context = &subscriber;
	if (jc_skeleton_create_builtin(&subscriber.skeleton) != JC_OK) {
		return 1;
	}
	status = connection_run(argc > 1 ? argv[1] : "127.0.0.1:9871", &ops, &subscriber);
	bundle_reader_finish(&subscriber.reader);
	jc_skeleton_destroy(subscriber.skeleton);
	return status;
}
