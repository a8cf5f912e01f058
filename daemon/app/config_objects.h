/* The skeletons and bodies that the configuration put there, and what turns them into
 * those of another configuration: what stays the same is not touched. */
#ifndef JC_CONFIG_OBJECTS_H
#define JC_CONFIG_OBJECTS_H

#include <stdint.h>

#include "app/prepared_source.h"
#include "config/config.h"
#include "replay/replay.h"
#include "space/spaces.h"

/* Entry i belongs to entry i of the configuration in use. All zeros: nothing. */
struct jc_config_objects {
	struct jc_skeleton_asset *assets[JC_MAX_SKELETONS]; /* kept */
	struct {
		struct jc_space *space; /* borrowed */
		uint32_t id;            /* of the body; may have left meanwhile */
		uint32_t replay;        /* instead: a replay, likewise; 0: it is a body */
	} bodies[JC_MAX_SOURCES];
	struct jc_replays replays;
};

/* From one configuration to the next. */
struct jc_config_diff {
	const struct jc_config *config; /* in use; borrowed, as is: */
	const struct jc_config *next;
	/* Entry i of `next`: the same entry of `config`, or -1 and what is new. */
	int skeletons[JC_MAX_SKELETONS];
	int sources[JC_MAX_SOURCES];
	struct jc_skeleton_asset *assets[JC_MAX_SKELETONS];  /* owned until applied */
	struct jc_prepared_source *prepared[JC_MAX_SOURCES]; /* owned */
	struct jc_source *opened[JC_MAX_SOURCES];            /* owned until applied */
	const char *subject; /* what an error is about, borrowed from `next`; NULL: nothing */
};

/* What applying works on; borrowed. */
struct jc_config_target {
	struct jc_config_objects *config_objects;
	struct jc_spaces *spaces;
	uv_loop_t *loop;   /* whose pool reads recordings */
	const char *state; /* directory for what outlives a run; NULL: none */
	struct jc_source_opening opening;
};

/* Finds out what differs. Both configurations stay as they are until it is finished. */
void jc_config_diff_init(
	struct jc_config_diff *diff, const struct jc_config *config, const struct jc_config *next);
void jc_config_diff_finish(struct jc_config_diff *diff);

/* Reads every file that is needed. Any thread. Returns 0 or a negative enum jc_error
 * with the diagnostic and the subject filled. */
int jc_config_diff_prepare(struct jc_config_diff *diff, struct jc_diagnostic *diagnostic);

/* New bodies enter, those that are no longer wanted leave. Not within a tick. On an
 * error, told as above, all is as it was. A body that cannot enter after all, because
 * others took its place or the port that its predecessor left, is logged and missing. */
int jc_config_diff_apply(struct jc_config_diff *diff, const struct jc_config_target *place,
	struct jc_diagnostic *diagnostic);

/* How many skeletons and sources are new. */
size_t jc_config_diff_new_skeletons(const struct jc_config_diff *diff);
size_t jc_config_diff_new_sources(const struct jc_config_diff *diff);

#endif
