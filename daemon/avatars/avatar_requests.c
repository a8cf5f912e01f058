/* Takes each request through its steps. A step runs on the thread pool, where it uses only the
 * request, and is completed on the loop. */
#include "avatars/avatar_requests.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "avatars/avatar_use.h"
#include "base/clock.h"
#include "base/job.h"
#include "moderation/moderation.h"
#include "moderation/sanctions.h"
#include "registry/skeleton_upload.h"

/* An upload, or the removal of an avatar that is in no table any more. */
struct request {
	struct jc_queued queued;
	struct jc_avatar_requests *requests;
	struct jc_job job;
	jc_avatar_reported *on_result; /* may be NULL */
	void *context;
	char *bytes; /* owned; NULL: removal */
	size_t length;
	struct jc_avatar_record record;
	struct jc_skeleton_asset *asset; /* retained; NULL: the record still owns it */
	bool with_file; /* of a removal: no other owner in the table has the file */
	int status;
	enum jc_avatar_outcome failure; /* of an upload that is removed from the disk again */
	const char *reason;             /* static */
	enum jc_avatar_outcome outcome;
	struct jc_diagnostic diagnostic;
};

static void begin(struct request *request);

static void request_destroy(struct request *request)
{
	if (request->asset) {
		jc_skeleton_asset_release(request->asset);
	}
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
		request->requests->refused++;
	}
	if (request->on_result) {
		request->on_result(request->context, &answer);
	}
}

static void finish(struct request *request, const struct jc_avatar *avatar)
{
	struct jc_request_queue *queue = &request->requests->queue;

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

/* The log receives the place of the error; the client receives only its kind, which is returned. */
static const char *log_failure(struct request *request, int status)
{
	if (status == JC_ERROR_MEMORY) {
		jc_diagnose(&request->diagnostic, status, NULL, "out of memory");
	}
	jc_log_diagnostic(request->requests->options->log, "an avatar is not stored or removed",
		&request->diagnostic);
	return status == JC_ERROR_MEMORY ? "out of memory" : "the disk does not take it";
}

static void fail(struct request *request, int status)
{
	refuse(request, JC_AVATAR_FAILED, log_failure(request, status));
}

static void enter(struct request *request, const struct jc_job_ops *step)
{
	jc_job_start(&request->job, request->requests->options->loop, step, request);
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

	request->status = jc_avatar_record_save(request->requests->options->state, request->bytes,
		request->asset, &request->record, &request->diagnostic);
	free(request->bytes);
	request->bytes = NULL;
#ifdef __GLIBC__
	/* Returns the memory of large files to the system, which the heap would keep. */
	malloc_trim(0);
#endif
}

static void discard(void *data)
{
	struct request *request = data;
	struct jc_diagnostic ignored; /* the log has the first error */

	jc_avatar_record_remove(request->requests->options->state, request->record.claim.subject,
		request->record.file.worn.hash, request->with_file, &ignored);
}

static void after_discard(void *data)
{
	struct request *request = data;

	refuse(request, request->failure, request->reason);
}

static const struct jc_job_ops discarding = { .work = discard, .done = after_discard };

/* Refuses a new avatar that is on the disk, in parts perhaps, and counts nowhere: the disk keeps
 * nothing of it. */
static void undo(struct request *request, enum jc_avatar_outcome failure, const char *reason)
{
	request->failure = failure;
	request->reason = reason;
	request->with_file = !jc_avatars_has_uploaded(
		request->requests->options->avatars, request->record.file.worn.hash);
	enter(request, &discarding);
}

/* The avatar changes its statements; bodies that wear it keep their skeleton. */
static void renew(struct request *request, struct jc_avatar *avatar)
{
	int64_t used_ns = avatar->claim.used_ns;

	avatar->claim = request->record.claim;
	jc_avatar_use_note(&avatar->claim, used_ns);
	avatar->file.worn.index = request->record.file.worn.index;
	avatar->file.status = request->record.file.status;
	request->asset->keepers++;
	jc_skeleton_asset_release(avatar->asset);
	avatar->asset = request->asset;
}

/* From here on it counts. */
static void count(struct request *request, struct jc_avatar *avatar)
{
	const char *subject = avatar->claim.subject;

	avatar->touched_ns = 0;
	jc_log_write(request->requests->options->log, JC_LOG_INFO,
		"avatar '%s' is uploaded by '%s'", avatar->file.worn.hash,
		subject[0] ? subject : "anybody");
	finish(request, avatar);
}

static void add(struct request *request)
{
	struct jc_avatar *avatar;
	int status = jc_avatars_add(request->requests->options->avatars, &request->record.file,
		request->asset, &avatar);

	if (status == JC_OK) {
		avatar->is_uploaded = true;
		avatar->claim = request->record.claim;
		count(request, avatar);
	} else if (status == JC_ERROR_LIMIT) {
		undo(request, JC_AVATAR_FULL, "there are too many avatars");
	} else {
		undo(request, JC_AVATAR_FAILED, log_failure(request, status));
	}
}

/* It is on the disk, unless that failed. */
static void put(void *data)
{
	struct request *request = data;
	struct jc_avatar *avatar = jc_avatars_find_own(request->requests->options->avatars,
		request->record.file.worn.hash, request->record.claim.subject);

	if (request->status == JC_OK && avatar) {
		renew(request, avatar);
		count(request, avatar);
	} else if (request->status == JC_OK) {
		add(request);
	} else if (avatar) {
		fail(request, request->status);
	} else {
		undo(request, JC_AVATAR_FAILED, log_failure(request, request->status));
	}
}

static const struct jc_job_ops saving = { .work = save, .done = put };

static bool is_blocked(const struct jc_avatar_store_options *options, const char *hash)
{
	return jc_sanctions_is_blocked(jc_moderation_sanctions(options->moderation), NULL, hash);
}

/* Before the disk has anything of it: a later failure would leave a changed record. */
static void retain_and_save(struct request *request)
{
	int status = jc_skeleton_table_retain(&request->requests->options->spaces->skeleton_table,
		request->record.asset, &request->asset);

	if (status == JC_OK) {
		request->record.asset = NULL;
		enter(request, &saving);
	} else if (status == JC_ERROR_LIMIT) {
		refuse(request, JC_AVATAR_FULL, "there are too many skeletons");
	} else {
		fail(request, status);
	}
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
	const struct jc_avatar_store_options *options = request->requests->options;
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
		options->avatars, record->file.worn.hash, record->claim.subject);
	const char *excess = jc_avatars_find_excess(options->avatars, options->policy,
		&request->record.file.worn, record->claim.subject, known);

	if (is_blocked(options, record->file.worn.hash)) {
		refuse(request, JC_AVATAR_BLOCKED, "a moderator has blocked this avatar");
	} else if (excess) {
		refuse(request, JC_AVATAR_FULL, excess);
	} else if (known && is_same(known, record)) {
		jc_avatar_use_note(&known->claim, jc_clock_wall_ns());
		request->outcome = JC_AVATAR_SAME;
		finish(request, known);
	} else {
		request->outcome = known ? JC_AVATAR_SAME : JC_AVATAR_NEW;
		record->claim.used_ns = jc_clock_wall_ns();
		retain_and_save(request);
	}
}

static void remove_record(void *data)
{
	struct request *request = data;

	request->status = jc_avatar_record_remove(request->requests->options->state,
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
	const struct jc_avatar_store_options *options = request->requests->options;
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

static int ask(struct jc_avatar_requests *requests, struct request *request)
{
	request->requests = requests;
	jc_request_queue_add(&requests->queue, &request->queued);
	if (requests->queue.first == &request->queued) {
		begin(request);
	}
	return JC_OK;
}

void jc_avatar_requests_init(
	struct jc_avatar_requests *requests, const struct jc_avatar_store_options *options)
{
	*requests = (struct jc_avatar_requests){ .options = options };
	jc_request_queue_init(&requests->queue);
}

int jc_avatar_requests_put(struct jc_avatar_requests *requests,
	const struct jc_avatar_upload *upload, jc_avatar_reported *on_result, void *context)
{
	size_t cost = jc_skeleton_upload_cost(upload->bytes, upload->length);

	if (!jc_request_queue_has_room(&requests->queue, cost)) {
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
	return ask(requests, request);
}

int jc_avatar_requests_remove(struct jc_avatar_requests *requests, struct jc_avatar *avatar,
	jc_avatar_reported *on_result, void *context)
{
	struct request *request = calloc(1, sizeof(*request));

	if (!request) {
		return JC_ERROR_MEMORY;
	}
	request->on_result = on_result;
	request->context = context;
	request->record.file.worn = avatar->file.worn;
	request->record.claim = avatar->claim;
	jc_avatars_remove(requests->options->avatars, avatar, requests->options->spaces);
	return ask(requests, request);
}

void jc_avatar_requests_stop(struct jc_avatar_requests *requests)
{
	struct jc_queued *taken = jc_request_queue_take(&requests->queue, 0);

	while (taken) {
		struct request *request = (struct request *)taken;

		taken = taken->next;
		request->outcome = JC_AVATAR_FAILED;
		jc_diagnose(&request->diagnostic, JC_ERROR_LIMIT, NULL, "the server ends");
		report(request, NULL);
		request_destroy(request);
	}
}
