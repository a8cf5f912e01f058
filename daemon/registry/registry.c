/* Takes each request through its steps. A step runs on the thread pool, where it uses only
 * the request, and is completed on the loop. */
#include "registry/registry.h"

#include <assert.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "registry/queued_request.h"
#include "registry/skeleton_file.h"
#include "registry/skeleton_upload.h"

#define ENDED "the connection has a token now: ask again"

struct jc_registry {
	struct jc_registry_options options;
	struct jc_registrations registrations;
	struct jc_request_queue queue;
};

static void begin(struct jc_queued_request *request);

static struct jc_queued_request *first_of(const struct jc_registry *registry)
{
	return (struct jc_queued_request *)registry->queue.first;
}

/* Skeletons of subjects are on disk; a skeleton of a connection ends with it. */
static bool is_stored(const struct jc_registry *registry, const struct jc_owner *owner)
{
	return registry->options.state && owner->connection == 0;
}

static void send_report(const struct jc_queued_request *request, enum jc_registry_outcome outcome)
{
	struct jc_registry_answer answer = { .outcome = outcome,
		.name = request->name,
		.asset = request->is_in_table ? request->asset : NULL,
		.is_stored = is_stored(request->registry, &request->owner),
		.lint = request->lint,
		.diagnostic = &request->diagnostic,
		.request = request->request };

	if (request->on_result) {
		request->on_result(request->context, &answer);
	}
}

static void finish(struct jc_queued_request *request, enum jc_registry_outcome outcome)
{
	struct jc_registry *registry = request->registry;

	send_report(request, outcome);
	jc_queued_request_destroy(
		(struct jc_queued_request *)jc_request_queue_shift(&registry->queue));
	if (registry->queue.first) {
		begin(first_of(registry));
	}
}

/* The log receives the place of the error; the client receives only its kind. */
static void fail(struct jc_queued_request *request, int status)
{
	if (status == JC_ERROR_MEMORY) {
		jc_diagnose(&request->diagnostic, status, NULL, "out of memory");
	}
	jc_log_diagnostic(
		request->registry->options.log, "a registration fails", &request->diagnostic);
	if (status != JC_ERROR_MEMORY) {
		jc_diagnose(&request->diagnostic, status, NULL, "the disk does not take it");
	}
	finish(request, JC_REGISTRY_FAILED);
}

static void enter(struct jc_queued_request *request, const struct jc_job_ops *step)
{
	jc_job_start(&request->job, request->registry->options.loop, step, request);
}

static void read_bytes(void *data)
{
	struct jc_queued_request *request = data;

	request->lint = calloc(1, sizeof(*request->lint));
	request->status = jc_skeleton_upload_read(request->bytes, request->length, request->index,
		&request->asset, request->lint, &request->diagnostic);
	free(request->bytes);
	request->bytes = NULL;
#ifdef __GLIBC__
	/* Returns the memory of large files to the system, which the heap would keep. */
	if (request->queued.cost > JC_MAX_UPLOAD_SMALL) {
		malloc_trim(0);
	}
#endif
}

static void save(void *data)
{
	struct jc_queued_request *request = data;

	request->status = jc_skeleton_file_save(request->registry->options.state,
		request->owner.subject, request->name, request->asset, &request->diagnostic);
}

/* The next start removes files that could not be removed. */
static void remove_gone(void *data)
{
	struct jc_queued_request *request = data;

	request->status = JC_OK;
	for (size_t i = 0; i < request->removed_count; i++) {
		int status = jc_skeleton_file_remove(request->registry->options.state,
			request->removed[i].owner.subject, request->removed[i].name,
			&request->diagnostic);

		request->status = status == JC_OK ? request->status : status;
	}
}

static void after_removed(void *data)
{
	struct jc_queued_request *request = data;

	if (request->status != JC_OK) {
		jc_log_diagnostic(request->registry->options.log, "a skeleton stays on disk",
			&request->diagnostic);
	}
	finish(request, request->outcome);
}

/* Drops the entry, and remembers its file to remove it. */
static int give_up(struct jc_queued_request *request, struct jc_registration *entry)
{
	if (!is_stored(request->registry, &entry->owner)) {
		jc_registrations_remove(&request->registry->registrations, entry);
		return JC_OK;
	}
	struct jc_registration *removed = realloc(
		request->removed, (request->removed_count + 1) * sizeof(request->removed[0]));

	if (!removed) {
		return JC_ERROR_MEMORY;
	}
	removed[request->removed_count++] = *entry;
	request->removed = removed;
	jc_registrations_remove(&request->registry->registrations, entry);
	return JC_OK;
}

static const struct jc_job_ops removing_gone = { .work = remove_gone, .done = after_removed };

static void remove_files(struct jc_queued_request *request)
{
	if (request->removed_count > 0) {
		enter(request, &removing_gone);
	} else {
		finish(request, request->outcome);
	}
}

static const char *owner_name(const struct jc_owner *owner)
{
	if (owner->connection != 0) {
		return owner->address;
	}
	return owner->subject[0] ? owner->subject : "anybody";
}

/* It is on disk, where it has to be: from here on it counts. */
static void put(void *data)
{
	struct jc_queued_request *request = data;
	struct jc_registry *registry = request->registry;
	struct jc_registration *entry, *excess;
	struct jc_skeleton_asset *asset;
	int status = request->status;

	if (status == JC_OK) {
		status = jc_skeleton_table_retain(
			registry->options.skeleton_table, request->asset, &asset);
	}
	if (status != JC_OK) {
		fail(request, status);
		return;
	}
	request->asset = asset;
	request->is_in_table = true;
	status = jc_registrations_put(
		&registry->registrations, &request->owner, request->name, asset, &entry);
	if (status != JC_OK) {
		request->is_in_table = false;
		request->asset = NULL;
		jc_skeleton_asset_release(asset);
		fail(request, status);
		return;
	}
	entry->touched_ns = 0; /* files have times that are not as fine */
	while ((excess = jc_registrations_excess(
			&registry->registrations, &request->owner, entry))) {
		if (give_up(request, excess) != JC_OK) {
			break;
		}
	}
	jc_log_write(registry->options.log, JC_LOG_INFO, "skeleton '%s' is registered by '%s'",
		request->name, owner_name(&request->owner));
	remove_files(request);
}

static const struct jc_job_ops saving = { .work = save, .done = put };

static void after_read(void *data)
{
	struct jc_queued_request *request = data;
	struct jc_registry *registry = request->registry;

	if (request->is_ended) {
		jc_diagnose(&request->diagnostic, JC_ERROR_ABSENT, NULL, "%s", ENDED);
		finish(request, JC_REGISTRY_FAILED);
		return;
	}
	if (request->status == JC_ERROR_MEMORY) {
		fail(request, request->status);
		return;
	}
	if (request->status != JC_OK) {
		finish(request, JC_REGISTRY_UNUSABLE);
		return;
	}
	const struct jc_registration *known =
		jc_registrations_find(&registry->registrations, &request->owner, request->name);

	if (known && strcmp(known->asset->hash, request->asset->hash) == 0) {
		jc_skeleton_asset_destroy(request->asset);
		request->asset = known->asset;
		request->is_in_table = true;
		finish(request, JC_REGISTRY_SAME);
		return;
	}
	if (!jc_registrations_has_room(
		    &registry->registrations, &request->owner, request->name, request->asset)) {
		jc_diagnose(&request->diagnostic, JC_ERROR_LIMIT, NULL,
			request->owner.connection
				? "no room: too many skeletons of clients without a token"
				: "no room: all registered skeletons are in use");
		finish(request, JC_REGISTRY_FULL);
		return;
	}
	request->outcome = known ? JC_REGISTRY_CHANGED : JC_REGISTRY_NEW;
	if (is_stored(registry, &request->owner)) {
		enter(request, &saving);
	} else {
		put(request);
	}
}

/* Removes the file first, so that the skeleton does not come back at the next start. */
static void remove_own(void *data)
{
	struct jc_queued_request *request = data;

	request->status =
		is_stored(request->registry, &request->owner)
			? jc_skeleton_file_remove(request->registry->options.state,
				  request->owner.subject, request->name, &request->diagnostic)
			: JC_OK;
}

static void end(void *data)
{
	struct jc_queued_request *request = data;
	struct jc_registrations *registrations = &request->registry->registrations;
	struct jc_registration *entry =
		jc_registrations_find(registrations, &request->owner, request->name);

	if (request->status != JC_OK) {
		fail(request, request->status);
		return;
	}
	if (entry) {
		jc_registrations_remove(registrations, entry);
	}
	finish(request, entry ? JC_REGISTRY_ENDED : JC_REGISTRY_UNKNOWN);
}

static const struct jc_job_ops reading = { .work = read_bytes, .done = after_read };
static const struct jc_job_ops ending = { .work = remove_own, .done = end };

static void begin(struct jc_queued_request *request)
{
	if (request->bytes) {
		enter(request, &reading);
	} else {
		enter(request, &ending);
	}
}

/* Enters a stored skeleton. Files above the quotas are removed. */
static int take_in(struct jc_registry *registry, struct jc_skeleton_file *file)
{
	const char *state = registry->options.state;
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_registration *entry, *excess;
	struct jc_owner owner = { .connection = 0 };
	struct jc_skeleton_asset *asset;
	int status =
		jc_skeleton_table_retain(registry->options.skeleton_table, file->asset, &asset);

	if (status != JC_OK) {
		return status;
	}
	file->asset = NULL;
	asset->last_used_ns = file->last_used_ns;
	strcpy(owner.subject, file->subject);
	status = jc_registrations_put(&registry->registrations, &owner, file->name, asset, &entry);
	if (status != JC_OK) {
		jc_skeleton_asset_release(asset);
		return status;
	}
	entry->touched_ns = file->last_used_ns;
	while ((excess = jc_registrations_excess(&registry->registrations, &owner, entry))) {
		jc_skeleton_file_remove(state, excess->owner.subject, excess->name, &diagnostic);
		jc_registrations_remove(&registry->registrations, excess);
	}
	return JC_OK;
}

static int load(struct jc_registry *registry)
{
	struct jc_skeleton_file *files = NULL;
	size_t count = 0;
	int status = jc_skeleton_files_load(
		registry->options.state, JC_MAX_REGISTERED, registry->options.log, &files, &count);

	for (size_t i = 0; i < count; i++) {
		if (status == JC_OK) {
			status = take_in(registry, &files[i]);
		}
		jc_skeleton_asset_destroy(files[i].asset);
	}
	free(files);
	return status;
}

int jc_registry_create(const struct jc_registry_options *options, struct jc_registry **out_registry)
{
	struct jc_registry *registry = calloc(1, sizeof(*registry));

	if (!registry) {
		return JC_ERROR_MEMORY;
	}
	registry->options = *options;
	jc_request_queue_init(&registry->queue);
	jc_registrations_init(&registry->registrations, &options->quotas);

	int status = options->state ? load(registry) : JC_OK;

	if (status != JC_OK) {
		jc_registrations_finish(&registry->registrations);
		free(registry);
		return status;
	}
	*out_registry = registry;
	return JC_OK;
}

/* Wishes that are in no queue any more: an answer may change the queue. */
static void fail_taken(struct jc_queued *taken, const char *what)
{
	while (taken) {
		struct jc_queued_request *request = (struct jc_queued_request *)taken;

		taken = taken->next;
		jc_diagnose(&request->diagnostic, JC_ERROR_LIMIT, NULL, "%s", what);
		send_report(request, JC_REGISTRY_FAILED);
		jc_queued_request_destroy(request);
	}
}

void jc_registry_stop(struct jc_registry *registry)
{
	fail_taken(jc_request_queue_take(&registry->queue, 0), "the server ends");
}

/* So that the next run, too, knows what was worn longest ago. */
static void touch_files(const struct jc_registry *registry)
{
	int64_t now_ns = jc_clock_wall_ns();

	for (size_t i = 0; i < registry->registrations.count; i++) {
		const struct jc_registration *entry = registry->registrations.entries[i];
		int64_t last_used_ns =
			entry->asset->user_count > 0 ? now_ns : entry->asset->last_used_ns;

		if (is_stored(registry, &entry->owner) && last_used_ns != entry->touched_ns) {
			jc_skeleton_file_touch(registry->options.state, entry->owner.subject,
				entry->name, last_used_ns);
		}
	}
}

void jc_registry_destroy(struct jc_registry *registry)
{
	if (!registry) {
		return;
	}
	assert(!registry->queue.first);
	if (registry->options.state) {
		touch_files(registry);
	}
	jc_registrations_finish(&registry->registrations);
	free(registry);
}

bool jc_registry_has_room(const struct jc_registry *registry, size_t cost)
{
	return jc_request_queue_has_room(&registry->queue, cost);
}

int jc_registry_ask(struct jc_registry *registry, const struct jc_registry_request *wanted,
	jc_registry_reported *on_result, void *context)
{
	size_t cost = wanted->bytes ? jc_skeleton_upload_cost(wanted->bytes, wanted->length) : 0;

	if (!jc_registry_has_room(registry, cost)) {
		return JC_ERROR_LIMIT;
	}
	struct jc_queued_request *request = calloc(1, sizeof(*request));

	if (!request) {
		return JC_ERROR_MEMORY;
	}
	assert(jc_registry_is_name(wanted->name));
	request->registry = registry;
	request->on_result = on_result;
	request->context = context;
	request->owner = *wanted->owner;
	strncpy(request->name, wanted->name, sizeof(request->name) - 1);
	request->bytes = wanted->bytes;
	request->length = wanted->length;
	request->index = wanted->index;
	request->queued.cost = cost;
	request->queued.connection = wanted->owner->connection;
	request->request = wanted->request;
	jc_request_queue_add(&registry->queue, &request->queued);
	if (first_of(registry) == request) {
		begin(request);
	}
	return JC_OK;
}

void jc_registry_end_connection(struct jc_registry *registry, uint64_t connection)
{
	const struct jc_owner owner = { .connection = connection };
	struct jc_registration *const *entries;

	assert(connection != 0);
	while (jc_registrations_of(&registry->registrations, &owner, &entries) > 0) {
		jc_registrations_remove(&registry->registrations, entries[0]);
	}
	if (registry->queue.first && registry->queue.first->connection == connection) {
		first_of(registry)->is_ended = true;
	}
	fail_taken(jc_request_queue_take(&registry->queue, connection), ENDED);
}

void jc_registry_forget(struct jc_registry *registry, const void *context, uint64_t connection)
{
	for (struct jc_queued *at = registry->queue.first; at; at = at->next) {
		struct jc_queued_request *request = (struct jc_queued_request *)at;

		if (request->context == context) {
			request->on_result = NULL;
			request->context = NULL;
		}
	}
	jc_registry_end_connection(registry, connection);
}

struct jc_skeleton_asset *jc_registry_find(
	const struct jc_registry *registry, const struct jc_owner *owner, const char *hash)
{
	struct jc_registration *const *entries;
	size_t count = jc_registrations_of(&registry->registrations, owner, &entries);

	for (size_t i = 0; i < count; i++) {
		if (strcmp(entries[i]->asset->hash, hash) == 0) {
			return entries[i]->asset;
		}
	}
	return NULL;
}

const struct jc_registrations *jc_registry_registrations(const struct jc_registry *registry)
{
	return &registry->registrations;
}

bool jc_registry_is_name(const char *name)
{
	size_t length = strlen(name);

	for (size_t i = 0; i < length; i++) {
		if ((unsigned char)name[i] < 0x20 || name[i] == 0x7f) {
			return false;
		}
	}
	return length > 0 && length < JC_MAX_SKELETON_NAME;
}
