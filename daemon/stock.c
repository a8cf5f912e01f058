/* Whatever can fail is done before the first body leaves. */
#include "stock.h"

#include <stdlib.h>
#include <string.h>

#include "base/address.h"
#include "source/calibration_store.h"

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_skeleton(const struct jc_config_skeleton *a, const struct jc_config_skeleton *b)
{
	return same_text(a->path, b->path) && a->index == b->index;
}

static bool same_source(const struct jc_config_source *a, const struct jc_config_source *b)
{
	return same_text(a->uri, b->uri) && same_text(a->name, b->name) &&
	       same_text(a->space, b->space);
}

/* Which skeleton the i-th source wears: the one that it names, else those there are
 * in turn; -1: the built-in one. */
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

static bool wears_the_same(const struct jc_restock *restock, size_t before, size_t now)
{
	int a = choose_skeleton(restock->config, before);
	int b = choose_skeleton(restock->next, now);

	return b < 0 ? a < 0 : restock->skeletons[b] >= 0 && restock->skeletons[b] == a;
}

/* Two sources may be told in the same words: each has its own counterpart. */
static int find_source(const struct jc_restock *restock, size_t now, bool is_taken[])
{
	const struct jc_config *config = restock->config;

	for (size_t i = 0; i < config->source_count; i++) {
		if (!is_taken[i] &&
			same_source(&config->sources[i], &restock->next->sources[now]) &&
			wears_the_same(restock, i, now)) {
			is_taken[i] = true;
			return (int)i;
		}
	}
	return -1;
}

void jc_restock_init(
	struct jc_restock *restock, const struct jc_config *config, const struct jc_config *next)
{
	bool is_taken[JC_MAX_SOURCES] = { false };

	*restock = (struct jc_restock){ .config = config, .next = next };
	for (size_t i = 0; i < next->skeleton_count; i++) {
		restock->skeletons[i] = find_skeleton(config, &next->skeletons[i]);
	}
	for (size_t i = 0; i < next->source_count; i++) {
		restock->sources[i] = find_source(restock, i, is_taken);
	}
}

void jc_restock_finish(struct jc_restock *restock)
{
	for (size_t i = 0; i < JC_MAX_SKELETONS; i++) {
		jc_outfit_destroy(restock->outfits[i]);
	}
	for (size_t i = 0; i < JC_MAX_SOURCES; i++) {
		if (restock->opened[i]) {
			restock->opened[i]->ops->destroy(restock->opened[i]);
		}
		jc_prepared_source_destroy(restock->prepared[i]);
	}
}

static int prepare_outfit(const struct jc_config_skeleton *wanted, struct jc_outfit **out_outfit,
	struct jc_diagnostic *diagnostic)
{
	struct jc_skeleton *skeleton;
	int status = jc_prepared_skeleton_read(wanted->path, wanted->index, &skeleton, diagnostic);

	if (status != JC_OK) {
		return status;
	}
	status = jc_outfit_create(skeleton, out_outfit, diagnostic);
	if (status != JC_OK) {
		jc_skeleton_destroy(skeleton);
	}
	return status;
}

/* A file is named by its path, anything else by its URI. */
static const char *subject_of(const struct jc_config_source *source)
{
	return strncmp(source->uri, "file:", 5) == 0     ? source->uri + 5
	       : strncmp(source->uri, "replay:", 7) == 0 ? source->uri + 7
							 : source->uri;
}

int jc_restock_prepare(struct jc_restock *restock, struct jc_diagnostic *diagnostic)
{
	const struct jc_config *next = restock->next;
	int status = JC_OK;

	for (size_t i = 0; status == JC_OK && i < next->skeleton_count; i++) {
		restock->subject = next->skeletons[i].path;
		if (restock->skeletons[i] < 0) {
			status = prepare_outfit(
				&next->skeletons[i], &restock->outfits[i], diagnostic);
		}
	}
	for (size_t i = 0; status == JC_OK && i < next->source_count; i++) {
		restock->subject = subject_of(&next->sources[i]);
		if (restock->sources[i] < 0) {
			status = jc_prepared_source_create(
				&next->sources[i], &restock->prepared[i], diagnostic);
		}
	}
	return status;
}

static bool stays(const struct jc_restock *restock, size_t before)
{
	for (size_t i = 0; i < restock->next->source_count; i++) {
		if (restock->sources[i] == (int)before) {
			return true;
		}
	}
	return false;
}

/* The port is one that a source has which is about to leave it. */
static bool waits_for_port(
	const struct jc_restock *restock, const struct jc_prepared_source *prepared)
{
	struct jc_source_uri uri;

	if (prepared->uri.scheme != JC_SOURCE_VMC) {
		return false;
	}
	for (size_t i = 0; i < restock->config->source_count; i++) {
		if (!stays(restock, i) &&
			jc_source_uri_parse(restock->config->sources[i].uri, &uri, NULL) == JC_OK &&
			uri.scheme == JC_SOURCE_VMC &&
			memcmp(&uri.address, &prepared->uri.address, sizeof(uri.address)) == 0) {
			return true;
		}
	}
	return false;
}

static int keep_outfits(struct jc_restock *restock, struct jc_wardrobe *wardrobe, size_t *out_kept,
	struct jc_diagnostic *diagnostic)
{
	for (*out_kept = 0; *out_kept < restock->next->skeleton_count; ++*out_kept) {
		size_t i = *out_kept;
		int status = JC_OK;

		restock->subject = restock->next->skeletons[i].path;
		if (restock->outfits[i]) {
			status = jc_wardrobe_keep(
				wardrobe, restock->outfits[i], &restock->outfits[i]);
		}
		if (status != JC_OK) {
			return jc_diagnose(diagnostic, status, NULL, "too many skeletons");
		}
	}
	return JC_OK;
}

/* The sources that can be opened while those that leave are still there, or the
 * others. */
static int open_sources(struct jc_restock *restock, const struct jc_restock_place *place,
	struct jc_diagnostic *diagnostic)
{
	int status = JC_OK;

	for (size_t i = 0; status == JC_OK && i < restock->next->source_count; i++) {
		struct jc_prepared_source *prepared = restock->prepared[i];
		struct jc_fanout *fanout;

		if (!prepared) {
			continue;
		}
		restock->subject = subject_of(&restock->next->sources[i]);
		status = jc_spaces_open(place->spaces, prepared->uri.space, &fanout);
		if (status != JC_OK) {
			return jc_diagnose(diagnostic, status, NULL, "cannot enter space '%s': %s",
				prepared->uri.space, jc_error_name(status));
		}
		if (!prepared->recording && !waits_for_port(restock, prepared)) {
			status = jc_prepared_source_open(
				prepared, &place->opening, &restock->opened[i], diagnostic);
		}
	}
	return status;
}

static void send_away(const struct jc_restock *restock, const struct jc_restock_place *place)
{
	const struct jc_stock *stock = place->stock;

	for (size_t i = 0; i < restock->config->source_count; i++) {
		struct jc_replay *replay =
			jc_replays_find(&stock->replays, stock->bodies[i].replay);

		if (stays(restock, i)) {
			continue;
		}
		if (replay) {
			jc_replay_end(replay);
		} else if (stock->bodies[i].space) {
			jc_space_remove(stock->bodies[i].space, stock->bodies[i].id);
		}
	}
	for (size_t i = 0; i < place->spaces->count; i++) {
		jc_space_let_leavers_go(place->spaces->fanouts[i]->space);
	}
}

/* The i-th source as a replay, whose bodies wear what they wore unless it says what. */
static void begin_replay(struct jc_restock *restock, const struct jc_restock_place *place,
	struct jc_outfit *outfit, size_t i)
{
	struct jc_prepared_source *prepared = restock->prepared[i];
	const struct jc_source_uri *uri = &prepared->uri;
	const struct jc_replay_options options = {
		.names = &uri->names,
		.outfit = restock->next->sources[i].skeleton ? outfit : NULL,
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
	if (jc_replay_create(&options, prepared->recording, fanout->space, &place->spaces->wardrobe,
		    &place->stock->replays, &replay, &diagnostic) != JC_OK) {
		jc_log_diagnostic(place->opening.log, uri->path, &diagnostic);
		return;
	}
	prepared->recording = NULL;
	place->stock->bodies[i].replay = jc_replay_id(replay);
}

/* The i-th source's body; it may turn out that it cannot be. */
static void enter(struct jc_restock *restock, const struct jc_restock_place *place,
	struct jc_outfit *outfit, size_t i, struct jc_space **out_space, uint32_t *out_id)
{
	struct jc_prepared_source *prepared = restock->prepared[i];
	struct jc_diagnostic diagnostic = { 0 };
	int status = JC_OK;

	if (!restock->opened[i]) {
		status = jc_prepared_source_open(
			prepared, &place->opening, &restock->opened[i], &diagnostic);
	}
	if (status == JC_OK) {
		struct jc_fanout *fanout = jc_spaces_find(place->spaces, prepared->uri.space);
		struct jc_source *source = restock->opened[i];

		jc_calibration_store_restore(
			place->state, prepared->uri.name, source, place->opening.log);
		status = jc_space_enter(fanout->space,
			&(struct jc_entry){
				.name = prepared->uri.name, .outfit = outfit, .source = source },
			out_id);
		if (status == JC_OK) {
			restock->opened[i] = NULL;
			*out_space = fanout->space;
			return;
		}
		jc_diagnose(&diagnostic, status, NULL, "cannot enter space '%s': %s",
			prepared->uri.space, jc_error_name(status));
	}
	jc_log_diagnostic(place->opening.log, subject_of(&restock->next->sources[i]), &diagnostic);
}

/* Whom nothing keeps any longer nobody else may put on. */
static void drop_outfits(const struct jc_restock *restock, struct jc_stock *stock,
	struct jc_outfit *const *now, const struct jc_outfit *humanoid)
{
	const struct jc_config *next = restock->next;

	for (size_t i = 0; i < restock->config->skeleton_count; i++) {
		struct jc_outfit *outfit = stock->outfits[i];
		bool is_common = outfit == humanoid;

		for (size_t j = 0; j < next->skeleton_count; j++) {
			is_common = is_common || now[j] == outfit;
		}
		outfit->is_common = is_common;
		jc_outfit_drop(outfit);
	}
	memcpy(stock->outfits, now, next->skeleton_count * sizeof(stock->outfits[0]));
}

/* Every entry keeps its outfit once, those that stay included. */
static void take_outfits(struct jc_restock *restock, const struct jc_restock_place *place)
{
	struct jc_outfit *now[JC_MAX_SKELETONS];

	for (size_t i = 0; i < restock->next->skeleton_count; i++) {
		now[i] = restock->outfits[i];
		if (restock->skeletons[i] >= 0) {
			now[i] = place->stock->outfits[restock->skeletons[i]];
			now[i]->keepers++;
		}
		now[i]->is_common = true;
		restock->outfits[i] = NULL;
	}
	drop_outfits(restock, place->stock, now, place->spaces->wardrobe.humanoid);
}

static void take_bodies(struct jc_restock *restock, const struct jc_restock_place *place)
{
	const struct jc_stock before = *place->stock;
	struct jc_stock *stock = place->stock;

	for (size_t i = 0; i < restock->next->source_count; i++) {
		int skeleton = choose_skeleton(restock->next, i);
		struct jc_outfit *outfit =
			skeleton < 0 ? place->spaces->wardrobe.humanoid : stock->outfits[skeleton];

		if (restock->sources[i] >= 0) {
			stock->bodies[i] = before.bodies[restock->sources[i]];
			continue;
		}
		stock->bodies[i].space = NULL;
		stock->bodies[i].replay = 0;
		if (restock->prepared[i]->recording) {
			begin_replay(restock, place, outfit, i);
			continue;
		}
		enter(restock, place, outfit, i, &stock->bodies[i].space, &stock->bodies[i].id);
	}
}

int jc_restock_apply(struct jc_restock *restock, const struct jc_restock_place *place,
	struct jc_diagnostic *diagnostic)
{
	size_t kept;
	int status = keep_outfits(restock, &place->spaces->wardrobe, &kept, diagnostic);

	if (status == JC_OK) {
		status = open_sources(restock, place, diagnostic);
	}
	if (status != JC_OK) {
		for (size_t i = 0; i < kept; i++) {
			if (restock->outfits[i]) {
				jc_outfit_drop(restock->outfits[i]);
				restock->outfits[i] = NULL;
			}
		}
		return status;
	}
	send_away(restock, place);
	take_outfits(restock, place);
	take_bodies(restock, place);
	return JC_OK;
}

size_t jc_restock_new_skeletons(const struct jc_restock *restock)
{
	size_t count = 0;

	for (size_t i = 0; i < restock->next->skeleton_count; i++) {
		count += restock->skeletons[i] < 0;
	}
	return count;
}

size_t jc_restock_new_sources(const struct jc_restock *restock)
{
	size_t count = 0;

	for (size_t i = 0; i < restock->next->source_count; i++) {
		count += restock->sources[i] < 0;
	}
	return count;
}
