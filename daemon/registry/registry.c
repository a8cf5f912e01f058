/* A wish goes through its steps by `enter`, which has one done in the pool and goes on
 * in the loop: `work` touches what the wish owns and nothing else. */
#include "registry/registry.h"

#include <assert.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "registry/reading.h"
#include "registry/skeleton_file.h"

#define ENDED "the connection has a token now: ask again"

struct job {
	struct job *next;
	struct jc_registry *registry;
	uv_work_t request;
	void (*work)(struct job *job);
	void (*after)(struct job *job);
	jc_registry_reported *told; /* NULL: nobody wants to know */
	void *context;
	struct jc_owner owner;
	char name[JC_MAX_SKELETON_NAME];
	char *bytes; /* owned; NULL: an end is wished for */
	size_t length, index, cost;
	/* What becomes of it. */
	enum jc_registry_outcome outcome;
	int status;    /* of the last step in the pool */
	bool is_ended; /* the connection that owns it no longer registers */
	bool is_kept;
	struct jc_skeleton_asset *asset; /* owned until it is kept */
	struct jc_lint *lint;            /* owned */
	struct jc_diagnostic diagnostic;
	size_t gone_count;
	struct jc_catalogue_entry *gone; /* owned: copies of what was given up, for their names */
};

struct jc_registry {
	struct jc_registry_options options;
	struct jc_catalogue catalogue;
	struct job *first, **end; /* owned; the first is under way */
	size_t waiting;           /* what they cost */
};

static void job_destroy(struct job *job)
{
	if (!job->is_kept) {
		jc_skeleton_asset_destroy(job->asset);
	}
	free(job->bytes);
	free(job->lint);
	free(job->gone);
	free(job);
}

static void begin(struct job *job);

static void shift(struct jc_registry *registry)
{
	struct job *job = registry->first;

	registry->first = job->next;
	if (!registry->first) {
		registry->end = &registry->first;
	}
	registry->waiting -= job->cost;
	job_destroy(job);
}

/* Skeletons of subjects are on disk; a skeleton of a connection ends with it. */
static bool is_stored(const struct jc_registry *registry, const struct jc_owner *owner)
{
	return registry->options.state && owner->connection == 0;
}

static void tell(const struct job *job, enum jc_registry_outcome outcome)
{
	struct jc_registry_answer answer = { .outcome = outcome,
		.name = job->name,
		.asset = job->is_kept ? job->asset : NULL,
		.is_stored = is_stored(job->registry, &job->owner),
		.lint = job->lint,
		.diagnostic = &job->diagnostic };

	if (job->told) {
		job->told(job->context, &answer);
	}
}

static void finish(struct job *job, enum jc_registry_outcome outcome)
{
	struct jc_registry *registry = job->registry;

	tell(job, outcome);
	shift(registry);
	if (registry->first) {
		begin(registry->first);
	}
}

/* The log is told where; who asked, what. */
static void fail(struct job *job, int status)
{
	if (status == JC_ERROR_MEMORY) {
		jc_diagnose(&job->diagnostic, status, NULL, "out of memory");
	}
	jc_log_diagnostic(job->registry->options.log, "a registration fails", &job->diagnostic);
	if (status != JC_ERROR_MEMORY) {
		jc_diagnose(&job->diagnostic, status, NULL, "the disk does not take it");
	}
	finish(job, JC_REGISTRY_FAILED);
}

static void on_work(uv_work_t *request)
{
	struct job *job = request->data;

	job->work(job);
}

static void on_worked(uv_work_t *request, int status)
{
	struct job *job = request->data;

	(void)status; /* nothing cancels */
	job->after(job);
}

static void enter(struct job *job, void (*work)(struct job *job), void (*after)(struct job *job))
{
	job->work = work;
	job->after = after;
	uv_queue_work(job->registry->options.loop, &job->request, on_work, on_worked);
}

static void read_bytes(struct job *job)
{
	job->lint = calloc(1, sizeof(*job->lint));
	job->status = jc_reading_make(
		job->bytes, job->length, job->index, &job->asset, job->lint, &job->diagnostic);
	free(job->bytes);
	job->bytes = NULL;
#ifdef __GLIBC__
	/* Else what much text took stays with the heap, for good, and so do the bytes. */
	if (job->cost > JC_MAX_UPLOAD_SMALL) {
		malloc_trim(0);
	}
#endif
}

static void save(struct job *job)
{
	job->status = jc_skeleton_file_save(job->registry->options.state, job->owner.subject,
		job->name, job->asset, &job->diagnostic);
}

/* Files that stay behind are found, and given up again, by the next start. */
static void remove_gone(struct job *job)
{
	job->status = JC_OK;
	for (size_t i = 0; i < job->gone_count; i++) {
		int status = jc_skeleton_file_remove(job->registry->options.state,
			job->gone[i].owner.subject, job->gone[i].name, &job->diagnostic);

		job->status = status == JC_OK ? job->status : status;
	}
}

static void after_removed(struct job *job)
{
	if (job->status != JC_OK) {
		jc_log_diagnostic(
			job->registry->options.log, "a skeleton stays on disk", &job->diagnostic);
	}
	finish(job, job->outcome);
}

/* Drops the entry, and remembers its file where it has one. */
static int give_up(struct job *job, struct jc_catalogue_entry *entry)
{
	if (!is_stored(job->registry, &entry->owner)) {
		jc_catalogue_remove(&job->registry->catalogue, entry);
		return JC_OK;
	}
	struct jc_catalogue_entry *gone =
		realloc(job->gone, (job->gone_count + 1) * sizeof(job->gone[0]));

	if (!gone) {
		return JC_ERROR_MEMORY;
	}
	gone[job->gone_count++] = *entry;
	job->gone = gone;
	jc_catalogue_remove(&job->registry->catalogue, entry);
	return JC_OK;
}

static void remove_files(struct job *job)
{
	if (job->gone_count > 0) {
		enter(job, remove_gone, after_removed);
	} else {
		finish(job, job->outcome);
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
static void put(struct job *job)
{
	struct jc_registry *registry = job->registry;
	struct jc_catalogue_entry *entry, *excess;
	struct jc_skeleton_asset *asset;
	int status = job->status;

	if (status == JC_OK) {
		status = jc_skeleton_table_retain(
			registry->options.skeleton_table, job->asset, &asset);
	}
	if (status != JC_OK) {
		fail(job, status);
		return;
	}
	job->asset = asset;
	job->is_kept = true;
	status = jc_catalogue_put(&registry->catalogue, &job->owner, job->name, asset, &entry);
	if (status != JC_OK) {
		job->is_kept = false;
		job->asset = NULL;
		jc_skeleton_asset_release(asset);
		fail(job, status);
		return;
	}
	entry->touched_ns = 0; /* files have times that are not as fine */
	while ((excess = jc_catalogue_excess(&registry->catalogue, &job->owner, entry))) {
		if (give_up(job, excess) != JC_OK) {
			break;
		}
	}
	jc_log_write(registry->options.log, JC_LOG_INFO, "skeleton '%s' is registered by '%s'",
		job->name, owner_name(&job->owner));
	remove_files(job);
}

static void after_read(struct job *job)
{
	struct jc_registry *registry = job->registry;

	if (job->is_ended) {
		jc_diagnose(&job->diagnostic, JC_ERROR_ABSENT, NULL, "%s", ENDED);
		finish(job, JC_REGISTRY_FAILED);
		return;
	}
	if (job->status == JC_ERROR_MEMORY) {
		fail(job, job->status);
		return;
	}
	if (job->status != JC_OK) {
		finish(job, JC_REGISTRY_UNUSABLE);
		return;
	}
	const struct jc_catalogue_entry *known =
		jc_catalogue_find(&registry->catalogue, &job->owner, job->name);

	if (known && strcmp(known->asset->hash, job->asset->hash) == 0) {
		jc_skeleton_asset_destroy(job->asset);
		job->asset = known->asset;
		job->is_kept = true;
		finish(job, JC_REGISTRY_SAME);
		return;
	}
	if (!jc_catalogue_has_room(&registry->catalogue, &job->owner, job->name, job->asset)) {
		jc_diagnose(&job->diagnostic, JC_ERROR_LIMIT, NULL,
			job->owner.connection
				? "no room: too many skeletons of clients without a token"
				: "no room: every skeleton that is registered is worn");
		finish(job, JC_REGISTRY_FULL);
		return;
	}
	job->outcome = known ? JC_REGISTRY_CHANGED : JC_REGISTRY_NEW;
	if (is_stored(registry, &job->owner)) {
		enter(job, save, put);
	} else {
		put(job);
	}
}

/* The file first: what is said to have ended does not come back with the next start. */
static void remove_own(struct job *job)
{
	job->status = is_stored(job->registry, &job->owner)
			      ? jc_skeleton_file_remove(job->registry->options.state,
					job->owner.subject, job->name, &job->diagnostic)
			      : JC_OK;
}

static void end(struct job *job)
{
	struct jc_catalogue *catalogue = &job->registry->catalogue;
	struct jc_catalogue_entry *entry = jc_catalogue_find(catalogue, &job->owner, job->name);

	if (job->status != JC_OK) {
		fail(job, job->status);
		return;
	}
	if (entry) {
		jc_catalogue_remove(catalogue, entry);
	}
	finish(job, entry ? JC_REGISTRY_ENDED : JC_REGISTRY_UNKNOWN);
}

static void begin(struct job *job)
{
	if (job->bytes) {
		enter(job, read_bytes, after_read);
	} else {
		enter(job, remove_own, end);
	}
}

/* What was on disk. Files past the quotas go. */
static int take_in(struct jc_registry *registry, struct jc_skeleton_file *file)
{
	const char *state = registry->options.state;
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_catalogue_entry *entry, *excess;
	struct jc_owner owner = { .connection = 0 };
	struct jc_skeleton_asset *asset;
	int status =
		jc_skeleton_table_retain(registry->options.skeleton_table, file->asset, &asset);

	if (status != JC_OK) {
		return status;
	}
	file->asset = NULL;
	asset->worn_ns = file->worn_ns;
	strcpy(owner.subject, file->subject);
	status = jc_catalogue_put(&registry->catalogue, &owner, file->name, asset, &entry);
	if (status != JC_OK) {
		jc_skeleton_asset_release(asset);
		return status;
	}
	entry->touched_ns = file->worn_ns;
	while ((excess = jc_catalogue_excess(&registry->catalogue, &owner, entry))) {
		jc_skeleton_file_remove(state, excess->owner.subject, excess->name, &diagnostic);
		jc_catalogue_remove(&registry->catalogue, excess);
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
	registry->end = &registry->first;
	jc_catalogue_init(&registry->catalogue, &options->quotas);

	int status = options->state ? load(registry) : JC_OK;

	if (status != JC_OK) {
		jc_catalogue_finish(&registry->catalogue);
		free(registry);
		return status;
	}
	*out_registry = registry;
	return JC_OK;
}

/* Takes wishes that have not begun out of the queue: those of a connection, 0: all. */
static struct job *take_waiting(struct jc_registry *registry, uint64_t connection)
{
	struct job *taken = NULL;
	struct job **taken_end = &taken;
	struct job *before = registry->first;

	while (before && before->next) {
		struct job *job = before->next;

		if (connection != 0 && job->owner.connection != connection) {
			before = job;
			continue;
		}
		before->next = job->next;
		registry->waiting -= job->cost;
		job->next = NULL;
		*taken_end = job;
		taken_end = &job->next;
	}
	registry->end = before ? &before->next : &registry->first;
	return taken;
}

/* Wishes that are in no queue any more: an answer may change the queue. */
static void fail_taken(struct job *job, const char *what)
{
	while (job) {
		struct job *next = job->next;

		jc_diagnose(&job->diagnostic, JC_ERROR_LIMIT, NULL, "%s", what);
		tell(job, JC_REGISTRY_FAILED);
		job_destroy(job);
		job = next;
	}
}

void jc_registry_stop(struct jc_registry *registry)
{
	fail_taken(take_waiting(registry, 0), "the server ends");
}

/* So that the next run, too, knows what was worn longest ago. */
static void touch_files(const struct jc_registry *registry)
{
	int64_t now_ns = jc_clock_wall_ns();

	for (size_t i = 0; i < registry->catalogue.count; i++) {
		const struct jc_catalogue_entry *entry = registry->catalogue.entries[i];
		int64_t worn_ns = entry->asset->wearers > 0 ? now_ns : entry->asset->worn_ns;

		if (is_stored(registry, &entry->owner) && worn_ns != entry->touched_ns) {
			jc_skeleton_file_touch(registry->options.state, entry->owner.subject,
				entry->name, worn_ns);
		}
	}
}

void jc_registry_destroy(struct jc_registry *registry)
{
	if (!registry) {
		return;
	}
	assert(!registry->first);
	if (registry->options.state) {
		touch_files(registry);
	}
	jc_catalogue_finish(&registry->catalogue);
	free(registry);
}

bool jc_registry_has_room(const struct jc_registry *registry, size_t cost)
{
	/* Who has little is not kept out by who has much. */
	size_t most = cost > JC_MAX_UPLOAD_SMALL ? JC_MAX_UPLOADS_LARGE : JC_MAX_UPLOADS_BYTES;

	return registry->waiting < most && cost <= most - registry->waiting;
}

int jc_registry_ask(struct jc_registry *registry, const struct jc_registry_request *wanted,
	jc_registry_reported *told, void *context)
{
	size_t cost = wanted->bytes ? jc_reading_cost(wanted->bytes, wanted->length) : 0;

	if (!jc_registry_has_room(registry, cost)) {
		return JC_ERROR_LIMIT;
	}
	struct job *job = calloc(1, sizeof(*job));

	if (!job) {
		return JC_ERROR_MEMORY;
	}
	assert(jc_registry_is_name(wanted->name));
	job->registry = registry;
	job->request.data = job;
	job->told = told;
	job->context = context;
	job->owner = *wanted->owner;
	strncpy(job->name, wanted->name, sizeof(job->name) - 1);
	job->bytes = wanted->bytes;
	job->length = wanted->length;
	job->index = wanted->index;
	job->cost = cost;
	*registry->end = job;
	registry->end = &job->next;
	registry->waiting += job->cost;
	if (registry->first == job) {
		begin(job);
	}
	return JC_OK;
}

void jc_registry_end_connection(struct jc_registry *registry, uint64_t connection)
{
	const struct jc_owner owner = { .connection = connection };
	struct jc_catalogue_entry *const *entries;

	assert(connection != 0);
	while (jc_catalogue_of(&registry->catalogue, &owner, &entries) > 0) {
		jc_catalogue_remove(&registry->catalogue, entries[0]);
	}
	if (registry->first && registry->first->owner.connection == connection) {
		registry->first->is_ended = true;
	}
	fail_taken(take_waiting(registry, connection), ENDED);
}

void jc_registry_forget(struct jc_registry *registry, const void *context, uint64_t connection)
{
	for (struct job *job = registry->first; job; job = job->next) {
		if (job->context == context) {
			job->told = NULL;
			job->context = NULL;
		}
	}
	jc_registry_end_connection(registry, connection);
}

struct jc_skeleton_asset *jc_registry_find(
	const struct jc_registry *registry, const struct jc_owner *owner, const char *hash)
{
	struct jc_catalogue_entry *const *entries;
	size_t count = jc_catalogue_of(&registry->catalogue, owner, &entries);

	for (size_t i = 0; i < count; i++) {
		if (strcmp(entries[i]->asset->hash, hash) == 0) {
			return entries[i]->asset;
		}
	}
	return NULL;
}

const struct jc_catalogue *jc_registry_catalogue(const struct jc_registry *registry)
{
	return &registry->catalogue;
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
