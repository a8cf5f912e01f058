/* The script's commands, a line each. */
#include <jansson.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mock.h"

#define MAX_WORDS 40u

struct knob {
	const char *name;
	size_t offset;
};

#define KNOB(name)                                                                                 \
	{                                                                                          \
#name, offsetof(struct mock_knobs, name)                                           \
	}

static const struct knob knobs[] = {
	KNOB(active),
	KNOB(confidence),
	KNOB(flags),
	KNOB(root_valid),
	KNOB(calibration),
	KNOB(fidelity),
	KNOB(skeleton),
	KNOB(scale),
	KNOB(scramble),
	KNOB(no_parent),
	KNOB(partial),
	KNOB(no_skeleton),
	KNOB(stage),
	KNOB(local_height),
	KNOB(rate),
	KNOB(local_floor),
	KNOB(bd_arms),
	KNOB(auto_ready),
	KNOB(fade),
	KNOB(hand_source),
	KNOB(bd_status),
	KNOB(bd_message),
	KNOB(supports_hands),
	KNOB(supports_fb),
	KNOB(supports_full),
	KNOB(supports_bd),
	KNOB(supports_htc),
	KNOB(supports_height),
	KNOB(supports_fidelity),
	KNOB(supports_xdev),
	KNOB(xdev_live),
	KNOB(xdev_fixed),
	KNOB(xdev_result),
	KNOB(face_valid),
	KNOB(face_eyes),
	KNOB(face_lower),
	KNOB(face_upper),
	KNOB(face_right),
	KNOB(face_state),
	KNOB(face_age),
	KNOB(supports_fb_face),
	KNOB(supports_htc_face),
	KNOB(supports_android_face),
	KNOB(supports_gaze),
	KNOB(gaze_active),
	KNOB(gaze_time),
};

static const char *set_knob(size_t count, char **words)
{
	for (size_t i = 0; count == 3 && i < sizeof(knobs) / sizeof(*knobs); i++) {
		if (strcmp(knobs[i].name, words[1]) == 0) {
			*(double *)((char *)&mock.knobs + knobs[i].offset) = strtod(words[2], NULL);
			return NULL;
		}
	}
	return "set KNOB VALUE";
}

/* Pairs of index and weight; others stay. */
static const char *set_weights(size_t count, char **words)
{
	for (size_t i = 1; i + 1 < count; i += 2) {
		unsigned long index = strtoul(words[i], NULL, 10);

		if (index >= MOCK_WEIGHTS) {
			return "weights [INDEX WEIGHT]…";
		}
		mock.weights[index] = strtof(words[i + 1], NULL);
	}
	return NULL;
}

static const char *offer(size_t count, char **words)
{
	mock.offer_count = 0;
	for (size_t i = 1; i < count && i <= MOCK_OFFERS; i++) {
		snprintf(mock.offers[mock.offer_count++], XR_MAX_EXTENSION_NAME_SIZE, "%s",
			words[i]);
	}
	return NULL;
}

static const char *deny(size_t count, char **words)
{
	snprintf(mock.denied, sizeof(mock.denied), "%s", count == 2 ? words[1] : "");
	return NULL;
}

static const char *set_result(size_t count, char **words)
{
	struct mock_calls *calls = count >= 3 ? mock_calls_of(words[1]) : NULL;

	if (!calls) {
		return "result FUNCTION CODE [COUNT]";
	}
	calls->result = (XrResult)strtol(words[2], NULL, 10);
	calls->result_left = count > 3 ? strtoll(words[3], NULL, 10) : MOCK_FOREVER;
	return NULL;
}

static const char *refuse(size_t count, char **words)
{
	if (count != 3 || !mock_refuse(words[1], (XrResult)strtol(words[2], NULL, 10))) {
		return "refuse STRUCTURE CODE";
	}
	return NULL;
}

static const char *block(size_t count, char **words)
{
	struct mock_calls *calls = count == 3 ? mock_calls_of(words[1]) : NULL;

	if (!calls) {
		return "block FUNCTION MILLISECONDS|forever";
	}
	calls->block_ms =
		strcmp(words[2], "forever") == 0 ? MOCK_FOREVER : strtoll(words[2], NULL, 10);
	return NULL;
}

static const char *release(size_t count, char **words)
{
	(void)count;
	(void)words;
	for (size_t i = 0; i < mock.call_count; i++) {
		mock.calls[i].block_ms = 0;
	}
	pthread_cond_broadcast(&mock.released);
	return NULL;
}

static void map_columns(enum mock_stream_name name, struct mock_stream *stream)
{
	for (size_t i = 0; i < mock_joint_count(name); i++) {
		stream->columns[i] = -1;
		for (size_t k = 0; k < stream->motion->joint_count; k++) {
			if (strcmp(stream->motion->names[k], mock_joint_name(name, i)) == 0) {
				stream->columns[i] = (int)k;
			}
		}
	}
}

static const char *play(size_t count, char **words)
{
	static const char *const names[MOCK_STREAMS] = { "fb", "bd", "htc", "hands", "devices" };
	static char error[MOCK_FAULT_TEXT];

	for (int i = 0; count == 3 && i < MOCK_STREAMS; i++) {
		struct mock_stream *stream = &mock.streams[i];

		if (strcmp(names[i], words[1]) != 0) {
			continue;
		}
		struct mock_motion *motion = mock_motion_read(words[2], error);

		if (!motion) {
			return error;
		}
		mock_motion_destroy(stream->motion);
		stream->motion = motion;
		map_columns((enum mock_stream_name)i, stream);
		return NULL;
	}
	return "play fb|bd|htc|hands|devices FILE";
}

/* Plays the joints of Monado's driver solarxr, whose bones are SlimeVR's (tests/openxr/slimevr.mjs
 * names the sources): no calibration, no fidelity, and a skeleton of the played joints alone. */
static const char *play_solarxr(size_t count, char **words)
{
	char *playing[] = { words[0], "fb", count == 2 ? words[1] : "" };

	mock.knobs.supports_height = 0.0;
	mock.knobs.supports_fidelity = 0.0;
	mock.knobs.partial = 1.0;
	return count == 2 ? play(3, playing) : "solarxr FILE";
}

static const char *stop(size_t count, char **words)
{
	(void)count;
	(void)words;
	for (int i = 0; i < MOCK_STREAMS; i++) {
		mock_motion_destroy(mock.streams[i].motion);
		mock.streams[i].motion = NULL;
	}
	return NULL;
}

static const char *hold(size_t count, char **words)
{
	mock.held = count == 2 ? strtod(words[1], NULL) : 0.0;
	return NULL;
}

static const char *freeze(size_t count, char **words)
{
	(void)count;
	(void)words;
	mock.frozen_ns = mock_sample();
	return NULL;
}

static const char *run(size_t count, char **words)
{
	(void)count;
	(void)words;
	mock.held = -1.0;
	mock.frozen_ns = 0;
	mock.motion_ns = mock_now();
	return NULL;
}

static const char *change_state(size_t count, char **words)
{
	static const char *const states[] = { "UNKNOWN", "IDLE", "READY", "SYNCHRONIZED", "VISIBLE",
		"FOCUSED", "STOPPING", "LOSS_PENDING", "EXITING" };

	for (int i = 0; count == 2 && i < 9; i++) {
		if (strcmp(states[i], words[1]) == 0) {
			mock_change_state((XrSessionState)i);
			return NULL;
		}
	}
	return "state NAME";
}

static const char *push_loss_pending(size_t count, char **words)
{
	const XrEventDataInstanceLossPending event = {
		.type = XR_TYPE_EVENT_DATA_INSTANCE_LOSS_PENDING,
		.lossTime = mock_to_xr(mock_now()),
	};

	(void)count;
	(void)words;
	mock_push_event(&event, sizeof(event));
	return NULL;
}

/* Moves the origin of all reference spaces. Half a turn about Y at most: two words suffice. */
static const char *move_origin(size_t count, char **words)
{
	if (count != 5) {
		return "recentre or shift X Z SINE COSINE (of half the turn about Y)";
	}
	mock.recentred.position.x = strtof(words[1], NULL);
	mock.recentred.position.z = strtof(words[2], NULL);
	mock.recentred.orientation.y = strtof(words[3], NULL);
	mock.recentred.orientation.w = strtof(words[4], NULL);
	return NULL;
}

static const char *recentre(size_t count, char **words)
{
	XrEventDataReferenceSpaceChangePending event = {
		.type = XR_TYPE_EVENT_DATA_REFERENCE_SPACE_CHANGE_PENDING,
		.changeTime = mock_to_xr(mock_now()),
		.poseInPreviousSpace = { .orientation = { .w = 1.0f } },
		.poseValid = XR_FALSE,
	};
	const char *fault = move_origin(count, words);

	if (fault) {
		return fault;
	}
	event.referenceSpaceType = XR_REFERENCE_SPACE_TYPE_LOCAL;
	mock_push_event(&event, sizeof(event));
	event.referenceSpaceType = XR_REFERENCE_SPACE_TYPE_STAGE;
	mock_push_event(&event, sizeof(event));
	return NULL;
}

/* A person puts the headset on, or takes it off. */
static const char *be_present(size_t count, char **words)
{
	mock.knobs.present = count > 1 && words[1][0] == '1';
	if (mock.is_running) {
		mock_push_presence();
	}
	return NULL;
}

/* The service ends, and all its objects are lost. */
static const char *down(size_t count, char **words)
{
	mock.is_down = true;
	mock.down_result =
		count > 1 ? (XrResult)strtol(words[1], NULL, 10) : XR_ERROR_RUNTIME_UNAVAILABLE;
	mock.fade_left = (int64_t)mock.knobs.fade;
	mock.attempt_ns = 0;
	mock.longest_wait = 0;
	mock_lose(MOCK_INSTANCE);
	return NULL;
}

/* The service is back, with a new epoch of time. */
static const char *up(size_t count, char **words)
{
	(void)count;
	(void)words;
	mock.is_down = false;
	mock.fade_left = 0;
	mock.era++;
	mock.era_ns = mock.up_ns = mock_now();
	mock.created_ns = mock.located_ns = 0;
	mock.recentred = (XrPosef){ .orientation = { .w = 1.0f } };
	return NULL;
}

static const char *lose_session(size_t count, char **words)
{
	(void)count;
	(void)words;
	mock_lose(MOCK_SESSION);
	mock.up_ns = mock_now();
	mock.created_ns = mock.located_ns = 0;
	return NULL;
}

static const char *forgive(size_t count, char **words)
{
	(void)count;
	(void)words;
	mock.fault_count = 0;
	return NULL;
}

static const char *nothing(size_t count, char **words)
{
	(void)count;
	(void)words;
	return NULL;
}

static const struct {
	const char *name;
	const char *(*run)(size_t count, char **words);
} commands[] = {
	{ "set", set_knob },
	{ "weights", set_weights },
	{ "offer", offer },
	{ "deny", deny },
	{ "result", set_result },
	{ "refuse", refuse },
	{ "block", block },
	{ "release", release },
	{ "play", play },
	{ "solarxr", play_solarxr },
	{ "stop", stop },
	{ "hold", hold },
	{ "freeze", freeze },
	{ "xdev", mock_change_xdevs },
	{ "run", run },
	{ "state", change_state },
	{ "instance-loss-pending", push_loss_pending },
	{ "recentre", recentre },
	{ "shift", move_origin }, /* without an event */
	{ "present", be_present },
	{ "down", down },
	{ "up", up },
	{ "lose-session", lose_session },
	{ "forgive", forgive },
	{ "ask", nothing },
};

static const char *execute(char *line)
{
	char *words[MAX_WORDS];
	size_t count = 0;
	char *rest = NULL;

	for (char *word = strtok_r(line, " \n", &rest); word && count < MAX_WORDS;
		word = strtok_r(NULL, " \n", &rest)) {
		words[count++] = word;
	}
	for (size_t i = 0; count && i < sizeof(commands) / sizeof(*commands); i++) {
		if (strcmp(commands[i].name, words[0]) == 0) {
			return commands[i].run(count, words);
		}
	}
	return "no such command";
}

static json_t *counts(void)
{
	json_t *object = json_object();

	for (size_t i = 0; i < mock.call_count; i++) {
		if (mock.calls[i].count) {
			json_object_set_new(object, mock.calls[i].name,
				json_integer((json_int_t)mock.calls[i].count));
		}
	}
	return object;
}

static json_t *faults(void)
{
	json_t *array = json_array();

	for (size_t i = 0; i < mock.fault_count; i++) {
		json_array_append_new(array, json_string(mock.faults[i]));
	}
	return array;
}

static json_t *enabled(void)
{
	json_t *array = json_array();

	for (size_t i = 0; i < mock.enabled_count; i++) {
		json_array_append_new(array, json_string(mock.enabled[i]));
	}
	return array;
}

static json_t *chained(void)
{
	json_t *array = json_array();

	for (size_t i = 0; mock_link_name(i); i++) {
		if (mock.chained & UINT32_C(1) << i) {
			json_array_append_new(array, json_string(mock_link_name(i)));
		}
	}
	return array;
}

static int count_alive(void)
{
	int count = 0;

	for (uint32_t i = 1; i <= mock.object_count; i++) {
		count += mock_object(i)->is_alive;
	}
	return count;
}

void mock_report(char *out_text, size_t size)
{
	json_t *report = json_pack("{so, so, so, so, sI, si, sI, sI, sI, sI, sI, sf}", "calls",
		counts(), "faults", faults(), "enabled", enabled(), "chained", chained(), "refused",
		(json_int_t)mock.refused_calls, "alive", count_alive(), "now",
		(json_int_t)mock_now(), "up", (json_int_t)mock.up_ns, "created",
		(json_int_t)mock.created_ns, "located", (json_int_t)mock.located_ns, "longestWait",
		(json_int_t)mock.longest_wait, "height", (double)mock.height_override);

	size_t length = json_dumpb(report, out_text, size - 1, JSON_COMPACT);

	out_text[length < size ? length : 0] = '\0';
	json_decref(report);
}

void mock_runtime_command(const char *command, char *out_answer, size_t size)
{
	char line[4096];

	mock_set_up();
	snprintf(line, sizeof(line), "%s", command);
	pthread_mutex_lock(&mock.lock);
	const char *error = execute(line);

	if (error) {
		snprintf(out_answer, size, "{\"error\":\"%s\"}", error);
	} else {
		mock_report(out_answer, size);
	}
	pthread_mutex_unlock(&mock.lock);
}
