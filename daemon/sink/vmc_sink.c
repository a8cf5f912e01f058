/* Sends each packet at once or drops it: an old pose is of no use to the receiver. */
#include "sink/vmc_sink.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/address.h"
#include "jointcast/transform.h"
#include "jointcast/vmc.h"
#include "space/placement.h"
#include "space/space.h"

#define ABSENCE_NS   1000000000 /* after which another body may be sent */
#define TOLERANCE_NS 500000     /* ticks fall on whole microseconds */

struct vmc_sink {
	struct jc_sink base;
	const struct jc_log *log;
	struct jc_vmc_target target;
	char label[JC_ADDRESS_TEXT];
	int fd;
	uint32_t body; /* the one that is sent; 0: none yet */
	int64_t seen_ns;
	int64_t begin_ns; /* time 0 of what is sent */
	int64_t due_ns;
	const struct jc_skeleton *skeleton; /* that `sender` is made for, borrowed */
	struct jc_vmc_sender *sender;       /* owned */
	uint64_t sent, dropped;             /* packets */
};

/* Is this the body to send? */
static bool choose(struct vmc_sink *sink, const struct jc_body *body, int64_t now_ns)
{
	if (body->id != sink->body) {
		bool taken = sink->body != 0 && now_ns - sink->seen_ns < ABSENCE_NS;
		bool named = !sink->target.body[0] || strcmp(sink->target.body, body->name) == 0;

		if (taken || !named) {
			return false;
		}
		jc_log_write(sink->log, JC_LOG_INFO, "vmc-out %s: sends '%s' of '%s'", sink->label,
			body->name, sink->target.space);
		sink->begin_ns = sink->body == 0 ? now_ns : sink->begin_ns;
		sink->body = body->id;
	}
	sink->seen_ns = now_ns;
	return true;
}

static bool is_due(struct vmc_sink *sink, int64_t now_ns)
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

static bool make_sender(struct vmc_sink *sink, const struct jc_skeleton *skeleton)
{
	if (sink->skeleton != skeleton) {
		jc_vmc_sender_destroy(sink->sender);
		sink->sender = NULL;
		sink->skeleton = NULL;
		if (jc_vmc_sender_create(skeleton, sink->target.bones, &sink->sender) != JC_OK) {
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

static void on_pose(struct jc_sink *base, const struct jc_body *body,
	const struct jc_skeleton_pose *pose, int64_t now_ns)
{
	struct vmc_sink *sink = (struct vmc_sink *)base;
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
		if (send(sink->fd, bytes, (size_t)length, MSG_DONTWAIT | MSG_NOSIGNAL) == length) {
			sink->sent++;
		} else {
			sink->dropped++;
		}
	}
}

static void destroy(struct jc_sink *base)
{
	struct vmc_sink *sink = (struct vmc_sink *)base;

	jc_log_write(sink->log, JC_LOG_INFO, "vmc-out %s: %llu packets sent, %llu dropped",
		sink->label, (unsigned long long)sink->sent, (unsigned long long)sink->dropped);
	jc_vmc_sender_destroy(sink->sender);
	close(sink->fd);
	free(sink);
}

static const struct jc_sink_ops vmc_sink_ops = {
	.pose = on_pose,
	.destroy = destroy,
};

int jc_vmc_sink_create(const struct jc_vmc_target *target, const struct jc_log *log,
	struct jc_sink **out_sink, struct jc_diagnostic *diagnostic)
{
	const struct sockaddr_storage *address = &target->address;
	struct vmc_sink *sink = calloc(1, sizeof(*sink));

	if (!sink) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	sink->base.ops = &vmc_sink_ops;
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
