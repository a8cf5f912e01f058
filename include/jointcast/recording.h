/* Writes recordings: the captures of all sources of a space, before retargeting, in an MCAP file
 * (mcap.h) that other programs can read too. proto/RECORDING.md describes all messages. */
#ifndef JOINTCAST_RECORDING_H
#define JOINTCAST_RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture.h"
#include "error.h"
#include "lint.h"
#include "mcap.h"
#include "mcap_writer.h"
#include "motion.h"
#include "one_euro.h"
#include "packet.h"
#include "skeleton.h"
#include "stream.h"
#include "write.h"

#ifdef __cplusplus
extern "C" {
#endif

struct json_t; /* jansson */

/* The profile in the header of the MCAP file. */
#define JC_RECORDING_PROFILE "jointcast"

/* How much of a body is recorded. The roster lists all bodies, also those without motion. */
enum jc_recorded {
	JC_RECORDED_NOTHING,
	JC_RECORDED_ANONYMOUS, /* poses, without bone lengths and position in the room */
	JC_RECORDED_RAW,
};

/* A body in the roster of a recording. */
struct jc_recorded_body {
	uint32_t id;               /* in its space */
	const char *name;          /* unique in its space at one time */
	const char *display;       /* name shown to people; NULL or "": the name */
	const struct json_t *meta; /* further information, an object, borrowed; may be NULL */
	enum jc_recorded recorded; /* how much of it the recording has */
	enum jc_capture_kind kind; /* of its captures */
	enum jc_profile profile;   /* of body frames */
	float height;              /* of body frames: height of the person, metres; 0: unknown */
	/* Processing of the captures when the body was live: smoothing (all 0: none); is_direct:
	 * poses, gaps not bridged; calibration: of body frames, borrowed JSON object, may be
	 * NULL. */
	struct jc_one_euro_options smooth;
	bool is_direct;
	const struct json_t *calibration;
	const char *skeleton; /* hash of its skeleton; "": none */
	size_t channel_count;
	const char *const *channels; /* names of the values in captures */
	struct jc_placement placement;
	float seat_height; /* 0: none */
};

/* The kinds of message; each has its own topic. */
enum jc_recording_topic {
	JC_TOPIC_SESSION,
	JC_TOPIC_CLOCK,
	JC_TOPIC_SKELETON,
	JC_TOPIC_ROSTER,
	JC_TOPIC_EVENT,
	JC_TOPIC_CAPTURES,
	JC_TOPIC_TRANSFORMS,
	JC_TOPIC_STREAMS,
	JC_TOPIC_PACKETS,
	JC_TOPIC_SCENE,
	JC_TOPIC_COUNT,
};

/* The fields of the session message of a recording. */
struct jc_recording_options {
	const char *library;    /* name of the writing program */
	const char *space;      /* name of the recorded space */
	const char *epoch;      /* of the space */
	uint32_t tick_hz;       /* ticks of the space per second */
	unsigned part;          /* of a recording in several files, from 0 */
	uint64_t epoch_unix_ns; /* wall clock at server time 0: log times count from there */
	/* Beside the captures, what other programs draw: foxglove.FrameTransforms and
	 * foxglove.SceneUpdate. */
	bool scene;
	int level; /* of zstd; 0: its default */
};

struct jc_recording_writer;

/* Creates a writer and writes the session message, which comes first in the file. All times are
 * server time in microseconds. */
int jc_recording_create(const struct jc_recording_options *options, int64_t time_us,
	const struct jc_mcap_sink *sink, struct jc_recording_writer **out_writer);
void jc_recording_destroy(struct jc_recording_writer *writer);

/* Writes the descriptor of a skeleton that bodies use. */
int jc_recording_write_skeleton(
	struct jc_recording_writer *writer, int64_t time_us, const struct jc_skeleton *skeleton);

/* Writes the list of all bodies; call it whenever one of them changes. Pointers are borrowed for
 * the call. */
int jc_recording_write_roster(struct jc_recording_writer *writer, int64_t time_us,
	uint64_t revision, const struct jc_recorded_body *bodies, size_t body_count);

/* Writes the wall clock time at time_us, which shows its drift. */
int jc_recording_write_clock(struct jc_recording_writer *writer, int64_t time_us, uint64_t unix_ns);

/* Writes an event: "marker" with its text, "dropped" with the count of lost captures, …; body 0:
 * none. */
int jc_recording_write_event(struct jc_recording_writer *writer, int64_t time_us, const char *event,
	const char *text, uint32_t body, uint64_t count);

/* A capture in a message. */
struct jc_recorded_capture {
	uint32_t body;        /* id of its body */
	const uint8_t *bytes; /* capture.h; also T-poses */
	size_t length;        /* JC_CAPTURE_BYTES at most */
};

/* Writes the captures of one tick as one message. */
int jc_recording_write_captures(struct jc_recording_writer *writer, int64_t time_us, uint32_t tick,
	const struct jc_recorded_capture *captures, size_t count);

/* Format a single message, for programs that write it in another thread or to several files.
 * *out_text is JSON, which the caller frees. jc_recording_format_captures returns the length, or
 * JC_ERROR_SPACE if it exceeds capacity. */
int jc_recording_format_skeleton(
	int64_t time_us, const struct jc_skeleton *skeleton, char **out_text);
int jc_recording_format_roster(int64_t time_us, uint64_t revision,
	const struct jc_recorded_body *bodies, size_t body_count, char **out_text);
int jc_recording_format_clock(int64_t time_us, uint64_t unix_ns, char **out_text);
int jc_recording_format_event(int64_t time_us, const char *event, const char *text, uint32_t body,
	uint64_t count, char **out_text);
int jc_recording_format_captures(uint32_t tick, const struct jc_recorded_capture *captures,
	size_t count, uint8_t *out_bytes, size_t capacity);

/* A stream with recorded packets: a body on a skeleton at one level of detail. */
struct jc_recorded_stream {
	uint32_t number;             /* unique in the recording */
	uint32_t body;               /* id of its body */
	const char *skeleton;        /* hash */
	bool chains;                 /* coding 2 or 3, as the fields below state; else coding 1 */
	bool model;                  /* coding 3; with chains only */
	enum jc_precision precision; /* of the packets */
	uint32_t rate;               /* ticks between packets */
	unsigned sections;           /* JC_STREAM_SECTION bits */
	const uint8_t *virtuals;     /* indices of the virtual transforms that section 8 has */
	size_t virtual_count;        /* of these indices */
	enum jc_precision finest; /* of both codings: the motion was rounded to it, unless `fine` */
	uint32_t since;           /* tick of the first packet of its incarnation */
};

/* The payloads of a stream in one tick, as in a bundle. */
struct jc_recorded_packet {
	uint32_t stream;               /* number of the stream */
	bool rejoins;                  /* a rejoin payload was requested */
	const uint8_t *bytes, *rejoin; /* payloads, jc_stream_packet */
	size_t length, rejoin_length;  /* 0: nothing to send */
};

/* Format the list of all streams (whenever it changes) and the packets of one tick; results as
 * above. */
int jc_recording_format_streams(
	int64_t time_us, const struct jc_recorded_stream *streams, size_t count, char **out_text);
int jc_recording_format_packets(uint32_t tick, const struct jc_recorded_packet *packets,
	size_t count, uint8_t *out_bytes, size_t capacity);

/* Writes a formatted message, and those of the scene derived from it. */
int jc_recording_write(struct jc_recording_writer *writer, enum jc_recording_topic topic,
	int64_t time_us, const void *bytes, size_t length);

/* End the open chunk, and the file. */
int jc_recording_flush(struct jc_recording_writer *writer);
int jc_recording_end(struct jc_recording_writer *writer);

/* Writes a clip as a recording of one body with its channels: unchanged body frames if the motion
 * consists of them, else poses. */
int jc_write_recording(const struct jc_clip *clip, struct jc_written *out_file,
	struct jc_lint *lint, struct jc_diagnostic *diagnostic);

/* The result of jc_recording_forget: numbers of removed parts. */
struct jc_forgotten {
	size_t bodies;     /* bodies of that name */
	uint64_t captures; /* of these bodies */
	size_t skeletons;  /* skeletons that only these bodies used */
	size_t markers;    /* that stay although they have the name, or what people read instead, in
			      their text */
};

/* Writes a copy of the recording without the bodies of that name: without their roster entries,
 * captures, transforms, packets and events, and without skeletons that only they used. The text
 * of markers is kept. Errors: JC_ERROR_ABSENT, no body has the name and nothing was written;
 * JC_ERROR_UNSUPPORTED, an MCAP file of another program, or messages of a newer version of this one
 * that may contain the person; JC_ERROR_TRUNCATED, the file was not
 * closed; JC_ERROR_LIMIT; JC_ERROR_MEMORY; errors of the sink. After any error except
 * JC_ERROR_ABSENT the output is useless. */
int jc_recording_forget(const struct jc_mcap_input *input, const char *name, const char *library,
	const struct jc_mcap_sink *sink, struct jc_forgotten *out_forgotten,
	struct jc_diagnostic *diagnostic);

/* Writes a copy of a recording with the messages that `scene` of jc_recording_options adds; those
 * that the file has are replaced. Errors: those of jc_recording_open, JC_ERROR_INVALID for damage,
 * JC_ERROR_LIMIT, JC_ERROR_MEMORY, errors of the sink. After an error the output is useless. */
int jc_recording_add_scene(const struct jc_mcap_input *input, const char *library,
	const struct jc_mcap_sink *sink, struct jc_diagnostic *diagnostic);

#ifdef __cplusplus
}
#endif

#endif
