/* Takes each request through its steps. A step runs on the thread pool, where it uses only the
 * request, and is completed on the loop. */
#include "avatars/avatar_store.h"

#include <assert.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/job.h"
#include "base/request_queue.h"
#include "moderation/moderation.h"
#include "moderation/sanctions.h"
#include "registry/skeleton_upload.h"

#define DAY_NS   (INT64_C(86400) * 1000000000)
#define SWEEP_NS (INT64_C(60) * 1000000000)
#define TOUCH_NS (INT64_C(3600) * 1000000000) /* the time of a record may be that much behind */

struct jc_avatar_store {
	struct jc_avatar_store_options options;
	struct jc_request_queue queue;
	uint64_t refused;
	int64_t swept_ns;
};

/* An upload, or the removal of an avatar that is in no table any more. */
struct request {
	struct jc_queued queued;
	struct jc_avatar_store *store;
	struct jc_job job;
	jc_avatar_reported *on_result; /* may be NULL */
	void *context;
	char *bytes; /* owned; NULL: removal */
	size_t length;
	struct jc_avatar_record record;
	bool with_file; /* of a removal: no other owner in the table has the file */
	int status;
	enum jc_avatar_outcome outcome;
	struct jc_diagnostic diagnostic;
};

static void begin(struct request *request);

static void request_destroy(struct request *request)
{
	jc_avatar_record_finish(&request->record);
	free(request->bytes);
	free(request);
}

static void report(const struct request *request, const struct jc_avatar *avatar)
{
	const struct jc_avatar_answer answer = {
		.outcome = request->outcome, .avatar = avatar, .diagnostic = &request->diagnostic
	};

	if (request->outcome >= JC_AVATAR_UNUSABLE && request->length > 0) {
		request->store->refused++;
	}
	if (request->on_result) {
		request->on_result(request->context, &answer);
	}
}

static void finish(struct request *request, const struct jc_avatar *avatar)
{
	struct jc_request_queue *queue = &request->store->queue;

	report(request, avatar);
	request_destroy((struct request *)jc_request_queue_shift(queue));
	if (queue->first) {
		begin((struct request *)queue->first);
	}
}

static void refuse(struct request *request, enum jc_avatar_outcome outcome, const char *what)
{
	request->outcome = outcome;
	jc_diagnose(&request->diagnostic, JC_ERROR_LIMIT, NULL, "%s", what);
	finish(request, NULL);
}

/* The log receives the place of the error; the client receives only its kind. */
static void fail(struct request *request, int status)
{
	if (status == JC_ERROR_MEMORY) {
		jc_diagnose(&request->diagnostic, status, NULL, "out of memory");
	}
	jc_log_diagnostic(request->store->options.log, "an avatar is not stored or removed",
		&request->diagnostic);
	refuse(request, JC_AVATAR_FAILED,
		status == JC_ERROR_MEMORY ? "out of memory" : "the disk does not take it");
}

static void enter(struct request *request, const struct jc_job_ops *step)
{
	jc_job_start(&request->job, request->store->options.loop, step, request);
}

static void read_upload(void *data)
{
	struct request *request = data;
	struct jc_avatar_record *record = &request->record;
	struct jc_avatar_facts facts;
	size_t index = record->file.worn.index;

	request->status = jc_avatar_file_check(
		request->bytes, request->length, &record->file, &facts, &request->diagnostic);
	record->file.worn.index = (uint32_t)index;
	if (request->status == JC_OK) {
		request->status =
			jc_avatar_check_rights(&facts, record->claim.rights, &request->diagnostic);
	}
	if (request->status == JC_OK) {
		request->status = jc_skeleton_upload_read(request->bytes, request->length, index,
			&record->asset, NULL, &request->diagnostic);
	}
}

static void save(void *data)
{
	struct request *request = data;

	request->status = jc_avatar_record_save(request->store->options.state, request->bytes,
		&request->record, &request->diagnostic);
	free(request->bytes);
	request->bytes = NULL;
#ifdef __GLIBC__
	/* Returns the memory of large files to the system, which the heap would keep. */
	malloc_trim(0);
#endif
}

/* The avatar changes its statements; bodies that wear it keep their skeleton. */
static void renew(
	struct request *request, struct jc_avatar *avatar, struct jc_skeleton_asset *asset)
{
	avatar->claim = request->record.claim;
	avatar->file.worn.index = request->record.file.worn.index;
	avatar->file.status = request->record.file.status;
	asset->keepers++;
	jc_skeleton_asset_release(avatar->asset);
	avatar->asset = asset;
}

/* It is on disk: from here on it counts. */
static void put(void *data)
{
	struct request *request = data;
	struct jc_avatar_store *store = request->store;
	const struct jc_avatar_claim *claim = &request->record.claim;
	struct jc_avatar *avatar = jc_avatars_find_own(
		store->options.avatars, request->record.file.worn.hash, claim->subject);
	struct jc_skeleton_asset *asset;
	int status = request->status;

	if (status == JC_OK) {
		status = jc_skeleton_table_retain(
			&store->options.spaces->skeleton_table, request->record.asset, &asset);
	}
	if (status != JC_OK) {
		fail(request, status);
		return;
	}
	request->record.asset = NULL;
	if (avatar) {
		renew(request, avatar, asset);
	} else {
		status = jc_avatars_add(
			store->options.avatars, &request->record.file, asset, &avatar);
	}
	jc_skeleton_asset_release(asset);
	if (status != JC_OK) {
		fail(request, status);
		return;
	}
	if (!avatar->is_uploaded) {
		avatar->is_uploaded = true;
		avatar->claim = *claim;
	}
	avatar->touched_ns = 0;
	jc_log_write(store->options.log, JC_LOG_INFO, "avatar '%s' is uploaded by '%s'",
		avatar->file.worn.hash, claim->subject[0] ? claim->subject : "anybody");
	finish(request, avatar);
}

static const struct jc_job_ops saving = { .work = save, .done = put };

static bool is_blocked(const struct jc_avatar_store *store, const char *hash)
{
	return jc_sanctions_is_blocked(
		jc_moderation_sanctions(store->options.moderation), NULL, hash);
}

static bool is_same(const struct jc_avatar *known, const struct jc_avatar_record *record)
{
	return known->claim.rights == record->claim.rights &&
	       strcmp(known->claim.licence, record->claim.licence) == 0 &&
	       known->file.worn.index == record->file.worn.index;
}

static void after_read(void *data)
{
	struct request *request = data;
	struct jc_avatar_store *store = request->store;
	struct jc_avatar_record *record = &request->record;

	if (request->status == JC_ERROR_MEMORY) {
		fail(request, request->status);
		return;
	}
	if (request->status != JC_OK) {
		request->outcome = JC_AVATAR_UNUSABLE;
		finish(request, NULL);
		return;
	}
	struct jc_avatar *known = jc_avatars_find_own(
		store->options.avatars, record->file.worn.hash, record->claim.subject);
	const char *excess = jc_avatars_find_excess(store->options.avatars, store->options.policy,
		&request->record.file.worn, record->claim.subject, known);

	if (is_blocked(store, record->file.worn.hash)) {
		refuse(request, JC_AVATAR_BLOCKED, "a moderator has blocked this avatar");
	} else if (excess) {
		refuse(request, JC_AVATAR_FULL, excess);
	} else if (known && is_same(known, record)) {
		known->claim.used_ns = jc_clock_wall_ns();
		request->outcome = JC_AVATAR_SAME;
		finish(request, known);
	} else {
		request->outcome = known ? JC_AVATAR_SAME : JC_AVATAR_NEW;
		record->claim.used_ns = jc_clock_wall_ns();
		enter(request, &saving);
	}
}

static void remove_record(void *data)
{
	struct request *request = data;

	request->status = jc_avatar_record_remove(request->store->options.state,
		request->record.claim.subject, request->record.file.worn.hash, request->with_file,
		&request->diagnostic);
}

static void after_removed(void *data)
{
	struct request *request = data;

	if (request->status != JC_OK) {
		fail(request, request->status);
		return;
	}
	request->outcome = JC_AVATAR_REMOVED;
	finish(request, NULL);
}

static const struct jc_job_ops reading = { .work = read_upload, .done = after_read };
static const struct jc_job_ops removing = { .work = remove_record, .done = after_removed };

static void begin(struct request *request)
{
	if (request->bytes) {
		enter(request, &reading);
		return;
	}
	const struct jc_avatar_store_options *options = &request->store->options;
	const char *hash = request->record.file.worn.hash;
	struct jc_avatar *again =
		jc_avatars_find_own(options->avatars, hash, request->record.claim.subject);

	/* An upload that was under way when the removal was asked for. */
	if (again) {
		jc_avatars_remove(options->avatars, again, options->spaces);
	}
	request->with_file = !jc_avatars_has_uploaded(options->avatars, hash);
	enter(request, &removing);
}

static int ask(struct jc_avatar_store *store, struct request *request)
{
	request->store = store;
	jc_request_queue_add(&store->queue, &request->queued);
	if (store->queue.first == &request->queued) {
		begin(request);
	}
	return JC_OK;
}

bool jc_avatar_store_is_open(const struct jc_avatar_store *store)
{
	return store->options.state && store->options.policy->upload;
}

bool jc_avatar_store_has_room(const struct jc_avatar_store *store, size_t length)
{
	return jc_request_queue_has_room(&store->queue, length);
}

int jc_avatar_store_put(struct jc_avatar_store *store, const struct jc_avatar_upload *upload,
	jc_avatar_reported *on_result, void *context)
{
	size_t cost = jc_skeleton_upload_cost(upload->bytes, upload->length);

	assert(jc_avatar_store_is_open(store));
	if (!jc_avatar_store_has_room(store, cost)) {
		return JC_ERROR_LIMIT;
	}
	struct request *request = calloc(1, sizeof(*request));

	if (!request) {
		return JC_ERROR_MEMORY;
	}
	request->queued.cost = cost;
	request->on_result = on_result;
	request->context = context;
	request->bytes = upload->bytes;
	request->length = upload->length;
	request->record.file.worn.index = (uint32_t)upload->index;
	request->record.claim.rights = upload->rights;
	snprintf(request->record.claim.subject, JC_MAX_SUBJECT, "%s", upload->subject);
	snprintf(request->record.claim.licence, JC_AVATAR_LICENCE, "%s", upload->licence);
	return ask(store, request);
}

int jc_avatar_store_remove(struct jc_avatar_store *store, struct jc_avatar *avatar,
	jc_avatar_reported *on_result, void *context)
{
	struct request *request = calloc(1, sizeof(*request));

	if (!request) {
		return JC_ERROR_MEMORY;
	}
	assert(avatar->is_uploaded);
	request->on_result = on_result;
	request->context = context;
	request->record.file.worn = avatar->file.worn;
	request->record.claim = avatar->claim;
	jc_avatars_remove(store->options.avatars, avatar, store->options.spaces);
	return ask(store, request);
}

static int64_t expiry_of(const struct jc_avatar_store *store, const struct jc_avatar_claim *claim)
{
	return (claim->used_ns + store->options.policy->keep_days * DAY_NS) / 1000000000;
}

int64_t jc_avatar_store_expiry(const struct jc_avatar_store *store, const struct jc_avatar *avatar)
{
	return expiry_of(store, &avatar->claim);
}

/* Whether it has expired, which is logged. */
static bool has_expired(const struct jc_avatar_store *store, const struct jc_avatar_claim *claim,
	const char *hash, int64_t wall_ns)
{
	if (expiry_of(store, claim) >= wall_ns / 1000000000) {
		return false;
	}
	jc_log_write(store->options.log, JC_LOG_INFO,
		"avatar '%s' was not worn for %u days: removed", hash,
		store->options.policy->keep_days);
	return true;
}

static void note_use(const struct jc_avatar_store *store, struct jc_avatar *avatar, int64_t wall_ns)
{
	if (jc_avatars_is_worn(store->options.spaces, avatar->file.worn.hash)) {
		avatar->claim.used_ns = wall_ns;
	}
	if (avatar->claim.used_ns - avatar->touched_ns > TOUCH_NS) {
		avatar->touched_ns = avatar->claim.used_ns;
		jc_avatar_record_touch(store->options.state, avatar->claim.subject,
			avatar->file.worn.hash, avatar->claim.used_ns);
	}
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
		note_use(store, avatar, wall_ns);
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
	*out_totals = (struct jc_avatar_totals){ .refused = store->refused };
	out_totals->bytes =
		jc_avatars_sum(store->options.avatars, NULL, NULL, &out_totals->uploaded);
	out_totals->count = store->options.avatars->count;
}

void jc_avatar_store_refuse(struct jc_avatar_store *store)
{
	store->refused++;
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
	jc_request_queue_init(&store->queue);
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
	struct jc_queued *taken = jc_request_queue_take(&store->queue, 0);

	while (taken) {
		struct request *request = (struct request *)taken;

		taken = taken->next;
		request->outcome = JC_AVATAR_FAILED;
		jc_diagnose(&request->diagnostic, JC_ERROR_LIMIT, NULL, "the server ends");
		report(request, NULL);
		request_destroy(request);
	}
}

/* So that the next run, too, knows when they were worn. */
void jc_avatar_store_destroy(struct jc_avatar_store *store)
{
	if (!store) {
		return;
	}
	assert(!store->queue.first);
	for (size_t i = 0; i < store->options.avatars->count; i++) {
		const struct jc_avatar *avatar = store->options.avatars->list[i];

		if (avatar->is_uploaded && avatar->claim.used_ns != avatar->touched_ns) {
			jc_avatar_record_touch(store->options.state, avatar->claim.subject,
				avatar->file.worn.hash, avatar->claim.used_ns);
		}
	}
	free(store);
}
