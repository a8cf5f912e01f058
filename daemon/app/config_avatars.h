/* The avatars of the configuration: files of its skeletons that clients may fetch. A file that
 * cannot be served is a warning; its skeleton is in use nevertheless. */
#ifndef JC_CONFIG_AVATARS_H
#define JC_CONFIG_AVATARS_H

#include "avatars/avatars.h"
#include "base/log.h"
#include "config/config.h"

/* The files that were read, by the entries of a configuration. All zeros: none was read. */
struct jc_config_avatars {
	struct jc_avatar_file files[JC_MAX_SKELETONS];   /* without path: not served */
	struct jc_diagnostic findings[JC_MAX_SKELETONS]; /* why not; empty: it is, or need not be */
};

/* Objects that avatars are entered into; all borrowed. */
struct jc_config_avatars_target {
	struct jc_avatars *avatars;
	struct jc_spaces *spaces;
	struct jc_skeleton_asset *const *assets; /* of the entries of the new configuration */
	size_t count;                            /* of the entries of the previous one */
	struct jc_avatar **in_use;               /* of the entries of the previous one: replaced */
	const struct jc_log *log;
};

/* Reads the file of the i-th skeleton where it is to be served. Runs on any thread. */
void jc_config_avatars_read(
	struct jc_config_avatars *avatars, const struct jc_config *config, size_t i);
void jc_config_avatars_finish(struct jc_config_avatars *avatars);

/* Logs the reasons of files that cannot be served. */
void jc_config_avatars_warn(const struct jc_config_avatars *avatars, const struct jc_config *config,
	const struct jc_log *log);

/* Enters the avatars that were read; before[i] is the previous entry that the i-th entry continues,
 * with its avatar, or -1. Avatars of other previous entries end. */
void jc_config_avatars_take(struct jc_config_avatars *avatars, const struct jc_config *config,
	const int before[], const struct jc_config_avatars_target *target);

#endif
