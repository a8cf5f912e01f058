/* Reads the messages of OSC trackers and makes frames of them. */
#include <math.h>
#include <string.h>

#include "jointcast/transform.h"
#include "jointcast/vmc.h"
#include "jointcast_private/osc_trackers.h"

#define PREFIX      "/tracking/trackers/"
#define DEGREE      0.017453292519943295
#define GAP_NS      INT64_C(4000000) /* without a message, after which a frame is complete */
#define SHORT_TIMES 3     /* frames in a row without a message: the sender has left it out */
#define ANGLE_MOST  1.0e6 /* degrees */

struct jc_quat jc_osc_tracker_rotation(struct jc_vec3 degrees)
{
	/* In canonical axes rotations about Y and Z have the other direction. */
	double x = (double)degrees.x * DEGREE, y = (double)degrees.y * DEGREE,
	       z = (double)degrees.z * DEGREE;
	struct jc_quat about_x = { (float)sin(x / 2), 0.0f, 0.0f, (float)cos(x / 2) };
	struct jc_quat about_y = { 0.0f, (float)-sin(y / 2), 0.0f, (float)cos(y / 2) };
	struct jc_quat about_z = { 0.0f, 0.0f, (float)-sin(z / 2), (float)cos(z / 2) };

	return jc_quat_normalize(jc_quat_multiply(about_y, jc_quat_multiply(about_x, about_z)));
}

static void end_frame(struct jc_osc_tracker_receiver *receiver)
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
	receiver->next.number++;
	receiver->whole = receiver->next;
}

static void end_frame_after_gap(struct jc_osc_tracker_receiver *receiver, int64_t now_ns)
{
	if (receiver->pending && now_ns - receiver->next.time_ns >= GAP_NS) {
		end_frame(receiver);
	}
}

/* The bit of the message with this address, or 0. */
static uint32_t find_bit(const char *address, int *out_index)
{
	const char *rest = address + strlen(PREFIX);

	if (strncmp(address, PREFIX, strlen(PREFIX)) != 0) {
		return 0;
	}
	for (int i = 0; i < JC_OSC_TRACKER_COUNT; i++) {
		const char *name = jc_osc_tracker_name(i);
		size_t length = strlen(name);

		if (strncmp(rest, name, length) != 0 || rest[length] != '/') {
			continue;
		}
		*out_index = i;
		return strcmp(rest + length, "/position") == 0   ? UINT32_C(1) << (2 * i)
		       : strcmp(rest + length, "/rotation") == 0 ? UINT32_C(2) << (2 * i)
								 : 0;
	}
	return 0;
}

/* Reads three numbers of at most `most`; NaN fails too. */
static bool read_vector(const struct jc_osc_message *message, double most, struct jc_vec3 *out)
{
	float numbers[3];

	for (int i = 0; i < 3; i++) {
		double value = jc_osc_number(&message->arguments[i]);

		if (!(fabs(value) <= most)) {
			return false;
		}
		numbers[i] = (float)value;
	}
	*out = (struct jc_vec3){ numbers[0], numbers[1], numbers[2] };
	return true;
}

static void take_message(void *context, const struct jc_osc_message *message)
{
	struct jc_osc_tracker_receiver *receiver = context;
	struct jc_vec3 vector;
	int index = 0;
	uint32_t bit = find_bit(message->address, &index);
	bool is_position = (bit >> (2 * index) & 1) != 0;

	receiver->counts.messages++;
	if (!bit || !jc_osc_matches(message, "nnn")) {
		receiver->counts.ignored++;
		jc_osc_names_add(&receiver->unused, message->address);
		return;
	}
	if (!read_vector(
		    message, is_position ? (double)JC_LIMIT_COORDINATE : ANGLE_MOST, &vector)) {
		receiver->counts.invalid++;
		jc_osc_names_add(&receiver->unused, message->address);
		return;
	}
	if (receiver->pending & bit) {
		end_frame(receiver);
	}
	struct jc_osc_tracker *tracker = &receiver->next.trackers[index];

	if (is_position) {
		tracker->has_position = true;
		tracker->position = jc_vmc_mirror_point(vector);
		tracker->position_ns = receiver->now_ns;
	} else {
		tracker->has_rotation = true;
		tracker->rotation = jc_osc_tracker_rotation(vector);
		tracker->rotation_ns = receiver->now_ns;
	}
	receiver->pending |= bit;
	receiver->next.time_ns = receiver->now_ns;
	receiver->next.sent_ns = receiver->sent_ns;
	if (receiver->expected && (receiver->expected & ~receiver->pending) == 0) {
		end_frame(receiver);
	}
}

int jc_osc_tracker_receiver_take(struct jc_osc_tracker_receiver *receiver, const void *bytes,
	size_t length, int64_t now_ns, struct jc_diagnostic *diagnostic)
{
	receiver->counts.packets++;
	receiver->now_ns = now_ns;
	receiver->sent_ns = jc_osc_sent_ns(bytes, length);
	end_frame_after_gap(receiver, now_ns);
	int status = jc_osc_read(bytes, length, take_message, receiver, diagnostic);

	if (status != JC_OK) {
		receiver->counts.refused++;
	}
	return status;
}

const struct jc_osc_tracker_frame *jc_osc_tracker_receiver_frame(
	struct jc_osc_tracker_receiver *receiver, int64_t now_ns)
{
	end_frame_after_gap(receiver, now_ns);
	return receiver->whole.number > 0 ? &receiver->whole : NULL;
}
