/* Sends each packet at once or drops it: an old pose is of no use to the receiver. */
#include "sink/osc_sink.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/address.h"
#include "jointcast/transform.h"
#include "jointcast/vmc.h"
#include "jointcast_private/osc_trackers.h"
#include "space/placement.h"
#include "space/space.h"

#define ABSENCE_NS   1000000000 /* after which another body may be sent */
#define TOLERANCE_NS 500000     /* ticks fall on whole microseconds */

struct osc_sink {
	struct jc_sink base;
	const struct jc_log *log;
	struct jc_osc_target target;
	char label[JC_ADDRESS_TEXT];
	int fd;
	uint32_t body; /* the one that is sent; 0: none yet */
	int64_t seen_ns;
	int64_t begin_ns; /* time 0 of what is sent */
	int64_t due_ns;
	const struct jc_skeleton *skeleton; /* that `sender` is made for, borrowed */
	struct jc_vmc_sender *sender;       /* owned; NULL for OSC trackers */
	struct jc_osc_figure *figure;       /* owned; NULL for VMC */
	uint64_t sent, dropped;             /* packets */
};

static const char *option_of(const struct osc_sink *sink)
{
	return sink->target.is_trackers ? "osc-out" : "vmc-out";
}

/* Is this the body to send? */
static bool choose(struct osc_sink *sink, const struct jc_body *body, int64_t now_ns)
{
	if (body->id != sink->body) {
		bool taken = sink->body != 0 && now_ns - sink->seen_ns < ABSENCE_NS;
		bool named = !sink->target.body[0] || strcmp(sink->target.body, body->name) == 0;

		if (taken || !named) {
			return false;
		}
		jc_log_write(sink->log, JC_LOG_INFO, "%s %s: sends '%s' of '%s'", option_of(sink),
			sink->label, body->name, sink->target.space);
		sink->begin_ns = sink->body == 0 ? now_ns : sink->begin_ns;
		sink->body = body->id;
	}
	sink->seen_ns = now_ns;
	return true;
}

static bool is_due(struct osc_sink *sink, int64_t now_ns)
{
	int64_t period_ns = (int64_t)(1e9 / sink->target.hz);

	if (now_ns + TOLERANCE_NS < sink->due_ns) {
		return false;
	}
	sink->due_ns += period_ns;
	if (sink->due_ns < now_ns) {
		sink->due_ns = now_ns + period_ns; /* the first, or ticks were missed */
	}
	return true;
}

static bool make_sender(struct osc_sink *sink, const struct jc_skeleton *skeleton)
{
	if (sink->skeleton != skeleton) {
		jc_vmc_sender_destroy(sink->sender);
		jc_osc_figure_destroy(sink->figure);
		sink->sender = NULL;
		sink->figure = NULL;
		sink->skeleton = NULL;
		if ((sink->target.is_trackers ? jc_osc_figure_create(skeleton, &sink->figure)
					      : jc_vmc_sender_create(skeleton, sink->target.bones,
							&sink->sender)) != JC_OK) {
			return false; /* out of memory; the next tick tries again */
		}
		sink->skeleton = skeleton;
	}
	return true;
}

/* Expressions of a body; the gaze has no place in VMC. */
static size_t list_channels(
	const struct jc_body *body, struct jc_vmc_channel out_channels[JC_LIMIT_STREAM_VALUES])
{
	const struct jc_source_channels *channels = &body->source->channels;
	const float *values = body->values;
	size_t count = 0;

	for (size_t i = 0; i < channels->count; i++) {
		if (channels->value_counts[i] == 1 &&
			strlen(channels->names[i]) < JC_LIMIT_VMC_NAME_BYTES) {
			strcpy(out_channels[count].name, channels->names[i]);
			out_channels[count++].value = *values;
		}
		values += channels->value_counts[i];
	}
	return count;
}

static void send_packet(struct osc_sink *sink, const void *bytes, int length)
{
	if (send(sink->fd, bytes, (size_t)length, MSG_DONTWAIT | MSG_NOSIGNAL) == length) {
		sink->sent++;
	} else {
		sink->dropped++;
	}
}

/* A tracker at a bone of the posed figure, moved to the root. */
static struct jc_osc_tracker place_tracker(
	const struct osc_sink *sink, enum jc_bone bone, const struct jc_placement *root)
{
	struct jc_osc_tracker tracker = { .has_position = false };
	struct jc_quat yaw =
		jc_quat_from_axis_angle((struct jc_vec3){ 0.0f, 1.0f, 0.0f }, root->yaw);

	if (jc_osc_figure_place(sink->figure, bone, &tracker.position, &tracker.rotation)) {
		tracker.has_position = tracker.has_rotation = true;
		tracker.position =
			jc_vec3_add(root->position, jc_quat_rotate(yaw, tracker.position));
		tracker.rotation = jc_quat_multiply(yaw, tracker.rotation);
	}
	return tracker;
}

static void send_trackers(
	struct osc_sink *sink, const struct jc_skeleton_pose *pose, const struct jc_placement *root)
{
	struct jc_osc_tracker trackers[JC_OSC_TRACKER_COUNT] = { 0 };
	uint8_t bytes[JC_OSC_TRACKER_BYTES];

	jc_osc_figure_pose(sink->figure, pose);
	trackers[JC_OSC_TRACKER_HEAD] = place_tracker(sink, JC_BONE_HEAD, root);
	for (size_t i = 0; i < sink->target.tracker_count; i++) {
		trackers[1 + i] = place_tracker(sink, sink->target.trackers[i], root);
	}
	send_packet(sink, bytes, jc_osc_trackers_write(trackers, bytes, sizeof(bytes)));
}

static void on_pose(struct jc_sink *base, const struct jc_body *body,
	const struct jc_skeleton_pose *pose, int64_t now_ns)
{
	struct osc_sink *sink = (struct osc_sink *)base;
	const struct jc_skeleton *skeleton = body->asset->skeleton;
	uint8_t bytes[JC_VMC_PACKET_BYTES];
	size_t cursor = 0;
	int length;

	/* Its person has not agreed that it is passed on. */
	if (body->source->is_unrelayed) {
		return;
	}
	if (!choose(sink, body, now_ns) || !is_due(sink, now_ns) || !make_sender(sink, skeleton)) {
		return;
	}
	struct jc_vec3 start = jc_vec3_scale(body->source->start_translation, jc_body_pace(body));
	struct jc_placement root = jc_placement_compensate(
		(struct jc_placement){ .yaw = 0.0f }, start, body->source->start_yaw);

	if (sink->target.is_trackers) {
		/* A body that is not live sends nothing: a receiver has no other sign of it. */
		if (body->live) {
			send_trackers(sink, pose, &root);
		}
		return;
	}
	struct jc_vmc_channel channels[JC_LIMIT_STREAM_VALUES];
	struct jc_vmc_sample body_sample = { .time = (float)(now_ns - sink->begin_ns) * 1e-9f,
		.tracked = body->live,
		.root_position = root.position,
		.root_yaw = root.yaw,
		.pose = pose,
		.channel_count = list_channels(body, channels),
		.channels = channels };

	while ((length = jc_vmc_sender_write(
			sink->sender, &body_sample, &cursor, bytes, sizeof(bytes))) > 0) {
		send_packet(sink, bytes, length);
	}
}

static void destroy(struct jc_sink *base)
{
	struct osc_sink *sink = (struct osc_sink *)base;

	jc_log_write(sink->log, JC_LOG_INFO, "%s %s: %llu packets sent, %llu dropped",
		option_of(sink), sink->label, (unsigned long long)sink->sent,
		(unsigned long long)sink->dropped);
	jc_vmc_sender_destroy(sink->sender);
	jc_osc_figure_destroy(sink->figure);
	close(sink->fd);
	free(sink);
}

static const struct jc_sink_ops osc_sink_ops = {
	.pose = on_pose,
	.destroy = destroy,
};

int jc_osc_sink_create(const struct jc_osc_target *target, const struct jc_log *log,
	struct jc_sink **out_sink, struct jc_diagnostic *diagnostic)
{
	const struct sockaddr_storage *address = &target->address;
	struct osc_sink *sink = calloc(1, sizeof(*sink));

	if (!sink) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	sink->base.ops = &osc_sink_ops;
	sink->log = log;
	sink->target = *target;
	jc_address_format(address, sink->label);
	sink->fd = socket(address->ss_family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (sink->fd < 0 || connect(sink->fd, (const struct sockaddr *)address,
				    jc_address_length(address)) != 0) {
		jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL, "cannot send: %s", strerror(errno));
		if (sink->fd >= 0) {
			close(sink->fd);
		}
		free(sink);
		return JC_ERROR_INVALID;
	}
	*out_sink = &sink->base;
	return JC_OK;
}
