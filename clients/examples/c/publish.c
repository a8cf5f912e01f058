/* Publishes a body that waves: poses computed here, as a program with its own tracking or animation
 * would deliver them.
 *
 * usage: publish [HOST:PORT [SPACE [NAME]]]     default: 127.0.0.1:9871 lobby example */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <jointcast/jointcast.h>

#include "connection.h"

struct publisher {
	const char *space, *name;
	int64_t pinged_us; /* time of the ping */
	int64_t offset_us; /* the daemon's clock minus ours */
	int64_t began_us;
	bool is_open; /* the daemon has accepted the publication */
};

/* The right arm hangs; the left one is raised and waves once a second. */
static void make_pose(double seconds, struct jc_pose *out_pose)
{
	const struct jc_vec3 forward = { 0.0f, 0.0f, 1.0f };
	double wave = 0.4 * sin(2.0 * 3.14159265 * seconds);

	/* All rotations are measured from the T-pose; identity is the T-pose. */
	jc_pose_init(out_pose);
	memset(out_pose->states, JC_TRACKED, sizeof(out_pose->states));
	out_pose->rotations[JC_BONE_RIGHT_UPPER_ARM] = jc_quat_from_axis_angle(forward, 1.3f);
	out_pose->rotations[JC_BONE_LEFT_UPPER_ARM] = jc_quat_from_axis_angle(forward, 0.5f);
	out_pose->rotations[JC_BONE_LEFT_LOWER_ARM] =
		jc_quat_from_axis_angle(forward, (float)(0.8 + wave));
}

static void on_tick(void *context, struct connection *connection)
{
	struct publisher *publisher = context;
	int64_t now_us = connection_now_us();
	/* Kind of message, number of the publication, capture. */
	uint8_t bytes[2 + JC_CAPTURE_BYTES] = { 0x21, 0 };
	struct jc_capture capture = { .time_us = now_us + publisher->offset_us };
	struct jc_pose pose;

	if (!publisher->is_open) {
		return;
	}
	make_pose((double)(now_us - publisher->began_us) * 1e-6, &pose);
	int length = jc_pose_encode(&capture, &pose, bytes + 2, JC_CAPTURE_BYTES);

	if (length < 0) {
		fprintf(stderr, "a pose cannot be encoded: %s\n", jc_error_name(length));
		connection_close(connection);
		return;
	}
	connection_send_capture(connection, bytes, 2 + (size_t)length);
}

/* Captures have times of the daemon's clock: the answer to a ping was made in the middle between
 * both of our times. */
static void take_pong(
	struct publisher *publisher, struct connection *connection, const json_t *pong)
{
	int64_t now_us = connection_now_us();

	publisher->offset_us = (int64_t)json_integer_value(json_object_get(pong, "time")) -
			       (publisher->pinged_us + now_us) / 2;
	/* Nobody may record this body, or pass it on: that takes the person's consent. */
	connection_send(
		connection, json_pack("{ss ss si ss ss sb sb}", "type", "publish", "space",
				    publisher->space, "publication", 0, "name", publisher->name,
				    "kind", "poses", "mayRecord", 0, "mayRebroadcast", 0));
}

static void on_message(void *context, struct connection *connection, const json_t *message)
{
	struct publisher *publisher = context;
	const char *type = json_string_value(json_object_get(message, "type"));

	if (!type) {
		return;
	}
	if (strcmp(type, "welcome") == 0) {
		publisher->pinged_us = connection_now_us();
		connection_send(connection, json_pack("{ss si}", "type", "ping", "t", 0));
	} else if (strcmp(type, "pong") == 0) {
		take_pong(publisher, connection, message);
	} else if (strcmp(type, "published") == 0) {
		publisher->is_open = true;
		publisher->began_us = connection_now_us();
		puts("published");
		fflush(stdout);
	} else if (strcmp(type, "error") == 0) {
		connection_refused(connection, message);
	}
}

static void on_opened(void *context, struct connection *connection)
{
	(void)context;
	connection_send(connection, json_pack("{ss ss}", "type", "hello", "client", "example"));
}

int main(int argc, char **argv)
{
	static const struct connection_ops ops = {
		.opened = on_opened,
		.message = on_message,
		.tick = on_tick,
	};
	struct publisher publisher = {
		.space = argc > 2 ? argv[2] : "lobby",
		.name = argc > 3 ? argv[3] : "example",
	};

	return connection_run(argc > 1 ? argv[1] : "127.0.0.1:9871", &ops, &publisher);
}
