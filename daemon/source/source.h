/* The interface of a source, which delivers one body. The space takes a sample each tick;
 * only app/prepared_source.c knows the kinds of sources. */
#ifndef JC_SOURCE_H
#define JC_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "jointcast/humanoid.h"
#include "jointcast/limits.h"
#include "maxima.h"

struct jc_source_sample {
	struct jc_pose pose;
	int64_t capture_ns; /* when the pose was captured, CLOCK_MONOTONIC */
	bool cut;           /* the motion jumps here */
	bool live;          /* false: the source has ended, and the pose is its last */
	bool held;          /* the pose is not current: it is held, or moves to rest */
	float values[JC_LIMIT_STREAM_VALUES]; /* of the source's channels */
};

/* The channels of a body beside its bones, with the names of jc_motion_channels. */
struct jc_source_channels {
	size_t count;
	size_t value_count;                        /* sum of value_counts */
	unsigned revision;                         /* changes when channels are added */
	const char *names[JC_LIMIT_STREAM_VALUES]; /* borrowed from the source */
	uint8_t value_counts[JC_LIMIT_STREAM_VALUES];
};

/* The condition of a source, in the usual order. */
enum jc_source_condition {
	JC_SOURCE_WAITING, /* nothing was delivered yet */
	JC_SOURCE_LIVE,
	JC_SOURCE_STALE, /* connected, but nothing new arrives */
	JC_SOURCE_LOST,  /* the connection was lost; the source tries to connect again */
};

const char *jc_source_condition_name(enum jc_source_condition condition); /* "waiting" */

struct jc_osc_names;

#define JC_SOURCE_DETAIL 768 /* twelve trackers, and the remedies for others */

/* A program that sends to the port of a source. */
struct jc_source_sender {
	char name[64]; /* its address on this machine, or "remote:PORT" */
	uint64_t packets;
	float rate; /* packets per second; 0: not known yet */
};

/* The status of a source for operators. Contains no pose, token or address of a person. */
struct jc_source_status {
	const char *kind; /* "file", "demo", "vmc", "osc-trackers", "openxr", "publisher" */
	enum jc_source_condition condition;
	/* One line for operators, never for subscribers, because it may name devices by serial: the
	 * active trackers ("meta body, 84 joints, high fidelity"), or the reason for no motion ("no
	 * OpenXR loader"). May be empty. */
	char detail[JC_SOURCE_DETAIL];
	uint64_t frames;        /* accepted frames */
	uint64_t held, dropped; /* implausible joints in them (plausibility.h) */
	uint64_t refused;       /* damaged packets or messages */
	uint64_t ignored;       /* well-formed messages that the source cannot use */
	uint64_t losses;        /* number of lost connections */
	/* Why the first of the ignored messages was not used; empty: none was ignored. */
	char ignored_reason[JC_SOURCE_DETAIL];
	/* The first few OSC addresses of these messages; borrowed from the source, NULL: none. */
	const struct jc_osc_names *unused;
	/* Fault of the stream (stream_check.h); NULL: no fault. */
	const char *fault;
	size_t sender_count;
	struct jc_source_sender senders[JC_MAX_UDP_PEERS];
};

struct jc_capture_intake;
struct jc_motion;
struct jc_skeleton;
struct jc_source;
struct jc_tracked_body;

struct jc_source_ops {
	void (*sample)(
		struct jc_source *source, int64_t now_ns, struct jc_source_sample *out_sample);
	void (*status)(const struct jc_source *source, struct jc_source_status *out_status);
	void (*destroy)(struct jc_source *source);
};

struct jc_source {
	const struct jc_source_ops *ops;
	struct jc_source_channels channels; /* any sample may add channels */
	/* Start position and heading of the body: hips displacement in units of hips height
	 * (only x and z count) and rotation about +Y. The space subtracts both, so that the body
	 * begins on its own spot. */
	struct jc_vec3 start_translation;
	float start_yaw;
	float reach;       /* maximum distance from the start, in units of hips height */
	float seat_height; /* height of the used seat, in units of hips height; 0: none */
	/* Owned: the captures of a sample, for recorders. NULL: only samples are available. */
	struct jc_capture_intake *intake;
	struct jc_tracked_body *tracked; /* owned; NULL: the source delivers no body frames */
	/* Why it has no motion, for subscribers: a constant text without names, paths and
	 * addresses. NULL: it has, or the reason is unknown. Any sample may change it. */
	const char *reason;
	bool is_awaited; /* enters before any capture: the body is stale until then */
	/* The body is in its space only while the source delivers: from the first sample that is
	 * live and not held until none was for jc_space_options.leave_after_ns. Else it waits. */
	bool comes_and_goes;
	bool takes_face; /* another source may lend it channels (jc_capture_intake_lend) */
	/* The person refuses recording, recording other than as poses, or sending to other
	 * programs. */
	bool is_unrecorded, is_anonymous, is_unrelayed;
	/* The motion that it plays, which may move nodes that are no bones, and its time at the
	 * last sample. Borrowed from the source; NULL: it plays none. */
	const struct jc_motion *motion;
	double motion_t;
	/* The figure whose proportions its motion has, for contacts. Borrowed from the source;
	 * NULL: the built-in one. */
	const struct jc_skeleton *figure;
	uint64_t party; /* participant that publishes it (space/people/ignores.h); 0: the server */
};

/* 4 for "lookAt", else 1. */
size_t jc_channel_value_count(const char *name);

/* Returns false without room. */
bool jc_source_add_channel(struct jc_source *source, const char *name, size_t value_count);

#endif
