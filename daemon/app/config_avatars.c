/* Reads avatars on any thread, and enters them on the loop. */
#include "app/config_avatars.h"

#include <string.h>

void jc_config_avatars_read(
	struct jc_config_avatars *avatars, const struct jc_config *config, size_t i)
{
	const struct jc_config_skeleton *skeleton = &config->skeletons[i];

	if (skeleton->serve) {
		jc_avatar_file_read(
			skeleton->path, skeleton->index, &avatars->files[i], &avatars->findings[i]);
	}
}

void jc_config_avatars_finish(struct jc_config_avatars *avatars)
{
	for (size_t i = 0; i < JC_MAX_SKELETONS; i++) {
		jc_avatar_file_finish(&avatars->files[i]);
	}
}

/* Whether a file of --skeleton can be an avatar does not matter to most: no warning. */
void jc_config_avatars_warn(const struct jc_config_avatars *avatars, const struct jc_config *config,
	const struct jc_log *log)
{
	for (size_t i = 0; i < config->skeleton_count; i++) {
		const struct jc_config_skeleton *skeleton = &config->skeletons[i];
		const struct jc_diagnostic *finding = &avatars->findings[i];

		if (finding->what[0]) {
			jc_log_write(log, skeleton->name ? JC_LOG_WARNING : JC_LOG_INFO,
				"'%s' is not served as an avatar: %s%s%s", skeleton->path,
				finding->what, finding->where[0] ? ", " : "", finding->where);
		}
	}
}

static bool is_in(struct jc_avatar *const list[], size_t count, const struct jc_avatar *avatar)
{
	for (size_t i = 0; i < count; i++) {
		if (list[i] == avatar) {
			return true;
		}
	}
	return false;
}

void jc_config_avatars_take(struct jc_config_avatars *avatars, const struct jc_config *config,
	const int before[], const struct jc_config_avatars_target *target)
{
	struct jc_avatar *now[JC_MAX_SKELETONS] = { NULL };

	for (size_t i = 0; i < config->skeleton_count; i++) {
		if (before[i] >= 0) {
			now[i] = target->in_use[before[i]];
		} else if (avatars->files[i].path &&
			   jc_avatars_add(target->avatars, &avatars->files[i], target->assets[i],
				   &now[i]) != JC_OK) {
			jc_log_write(target->log, JC_LOG_WARNING,
				"'%s' is not served as an avatar: too many avatars",
				config->skeletons[i].path);
		}
	}
	for (size_t i = 0; i < target->count; i++) {
		struct jc_avatar *avatar = target->in_use[i];

		/* Equal entries have one avatar. */
		if (avatar && !is_in(now, config->skeleton_count, avatar) &&
			!is_in(target->in_use, i, avatar)) {
			jc_avatars_remove(target->avatars, avatar, target->spaces);
		}
	}
	memcpy(target->in_use, now, sizeof(now));
}
