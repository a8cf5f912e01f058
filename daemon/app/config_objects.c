/* Compares two configurations and applies the difference. All steps that can fail come before the
 * first body is removed. */
#include "app/config_objects.h"

#include <stdlib.h>
#include <string.h>

#include "source/calibration_store.h"

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_skeleton(const struct jc_config_skeleton *a, const struct jc_config_skeleton *b)
{
	return same_text(a->path, b->path) && a->index == b->index &&
	       same_text(a->bones, b->bones) && a->serve == b->serve;
}

static bool same_source(const struct jc_config_source *a, const struct jc_config_source *b)
{
	return same_text(a->uri, b->uri) && same_text(a->name, b->name) &&
	       same_text(a->space, b->space);
}

/* Returns the skeleton of the i-th source: the one that it names, else one of all skeletons in
 * turn; -1: the built-in one. */
static int choose_skeleton(const struct jc_config *config, size_t i)
{
	const char *wanted = config->sources[i].skeleton;

	for (size_t j = 0; wanted && j < config->skeleton_count; j++) {
		if (same_text(config->skeletons[j].name, wanted)) {
			return (int)j;
		}
	}
	return config->skeleton_count > 0 ? (int)(i % config->skeleton_count) : -1;
}

static int find_skeleton(const struct jc_config *config, const struct jc_config_skeleton *skeleton)
{
	for (size_t i = 0; i < config->skeleton_count; i++) {
		if (same_skeleton(&config->skeletons[i], skeleton)) {
			return (int)i;
		}
	}
	return -1;
}

static bool has_same_skeleton(const struct jc_config_diff *diff, size_t before, size_t now)
{
	int a = choose_skeleton(diff->config, before);
	int b = choose_skeleton(diff->next, now);

	return b < 0 ? a < 0 : diff->skeletons[b] >= 0 && diff->skeletons[b] == a;
}

/* Two sources may be equal: each has its own counterpart. */
static int find_source(const struct jc_config_diff *diff, size_t now, bool is_taken[])
{
	const struct jc_config *config = diff->config;

	for (size_t i = 0; i < config->source_count; i++) {
		if (!is_taken[i] && same_source(&config->sources[i], &diff->next->sources[now]) &&
			has_same_skeleton(diff, i, now)) {
			is_taken[i] = true;
			return (int)i;
		}
	}
	return -1;
}

void jc_config_diff_init(
	struct jc_config_diff *diff, const struct jc_config *config, const struct jc_config *next)
{
	bool is_taken[JC_MAX_SOURCES] = { false };

	*diff = (struct jc_config_diff){ .config = config, .next = next };
	for (size_t i = 0; i < next->skeleton_count; i++) {
		diff->skeletons[i] = find_skeleton(config, &next->skeletons[i]);
	}
	for (size_t i = 0; i < next->source_count; i++) {
		diff->sources[i] = find_source(diff, i, is_taken);
	}
}

void jc_config_diff_finish(struct jc_config_diff *diff)
{
	for (size_t i = 0; i < JC_MAX_SKELETONS; i++) {
		jc_skeleton_asset_destroy(diff->assets[i]);
	}
	for (size_t i = 0; i < JC_MAX_SOURCES; i++) {
		if (diff->opened[i]) {
			diff->opened[i]->ops->destroy(diff->opened[i]);
		}
		jc_prepared_source_destroy(diff->prepared[i]);
	}
	jc_config_props_finish(&diff->props);
	jc_config_avatars_finish(&diff->avatars);
}

static int prepare_asset(const struct jc_config_skeleton *wanted,
	struct jc_skeleton_asset **out_asset, struct jc_diagnostic *diagnostic)
{
	struct jc_skeleton *skeleton;
	int status = jc_prepared_skeleton_read(
		wanted->path, wanted->index, wanted->bones, &skeleton, diagnostic);

	if (status != JC_OK) {
		return status;
	}
	status = jc_skeleton_asset_create(skeleton, out_asset, diagnostic);
	if (status != JC_OK) {
		jc_skeleton_destroy(skeleton);
	}
	return status;
}

/* A source with a file is named by the path, any other one by its URI. */
static const char *subject_of(const struct jc_config_source *source)
{
	return strncmp(source->uri, "file:", 5) == 0     ? source->uri + 5
	       : strncmp(source->uri, "replay:", 7) == 0 ? source->uri + 7
							 : source->uri;
}

int jc_config_diff_prepare(struct jc_config_diff *diff, struct jc_diagnostic *diagnostic)
{
	const struct jc_config *next = diff->next;
	int status = JC_OK;

	for (size_t i = 0; status == JC_OK && i < next->skeleton_count; i++) {
		diff->subject = next->skeletons[i].path;
		if (diff->skeletons[i] < 0) {
			status = prepare_asset(&next->skeletons[i], &diff->assets[i], diagnostic);
			jc_config_avatars_read(&diff->avatars, next, i);
		}
	}
	for (size_t i = 0; status == JC_OK && i < next->source_count; i++) {
		diff->subject = subject_of(&next->sources[i]);
		if (diff->sources[i] < 0) {
			status = jc_prepared_source_create(
				&next->sources[i], &diff->prepared[i], diagnostic);
		}
	}
	return status == JC_OK
		       ? jc_config_props_read(&diff->props, next, &diff->subject, diagnostic)
		       : status;
}

static bool stays(const struct jc_config_diff *diff, size_t before)
{
	for (size_t i = 0; i < diff->next->source_count; i++) {
		if (diff->sources[i] == (int)before) {
			return true;
		}
	}
	return false;
}

/* A source that is about to be removed still uses the port. */
static bool waits_for_port(
	const struct jc_config_diff *diff, const struct jc_prepared_source *prepared)
{
	struct jc_source_uri uri;

	if (prepared->uri.address.ss_family == AF_UNSPEC) {
		return false;
	}
	for (size_t i = 0; i < diff->config->source_count; i++) {
		if (!stays(diff, i) &&
			jc_source_uri_parse(diff->config->sources[i].uri, &uri, NULL) == JC_OK &&
			memcmp(&uri.address, &prepared->uri.address, sizeof(uri.address)) == 0) {
			return true;
		}
	}
	return false;
}

static int keep_assets(struct jc_config_diff *diff, struct jc_skeleton_table *skeleton_table,
	size_t *out_kept, struct jc_diagnostic *diagnostic)
{
	for (*out_kept = 0; *out_kept < diff->next->skeleton_count; ++*out_kept) {
		size_t i = *out_kept;
		int status = JC_OK;

		diff->subject = diff->next->skeletons[i].path;
		if (diff->assets[i]) {
			status = jc_skeleton_table_retain(
				skeleton_table, diff->assets[i], &diff->assets[i]);
		}
		if (status != JC_OK) {
			return jc_diagnose(diagnostic, status, NULL, "too many skeletons");
		}
	}
	return JC_OK;
}

/* Opens sources whose ports are free; the others are opened after sources have been removed. */
static int open_sources(struct jc_config_diff *diff, const struct jc_config_target *place,
	struct jc_diagnostic *diagnostic)
{
	int status = JC_OK;

	for (size_t i = 0; status == JC_OK && i < diff->next->source_count; i++) {
		struct jc_prepared_source *prepared = diff->prepared[i];
		struct jc_fanout *fanout;

		if (!prepared) {
			continue;
		}
		diff->subject = subject_of(&diff->next->sources[i]);
		status = jc_spaces_open(place->spaces, prepared->uri.space, &fanout);
		if (status != JC_OK) {
			return jc_diagnose(diagnostic, status, NULL, "cannot enter space '%s': %s",
				prepared->uri.space, jc_error_name(status));
		}
		if (!place->is_check && !prepared->recording && !waits_for_port(diff, prepared)) {
			status = jc_prepared_source_open(
				prepared, &place->opening, &diff->opened[i], diagnostic);
		}
	}
	return status;
}

static void remove_bodies(const struct jc_config_diff *diff, const struct jc_config_target *place)
{
	const struct jc_config_objects *config_objects = place->config_objects;

	for (size_t i = 0; i < diff->config->source_count; i++) {
		struct jc_replay *replay =
			jc_replays_find(&config_objects->replays, config_objects->bodies[i].replay);

		if (stays(diff, i)) {
			continue;
		}
		if (replay) {
			jc_replay_end(replay);
		} else if (config_objects->bodies[i].space) {
			jc_space_remove(
				config_objects->bodies[i].space, config_objects->bodies[i].id);
		}
	}
	for (size_t i = 0; i < place->spaces->count; i++) {
		jc_space_let_leavers_go(place->spaces->fanouts[i]->space);
	}
}

/* Starts the i-th source as a replay. Its bodies use their recorded skeletons unless the source
 * names one. */
static void begin_replay(struct jc_config_diff *diff, const struct jc_config_target *place,
	struct jc_skeleton_asset *asset, size_t i)
{
	struct jc_prepared_source *prepared = diff->prepared[i];
	const struct jc_source_uri *uri = &prepared->uri;
	const struct jc_replay_options options = {
		.names = &uri->names,
		.asset = diff->next->sources[i].skeleton ? asset : NULL,
		.from = uri->from,
		.until = uri->until,
		.speed = uri->speed,
		.loop = uri->loop,
		.is_paused = uri->is_paused,
	};
	struct jc_fanout *fanout = jc_spaces_find(place->spaces, uri->space);
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_replay *replay;

	jc_replay_file_attach(prepared->recording, place->loop, place->opening.log);
	if (jc_replay_create(&options, prepared->recording, fanout->space,
		    &place->spaces->skeleton_table, &place->config_objects->replays, &replay,
		    &diagnostic) != JC_OK) {
		jc_log_diagnostic(place->opening.log, uri->path, &diagnostic);
		return;
	}
	prepared->recording = NULL;
	place->config_objects->bodies[i].replay = jc_replay_id(replay);
}

/* Adds the body of the i-th source to its space. An error is logged. */
static void enter(struct jc_config_diff *diff, const struct jc_config_target *place,
	struct jc_skeleton_asset *asset, size_t i, struct jc_space **out_space, uint32_t *out_id)
{
	struct jc_prepared_source *prepared = diff->prepared[i];
	int skeleton = choose_skeleton(diff->next, i);
	const struct jc_avatar *avatar =
		skeleton < 0 ? NULL : place->config_objects->avatars[skeleton];
	struct jc_diagnostic diagnostic = { 0 };
	int status = JC_OK;

	if (!diff->opened[i]) {
		status = jc_prepared_source_open(
			prepared, &place->opening, &diff->opened[i], &diagnostic);
	}
	if (status == JC_OK) {
		struct jc_fanout *fanout = jc_spaces_find(place->spaces, prepared->uri.space);
		struct jc_source *source = diff->opened[i];

		jc_calibration_store_restore(
			place->state, prepared->uri.name, source, place->opening.log);
		status = jc_space_enter(fanout->space,
			&(struct jc_entry){ .name = prepared->uri.name,
				.asset = asset,
				.avatar = avatar ? &avatar->file.worn : NULL,
				.source = source },
			out_id);
		if (status == JC_OK) {
			diff->opened[i] = NULL;
			*out_space = fanout->space;
			return;
		}
		jc_diagnose(&diagnostic, status, NULL, "cannot enter space '%s': %s",
			prepared->uri.space, jc_error_name(status));
	}
	jc_log_diagnostic(place->opening.log, subject_of(&diff->next->sources[i]), &diagnostic);
}

/* Skeletons removed from the configuration are no longer offered to clients. */
static void drop_assets(const struct jc_config_diff *diff, struct jc_config_objects *config_objects,
	struct jc_skeleton_asset *const *now, const struct jc_skeleton_asset *humanoid)
{
	const struct jc_config *next = diff->next;

	for (size_t i = 0; i < diff->config->skeleton_count; i++) {
		struct jc_skeleton_asset *asset = config_objects->assets[i];
		bool is_common = asset == humanoid;

		for (size_t j = 0; j < next->skeleton_count; j++) {
			is_common = is_common || now[j] == asset;
		}
		asset->is_common = is_common;
		jc_skeleton_asset_release(asset);
	}
	memcpy(config_objects->assets, now,
		next->skeleton_count * sizeof(config_objects->assets[0]));
}

/* Each entry holds one reference to its skeleton asset, also an entry that stays. */
static void take_assets(struct jc_config_diff *diff, const struct jc_config_target *place)
{
	struct jc_skeleton_asset *now[JC_MAX_SKELETONS];

	for (size_t i = 0; i < diff->next->skeleton_count; i++) {
		now[i] = diff->assets[i];
		if (diff->skeletons[i] >= 0) {
			now[i] = place->config_objects->assets[diff->skeletons[i]];
			now[i]->keepers++;
		}
		now[i]->is_common = true;
		diff->assets[i] = NULL;
	}
	drop_assets(diff, place->config_objects, now, place->spaces->skeleton_table.humanoid);
}

static void take_bodies(struct jc_config_diff *diff, const struct jc_config_target *place)
{
	const struct jc_config_objects before = *place->config_objects;
	struct jc_config_objects *config_objects = place->config_objects;

	for (size_t i = 0; i < diff->next->source_count; i++) {
		int skeleton = choose_skeleton(diff->next, i);
		struct jc_skeleton_asset *asset = skeleton < 0
							  ? place->spaces->skeleton_table.humanoid
							  : config_objects->assets[skeleton];

		if (diff->sources[i] >= 0) {
			config_objects->bodies[i] = before.bodies[diff->sources[i]];
			continue;
		}
		config_objects->bodies[i].space = NULL;
		config_objects->bodies[i].replay = 0;
		if (diff->prepared[i]->recording) {
			begin_replay(diff, place, asset, i);
			continue;
		}
		enter(diff, place, asset, i, &config_objects->bodies[i].space,
			&config_objects->bodies[i].id);
	}
}

int jc_config_diff_apply(struct jc_config_diff *diff, const struct jc_config_target *place,
	struct jc_diagnostic *diagnostic)
{
	size_t kept;
	int status = keep_assets(diff, &place->spaces->skeleton_table, &kept, diagnostic);

	if (status == JC_OK) {
		status = open_sources(diff, place, diagnostic);
	}
	if (status == JC_OK) {
		diff->subject = NULL;
		status = jc_config_props_open_spaces(diff->next, place->spaces, diagnostic);
	}
	jc_config_avatars_warn(&diff->avatars, diff->next, place->opening.log);
	if (status != JC_OK || place->is_check) {
		for (size_t i = 0; i < kept; i++) {
			if (diff->assets[i]) {
				jc_skeleton_asset_release(diff->assets[i]);
				diff->assets[i] = NULL;
			}
		}
		return status;
	}
	remove_bodies(diff, place);
	take_assets(diff, place);
	jc_config_avatars_take(&diff->avatars, diff->next, diff->skeletons,
		&(struct jc_config_avatars_target){ .avatars = place->avatars,
			.spaces = place->spaces,
			.assets = place->config_objects->assets,
			.count = diff->config->skeleton_count,
			.in_use = place->config_objects->avatars,
			.log = place->opening.log });
	take_bodies(diff, place);
	jc_config_props_show(&diff->props, diff->next, place->spaces, place->opening.log);
	return JC_OK;
}

size_t jc_config_diff_new_skeletons(const struct jc_config_diff *diff)
{
	size_t count = 0;

	for (size_t i = 0; i < diff->next->skeleton_count; i++) {
		count += diff->skeletons[i] < 0;
	}
	return count;
}

size_t jc_config_diff_new_sources(const struct jc_config_diff *diff)
{
	size_t count = 0;

	for (size_t i = 0; i < diff->next->source_count; i++) {
		count += diff->sources[i] < 0;
	}
	return count;
}
