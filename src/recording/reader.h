/* Shared by the files that read a recording: the open recording, its index, roster entries. */
#ifndef JC_RECORDING_READER_H
#define JC_RECORDING_READER_H

#include "jointcast/mcap_reader.h"
#include "jointcast/recording.h"
#include "jointcast/recording_reader.h"
#include "jointcast_private/json.h"

struct json_t;

/* A space in the file: the topics under /SPACE/. */
struct jc_recording_group {
	uint16_t roster, captures; /* channels */
};

struct jc_recording_skeleton {
	const char *hash;                /* borrowed from the descriptor's message */
	const struct json_t *descriptor; /* borrowed from the descriptor's message */
};

struct jc_recording {
	const struct jc_mcap_input *input;
	struct jc_mcap_index *index;         /* owned */
	struct json_t *messages;             /* owned: JSON from which other members borrow */
	struct jc_recording_session session; /* borrows from messages */
	bool has_epoch, has_session;
	size_t group_count;
	struct jc_recording_group groups[JC_LIMIT_RECORDED_SPACES];
	size_t roster_count, roster_capacity;
	struct jc_recording_roster {
		struct jc_recorded_roster roster; /* its bodies are owned */
		const struct json_t *source;      /* JSON from which they borrow */
	} * rosters;                              /* owned */
	size_t entry_count;                       /* number of bodies in all rosters */
	size_t event_count, event_capacity;
	struct jc_recorded_event *events; /* owned */
	size_t skeleton_count, skeleton_capacity;
	struct jc_recording_skeleton *skeletons; /* owned */
	size_t body_count;
	struct jc_recording_body {
		const struct jc_recorded_body *body; /* index of the first roster with the body */
		uint16_t group;
	} * bodies; /* owned */
	size_t page_count;
	uint64_t *pages; /* owned: log time of the start of each page */
};

/* Server time of a log time. */
int64_t jc_recording_time_us(const struct jc_recording *recording, uint64_t log_time);

/* The group whose captures are on a channel; group_count: none. */
size_t jc_recording_group_of(const struct jc_recording *recording, uint16_t captures);

/* Fills session, groups, rosters, events, skeletons and bodies from the file's index.
 * Damaged chunks are noted and skipped. */
int jc_recording_read_index(struct jc_recording *recording, struct jc_diagnostic *diagnostic);
void jc_recording_finish_index(struct jc_recording *recording);

/* Whether this version reads a recording with that session: JC_ERROR_UNSUPPORTED for a higher
 * version, JC_ERROR_INVALID for none, with the diagnostic filled. */
int jc_recording_check_session(const struct json_t *root, struct jc_diagnostic *diagnostic);

/* Reads one body of a roster. *body borrows from the object, except for the array of channel
 * names: the caller frees *out_channels, which is NULL without channels, also after an error. */
int jc_recorded_body_parse(const struct json_t *object, const struct jc_json_place *place,
	struct jc_recorded_body *body, const char ***out_channels,
	struct jc_diagnostic *diagnostic);

#endif
