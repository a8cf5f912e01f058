/* The requests of clients, and the end of avatars that no body wears any more. */
#include "avatars/avatar_store.h"

#include <assert.h>
#include <stdlib.h>

#include "avatars/avatar_requests.h"
#include "avatars/avatar_use.h"
#include "base/clock.h"

#define SWEEP_NS (INT64_C(60) * 1000000000)
#define TOUCH_NS (INT64_C(3600) * 1000000000) /* the time of a record may be that much behind */

struct jc_avatar_store {
	struct jc_avatar_store_options options;
	struct jc_avatar_requests requests;
	int64_t swept_ns;
};

bool jc_avatar_store_is_open(const struct jc_avatar_store *store)
{
	return store->options.state && store->options.policy->upload;
}

bool jc_avatar_store_has_room(const struct jc_avatar_store *store, size_t length)
{
	return jc_request_queue_has_room(&store->requests.queue, length);
}

int jc_avatar_store_put(struct jc_avatar_store *store, const struct jc_avatar_upload *upload,
	jc_avatar_reported *on_result, void *context)
{
	assert(jc_avatar_store_is_open(store));
	return jc_avatar_requests_put(&store->requests, upload, on_result, context);
}

int jc_avatar_store_remove(struct jc_avatar_store *store, struct jc_avatar *avatar,
	jc_avatar_reported *on_result, void *context)
{
	assert(avatar->is_uploaded);
	return jc_avatar_requests_remove(&store->requests, avatar, on_result, context);
}

int64_t jc_avatar_store_expiry(const struct jc_avatar_store *store, const struct jc_avatar *avatar)
{
	return jc_avatar_use_end(&avatar->claim, store->options.policy->keep_days);
}

/* Whether it has expired, which is logged. */
static bool has_expired(const struct jc_avatar_store *store, const struct jc_avatar_claim *claim,
	const char *hash, int64_t wall_ns)
{
	if (!jc_avatar_use_has_ended(claim, store->options.policy->keep_days, wall_ns)) {
		return false;
	}
	jc_log_write(store->options.log, JC_LOG_INFO,
		"avatar '%s' was not worn for %u days: removed", hash,
		store->options.policy->keep_days);
	return true;
}

static void sweep(struct jc_avatar_store *store)
{
	struct jc_avatars *avatars = store->options.avatars;
	int64_t wall_ns = jc_clock_wall_ns();

	for (size_t i = avatars->count; i-- > 0;) {
		struct jc_avatar *avatar = avatars->list[i];

		if (!avatar->is_uploaded) {
			continue;
		}
		if (jc_avatars_is_worn(store->options.spaces, avatar->file.worn.hash)) {
			jc_avatar_use_note(&avatar->claim, wall_ns);
		}
		jc_avatar_use_save(store->options.state, avatar, TOUCH_NS);
		if (has_expired(store, &avatar->claim, avatar->file.worn.hash, wall_ns)) {
			jc_avatar_store_remove(store, avatar, NULL, NULL);
		}
	}
}

void jc_avatar_store_sweep(struct jc_avatar_store *store, int64_t now_ns)
{
	if (now_ns - store->swept_ns >= SWEEP_NS) {
		store->swept_ns = now_ns;
		sweep(store);
	}
}

void jc_avatar_store_report(
	const struct jc_avatar_store *store, struct jc_avatar_totals *out_totals)
{
	*out_totals = (struct jc_avatar_totals){ .refused = store->requests.refused };
	out_totals->bytes =
		jc_avatars_sum(store->options.avatars, NULL, NULL, &out_totals->uploaded);
	out_totals->count = store->options.avatars->count;
}

void jc_avatar_store_refuse(struct jc_avatar_store *store)
{
	store->requests.refused++;
}

/* Enters a stored avatar. */
static int take(void *context, struct jc_avatar_record *record)
{
	struct jc_avatar_store *store = context;
	struct jc_skeleton_asset *asset;
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_avatar *avatar;

	if (has_expired(store, &record->claim, record->file.worn.hash, jc_clock_wall_ns())) {
		jc_avatar_record_remove(store->options.state, record->claim.subject,
			record->file.worn.hash, false, &diagnostic);
		return JC_OK;
	}
	int status = jc_skeleton_table_retain(
		&store->options.spaces->skeleton_table, record->asset, &asset);

	if (status == JC_OK) {
		record->asset = NULL;
		status = jc_avatars_add(store->options.avatars, &record->file, asset, &avatar);
		jc_skeleton_asset_release(asset);
	}
	if (status == JC_ERROR_LIMIT) {
		jc_log_write(store->options.log, JC_LOG_WARNING,
			"an avatar of '%s' is not loaded: there are too many",
			record->claim.subject);
		return JC_OK;
	}
	if (status == JC_OK) {
		avatar->is_uploaded = true;
		avatar->claim = record->claim;
		avatar->touched_ns = record->claim.used_ns;
	}
	return status;
}

static bool is_known(void *context, const char *hash)
{
	const struct jc_avatar_store *store = context;

	return jc_avatars_has_uploaded(store->options.avatars, hash);
}

int jc_avatar_store_create(
	const struct jc_avatar_store_options *options, struct jc_avatar_store **out_store)
{
	struct jc_avatar_store *store = calloc(1, sizeof(*store));
	int status = JC_OK;

	if (!store) {
		return JC_ERROR_MEMORY;
	}
	store->options = *options;
	jc_avatar_requests_init(&store->requests, &store->options);
	if (options->state) {
		status = jc_avatar_records_load(options->state, options->log, take, store);
	}
	if (status != JC_OK) {
		free(store);
		return status;
	}
	if (options->state) {
		jc_avatar_records_clean(options->state, is_known, store);
	}
	*out_store = store;
	return JC_OK;
}

void jc_avatar_store_stop(struct jc_avatar_store *store)
{
	jc_avatar_requests_stop(&store->requests);
}

/* So that the next run, too, knows when they were worn. */
void jc_avatar_store_destroy(struct jc_avatar_store *store)
{
	if (!store) {
		return;
	}
	assert(!store->requests.queue.first);
	for (size_t i = 0; i < store->options.avatars->count; i++) {
		struct jc_avatar *avatar = store->options.avatars->list[i];

		if (avatar->is_uploaded) {
			jc_avatar_use_save(store->options.state, avatar, 0);
		}
	}
	free(store);
}
