/* Recordings: what the sources of a space delivered, before it was fitted to any
 * skeleton, as an MCAP file (mcap.h) that others can read too. What is in one,
 * message by message: proto/RECORDING.md. */
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

struct json_t; /* jansson */

#define JC_RECORDING_PROFILE "jointcast"

/* How much of a body is recorded; whose motion is not is in the roster all the same. */
enum jc_recorded {
	JC_RECORDED_NOTHING,
	JC_RECORDED_ANONYMOUS, /* poses: no bone lengths, no place in the room */
	JC_RECORDED_RAW,
};

struct jc_recorded_body {
	uint32_t id;
	const char *name;
	const char *display;       /* what people read instead; NULL or "": nothing else */
	const struct json_t *meta; /* what else is said of it, an object, borrowed; NULL: nothing */
	enum jc_recorded recorded;
	enum jc_capture_kind kind; /* of its captures */
	enum jc_profile profile;   /* of body frames */
	float height;              /* of body frames: of the person, metres; 0: not told */
	/* How captures became what was shown: smoothed so, all 0: not; of poses, without
	 * gaps being bridged; of body frames, put through this calibration, of which
	 * jc_calibration_unpack makes one, borrowed, NULL: none. */
	struct jc_one_euro_options smooth;
	bool is_direct;
	const struct json_t *calibration;
	const char *skeleton; /* hash of the one it wears; "" for none */
	size_t channel_count;
	const char *const *channels; /* names, whose values captures have */
	struct jc_placement placement;
	float seat_height; /* 0: none */
};

/* The kinds of message, each on a topic of its own. */
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
	JC_TOPIC_COUNT,
};

struct jc_recording_options {
	const char *library; /* that writes */
	const char *space;
	const char *epoch; /* of the space */
	uint32_t tick_hz;
	unsigned part;          /* of a recording in several files, from 0 */
	uint64_t epoch_unix_ns; /* wall clock at server time 0: log times count from there */
	bool transforms;        /* foxglove.FrameTransforms beside the captures */
	int level;              /* of zstd; 0: its default */
};

struct jc_recording_writer;

/* Writes the session, so that a file says what it is before anything else. Times
 * are server time in microseconds throughout. */
int jc_recording_create(const struct jc_recording_options *options, int64_t time_us,
	const struct jc_mcap_sink *sink, struct jc_recording_writer **out_writer);
void jc_recording_destroy(struct jc_recording_writer *writer);

/* The descriptor of a skeleton that bodies wear. */
int jc_recording_write_skeleton(
	struct jc_recording_writer *writer, int64_t time_us, const struct jc_skeleton *skeleton);

/* All bodies, whenever one of them changes. What is borrowed is so for the call. */
int jc_recording_write_roster(struct jc_recording_writer *writer, int64_t time_us,
	uint64_t revision, const struct jc_recorded_body *bodies, size_t body_count);

/* Where the wall clock stands, so that its drift can be told. */
int jc_recording_write_clock(struct jc_recording_writer *writer, int64_t time_us, uint64_t unix_ns);

/* "marker" and what somebody says, "dropped" and how many captures, …; body 0: none. */
int jc_recording_write_event(struct jc_recording_writer *writer, int64_t time_us, const char *event,
	const char *text, uint32_t body, uint64_t count);

struct jc_recorded_capture {
	uint32_t body;
	const uint8_t *bytes; /* capture.h; of a rest as well */
	size_t length;        /* JC_CAPTURE_BYTES at most */
};

/* What arrived for one tick, in one message. */
int jc_recording_write_captures(struct jc_recording_writer *writer, int64_t time_us, uint32_t tick,
	const struct jc_recorded_capture *captures, size_t count);

/* A message by itself, for those who have it written elsewhere, as another thread
 * does, or into more than one file: its JSON, the caller's to free, or the length of
 * a message of captures, JC_ERROR_SPACE where it does not fit. */
int jc_recording_format_skeleton(
	int64_t time_us, const struct jc_skeleton *skeleton, char **out_text);
int jc_recording_format_roster(int64_t time_us, uint64_t revision,
	const struct jc_recorded_body *bodies, size_t body_count, char **out_text);
int jc_recording_format_clock(int64_t time_us, uint64_t unix_ns, char **out_text);
int jc_recording_format_event(int64_t time_us, const char *event, const char *text, uint32_t body,
	uint64_t count, char **out_text);
int jc_recording_format_captures(uint32_t tick, const struct jc_recorded_capture *captures,
	size_t count, uint8_t *out_bytes, size_t capacity);

/* A stream whose packets were kept: a body on a skeleton in one level of detail. */
struct jc_recorded_stream {
	uint32_t number; /* never another's in one recording */
	uint32_t body;
	const char *skeleton; /* hash of the one it is on */
	bool chains;          /* coding 2, as what follows is of; else coding 1 */
	enum jc_precision precision;
	uint32_t rate;
	unsigned sections; /* JC_STREAM_SECTION bits */
	uint32_t since;    /* tick of its first packet, with which it began anew */
};

/* What of a stream was made in a tick, each as it stands in a bundle. */
struct jc_recorded_packet {
	uint32_t stream;
	bool rejoins; /* one was asked for that needs no state */
	const uint8_t *bytes, *rejoin;
	size_t length, rejoin_length; /* 0: there was nothing to say */
};

/* All streams, whenever there are others, and a tick's packets; as above. */
int jc_recording_format_streams(
	int64_t time_us, const struct jc_recorded_stream *streams, size_t count, char **out_text);
int jc_recording_format_packets(uint32_t tick, const struct jc_recorded_packet *packets,
	size_t count, uint8_t *out_bytes, size_t capacity);

/* Writes such a message as it is, and the transforms that follow from it. */
int jc_recording_write(struct jc_recording_writer *writer, enum jc_recording_topic topic,
	int64_t time_us, const void *bytes, size_t length);

/* Ends the chunk, or the file. */
int jc_recording_flush(struct jc_recording_writer *writer);
int jc_recording_end(struct jc_recording_writer *writer);

/* A clip as a recording of one body: body frames as they are where its motion is
 * made of them, else poses, and its channels. */
int jc_write_recording(const struct jc_clip *clip, struct jc_written *out_file,
	struct jc_lint *lint, struct jc_diagnostic *diagnostic);

struct jc_forgotten {
	size_t bodies; /* of that name that were in it */
	uint64_t captures;
	size_t skeletons; /* that nobody else wore */
	size_t markers;   /* that stay although they have the name, or what people read instead, in
			     their text */
};

/* Writes the recording without the bodies of that name: their entries in rosters, their
 * captures, transforms, packets and events, and skeletons that nobody else wears. What
 * markers say stays. JC_ERROR_ABSENT where no body has the name, and nothing was written;
 * JC_ERROR_UNSUPPORTED for an MCAP file of others, JC_ERROR_TRUNCATED for one that was not
 * closed; JC_ERROR_LIMIT, JC_ERROR_MEMORY; what the sink returns. After any other than the
 * first what was written is of no use. */
int jc_recording_forget(const struct jc_mcap_input *input, const char *name, const char *library,
	const struct jc_mcap_sink *sink, struct jc_forgotten *out_forgotten,
	struct jc_diagnostic *diagnostic);

#endif
