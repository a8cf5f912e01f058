/* The skeletons, bodies and props of the configuration, and the change to another configuration:
 * equal entries are not touched. */
#ifndef JC_CONFIG_OBJECTS_H
#define JC_CONFIG_OBJECTS_H

#include <stdint.h>

#include "app/config_avatars.h"
#include "app/config_props.h"
#include "app/prepared_source.h"
#include "config/config.h"
#include "replay/replay.h"
#include "space/spaces.h"

/* Entry i belongs to entry i of the configuration in use. All zeros: empty. */
struct jc_config_objects {
	struct jc_skeleton_asset *assets[JC_MAX_SKELETONS]; /* one reference each */
	struct jc_avatar *avatars[JC_MAX_SKELETONS];        /* borrowed; NULL: not served */
	struct {
		struct jc_space *space; /* borrowed */
		uint32_t id;            /* of the body, which may have left */
		uint32_t replay;        /* id of the replay if the source is one; 0: a body */
	} bodies[JC_MAX_SOURCES];
	struct jc_replays replays;
};

/* The difference between two configurations. */
struct jc_config_diff {
	const struct jc_config *config; /* in use; borrowed, as is: */
	const struct jc_config *next;
	/* Entry i of `next`: the equal entry of `config`, or -1 for a new one, which is in the
	 * arrays below. */
	int skeletons[JC_MAX_SKELETONS];
	int sources[JC_MAX_SOURCES];
	struct jc_skeleton_asset *assets[JC_MAX_SKELETONS]; /* owned until applied */
	struct jc_config_avatars avatars;
	struct jc_prepared_source *prepared[JC_MAX_SOURCES]; /* owned */
	struct jc_source *opened[JC_MAX_SOURCES];            /* owned until applied */
	struct jc_config_props props;                        /* of `next`: read each time */
	const char *subject; /* the file or URI that an error concerns, borrowed from `next`; NULL:
				none */
};

/* The objects that a difference is applied to; borrowed. */
struct jc_config_target {
	struct jc_config_objects *config_objects;
	struct jc_spaces *spaces;
	struct jc_avatars *avatars;
	uv_loop_t *loop;   /* its thread pool reads recordings */
	const char *state; /* directory for state between runs; NULL: none */
	struct jc_source_opening opening;
	bool is_check; /* only check that `next` can be applied: no socket, no body */
};

/* Computes the difference. Both configurations stay unchanged until it is finished. */
void jc_config_diff_init(
	struct jc_config_diff *diff, const struct jc_config *config, const struct jc_config *next);
void jc_config_diff_finish(struct jc_config_diff *diff);

/* Reads all files of new entries. Runs on any thread. Returns 0 or a negative enum jc_error with
 * the diagnostic and the subject filled. */
int jc_config_diff_prepare(struct jc_config_diff *diff, struct jc_diagnostic *diagnostic);

/* Adds new bodies and removes those that `next` lacks. Not during a tick. Returns 0, or a
 * negative enum jc_error with the diagnostic and the subject filled, and then nothing has
 * changed. A body that cannot be added in the last step, because its place or its port is in use,
 * is logged and missing. */
int jc_config_diff_apply(struct jc_config_diff *diff, const struct jc_config_target *place,
	struct jc_diagnostic *diagnostic);

/* The numbers of new skeletons and sources. */
size_t jc_config_diff_new_skeletons(const struct jc_config_diff *diff);
size_t jc_config_diff_new_sources(const struct jc_config_diff *diff);

#endif
