/* The interface of a source, which delivers one body. The space takes a sample each tick;
 * only app/prepared_source.c knows the kinds of sources. */
#ifndef JC_SOURCE_H
#define JC_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "jointcast/humanoid.h"
#include "jointcast/limits.h"

struct jc_source_sample {
	struct jc_pose pose;
	int64_t capture_ns; /* when the pose was captured, CLOCK_MONOTONIC */
	bool cut;           /* the motion jumps here */
	bool live;          /* false: nothing new will come, the pose is the last */
	bool held;          /* the pose is not of that time but held, or goes to rest */
	float values[JC_LIMIT_STREAM_VALUES]; /* of the source's channels */
};

/* The channels of a body beside its bones, with the names of jc_motion_channels. */
struct jc_source_channels {
	size_t count;
	size_t value_count;                        /* of all of them */
	unsigned revision;                         /* another one: other names */
	const char *names[JC_LIMIT_STREAM_VALUES]; /* borrowed from the source */
	uint8_t value_counts[JC_LIMIT_STREAM_VALUES];
};

/* How a source does, in the order in which a source usually gets there. */
enum jc_source_condition {
	JC_SOURCE_WAITING, /* nothing was delivered yet */
	JC_SOURCE_LIVE,
	JC_SOURCE_STALE, /* connected, but nothing new arrives */
	JC_SOURCE_LOST,  /* the connection was lost; it is tried again */
};

const char *jc_source_condition_name(enum jc_source_condition condition); /* "waiting" */

#define JC_SOURCE_DETAIL 160

/* The status of a source for operators. Contains no pose, token or address of a person. */
struct jc_source_status {
	const char *kind; /* "file", "demo", "vmc", "openxr", "publisher" */
	enum jc_source_condition condition;
	/* One line for people: what delivers and how ("meta body, 84 joints, high
	 * fidelity"), or why nothing comes ("no OpenXR loader"). May be empty. */
	char detail[JC_SOURCE_DETAIL];
	uint64_t frames;        /* that were taken in */
	uint64_t held, dropped; /* joints of these that were implausible (plausibility.h) */
	uint64_t refused;       /* packets or messages that were damaged */
	uint64_t losses;        /* number of lost connections */
};

struct jc_capture_intake;
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
	struct jc_source_channels channels; /* may become more with any sample */
	/* Where the body stands and looks when it begins: hips displacement in
	 * units of hips height (only x and z count) and heading about +Y. The
	 * space takes both out, so that the body begins on its own spot. */
	struct jc_vec3 start_translation;
	float start_yaw;
	float reach;       /* how far it goes from there, in units of hips height */
	float seat_height; /* of the seat it uses, in the same unit; 0: none */
	/* Owned: the captures of a sample, for recorders. NULL: only samples are available. */
	struct jc_capture_intake *intake;
	struct jc_tracked_body *tracked; /* owned; NULL: not tracked joint by joint */
	bool is_awaited; /* nothing was delivered when it enters: the body is stale until then */
	/* The person has not agreed to being recorded, to being recorded other than as poses,
	 * or to being sent to other programs. */
	bool is_unrecorded, is_anonymous, is_unrelayed;
	uint64_t party; /* participant that publishes it (space/ignores.h); 0: the server */
};

/* 4 for "lookAt", else 1. */
size_t jc_channel_value_count(const char *name);

/* False where there is no room for it. */
bool jc_source_add_channel(struct jc_source *source, const char *name, size_t value_count);

#endif
