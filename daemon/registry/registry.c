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

struct wish {
	struct wish *next;
	struct jc_registry *registry;
	uv_work_t request;
	void (*work)(struct wish *wish);
	void (*after)(struct wish *wish);
	jc_registry_told *told; /* NULL: nobody wants to know */
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
	struct jc_outfit *outfit; /* owned until it is kept */
	struct jc_lint *lint;     /* owned */
	struct jc_diagnostic diagnostic;
	size_t gone_count;
	struct jc_catalogue_entry *gone; /* owned: copies of what was given up, for their names */
};

struct jc_registry {
	struct jc_registry_options options;
	struct jc_catalogue catalogue;
	struct wish *first, **end; /* owned; the first is under way */
	size_t waiting;            /* what they cost */
};

static void wish_destroy(struct wish *wish)
{
	if (!wish->is_kept) {
		jc_outfit_destroy(wish->outfit);
	}
	free(wish->bytes);
	free(wish->lint);
	free(wish->gone);
	free(wish);
}

static void begin(struct wish *wish);

static void shift(struct jc_registry *registry)
{
	struct wish *wish = registry->first;

	registry->first = wish->next;
	if (!registry->first) {
		registry->end = &registry->first;
	}
	registry->waiting -= wish->cost;
	wish_destroy(wish);
}

/* Skeletons of subjects are on disk; a skeleton of a connection ends with it. */
static bool is_stored(const struct jc_registry *registry, const struct jc_owner *owner)
{
	return registry->options.state && owner->connection == 0;
}

static void tell(const struct wish *wish, enum jc_registry_outcome outcome)
{
	struct jc_registry_answer answer = { .outcome = outcome,
		.name = wish->name,
		.outfit = wish->is_kept ? wish->outfit : NULL,
		.is_stored = is_stored(wish->registry, &wish->owner),
		.lint = wish->lint,
		.diagnostic = &wish->diagnostic };

	if (wish->told) {
		wish->told(wish->context, &answer);
	}
}

static void finish(struct wish *wish, enum jc_registry_outcome outcome)
{
	struct jc_registry *registry = wish->registry;

	tell(wish, outcome);
	shift(registry);
	if (registry->first) {
		begin(registry->first);
	}
}

/* The log is told where; who asked, what. */
static void fail(struct wish *wish, int status)
{
	if (status == JC_ERROR_MEMORY) {
		jc_diagnose(&wish->diagnostic, status, NULL, "out of memory");
	}
	jc_log_diagnostic(wish->registry->options.log, "a registration fails", &wish->diagnostic);
	if (status != JC_ERROR_MEMORY) {
		jc_diagnose(&wish->diagnostic, status, NULL, "the disk does not take it");
	}
	finish(wish, JC_REGISTRY_FAILED);
}

static void on_work(uv_work_t *request)
{
	struct wish *wish = request->data;

	wish->work(wish);
}

static void on_worked(uv_work_t *request, int status)
{
	struct wish *wish = request->data;

	(void)status; /* nothing cancels */
	wish->after(wish);
}

static void enter(
	struct wish *wish, void (*work)(struct wish *wish), void (*after)(struct wish *wish))
{
	wish->work = work;
	wish->after = after;
	uv_queue_work(wish->registry->options.loop, &wish->request, on_work, on_worked);
}

static void read_bytes(struct wish *wish)
{
	wish->lint = calloc(1, sizeof(*wish->lint));
	wish->status = jc_reading_make(wish->bytes, wish->length, wish->index, &wish->outfit,
		wish->lint, &wish->diagnostic);
	free(wish->bytes);
	wish->bytes = NULL;
#ifdef __GLIBC__
	/* Else what much text took stays with the heap, for good, and so do the bytes. */
	if (wish->cost > JC_MAX_UPLOAD_SMALL) {
		malloc_trim(0);
	}
#endif
}

static void save(struct wish *wish)
{
	wish->status = jc_skeleton_file_save(wish->registry->options.state, wish->owner.subject,
		wish->name, wish->outfit, &wish->diagnostic);
}

/* Files that stay behind are found, and given up again, by the next start. */
static void remove_gone(struct wish *wish)
{
	wish->status = JC_OK;
	for (size_t i = 0; i < wish->gone_count; i++) {
		int status = jc_skeleton_file_remove(wish->registry->options.state,
			wish->gone[i].owner.subject, wish->gone[i].name, &wish->diagnostic);

		wish->status = status == JC_OK ? wish->status : status;
	}
}

static void after_removed(struct wish *wish)
{
	if (wish->status != JC_OK) {
		jc_log_diagnostic(
			wish->registry->options.log, "a skeleton stays on disk", &wish->diagnostic);
	}
	finish(wish, wish->outcome);
}

/* Drops the entry, and remembers its file where it has one. */
static int give_up(struct wish *wish, struct jc_catalogue_entry *entry)
{
	if (!is_stored(wish->registry, &entry->owner)) {
		jc_catalogue_remove(&wish->registry->catalogue, entry);
		return JC_OK;
	}
	struct jc_catalogue_entry *gone =
		realloc(wish->gone, (wish->gone_count + 1) * sizeof(wish->gone[0]));

	if (!gone) {
		return JC_ERROR_MEMORY;
	}
	gone[wish->gone_count++] = *entry;
	wish->gone = gone;
	jc_catalogue_remove(&wish->registry->catalogue, entry);
	return JC_OK;
}

static void remove_files(struct wish *wish)
{
	if (wish->gone_count > 0) {
		enter(wish, remove_gone, after_removed);
	} else {
		finish(wish, wish->outcome);
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
static void put(struct wish *wish)
{
	struct jc_registry *registry = wish->registry;
	struct jc_catalogue_entry *entry, *excess;
	struct jc_outfit *outfit;
	int status = wish->status;

	if (status == JC_OK) {
		status = jc_wardrobe_keep(registry->options.wardrobe, wish->outfit, &outfit);
	}
	if (status != JC_OK) {
		fail(wish, status);
		return;
	}
	wish->outfit = outfit;
	wish->is_kept = true;
	status = jc_catalogue_put(&registry->catalogue, &wish->owner, wish->name, outfit, &entry);
	if (status != JC_OK) {
		wish->is_kept = false;
		wish->outfit = NULL;
		jc_outfit_drop(outfit);
		fail(wish, status);
		return;
	}
	entry->touched_ns = 0; /* files have times that are not as fine */
	while ((excess = jc_catalogue_excess(&registry->catalogue, &wish->owner, entry))) {
		if (give_up(wish, excess) != JC_OK) {
			break;
		}
	}
	jc_log_write(registry->options.log, JC_LOG_INFO, "skeleton '%s' is registered by '%s'",
		wish->name, owner_name(&wish->owner));
	remove_files(wish);
}

static void after_read(struct wish *wish)
{
	struct jc_registry *registry = wish->registry;

	if (wish->is_ended) {
		jc_diagnose(&wish->diagnostic, JC_ERROR_ABSENT, NULL, "%s", ENDED);
		finish(wish, JC_REGISTRY_FAILED);
		return;
	}
	if (wish->status == JC_ERROR_MEMORY) {
		fail(wish, wish->status);
		return;
	}
	if (wish->status != JC_OK) {
		finish(wish, JC_REGISTRY_UNUSABLE);
		return;
	}
	const struct jc_catalogue_entry *known =
		jc_catalogue_find(&registry->catalogue, &wish->owner, wish->name);

	if (known && strcmp(known->outfit->hash, wish->outfit->hash) == 0) {
		jc_outfit_destroy(wish->outfit);
		wish->outfit = known->outfit;
		wish->is_kept = true;
		finish(wish, JC_REGISTRY_SAME);
		return;
	}
	if (!jc_catalogue_has_room(&registry->catalogue, &wish->owner, wish->name, wish->outfit)) {
		jc_diagnose(&wish->diagnostic, JC_ERROR_LIMIT, NULL,
			wish->owner.connection
				? "no room: too many skeletons of clients without a token"
				: "no room: every skeleton that is registered is worn");
		finish(wish, JC_REGISTRY_FULL);
		return;
	}
	wish->outcome = known ? JC_REGISTRY_CHANGED : JC_REGISTRY_NEW;
	if (is_stored(registry, &wish->owner)) {
		enter(wish, save, put);
	} else {
		put(wish);
	}
}

/* The file first: what is said to have ended does not come back with the next start. */
static void remove_own(struct wish *wish)
{
	wish->status = is_stored(wish->registry, &wish->owner)
			       ? jc_skeleton_file_remove(wish->registry->options.state,
					 wish->owner.subject, wish->name, &wish->diagnostic)
			       : JC_OK;
}

static void end(struct wish *wish)
{
	struct jc_catalogue *catalogue = &wish->registry->catalogue;
	struct jc_catalogue_entry *entry = jc_catalogue_find(catalogue, &wish->owner, wish->name);

	if (wish->status != JC_OK) {
		fail(wish, wish->status);
		return;
	}
	if (entry) {
		jc_catalogue_remove(catalogue, entry);
	}
	finish(wish, entry ? JC_REGISTRY_ENDED : JC_REGISTRY_UNKNOWN);
}

static void begin(struct wish *wish)
{
	if (wish->bytes) {
		enter(wish, read_bytes, after_read);
	} else {
		enter(wish, remove_own, end);
	}
}

/* What was on disk. Files past the quotas go. */
static int take_in(struct jc_registry *registry, struct jc_skeleton_file *file)
{
	const char *state = registry->options.state;
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_catalogue_entry *entry, *excess;
	struct jc_owner owner = { .connection = 0 };
	struct jc_outfit *outfit;
	int status = jc_wardrobe_keep(registry->options.wardrobe, file->outfit, &outfit);

	if (status != JC_OK) {
		return status;
	}
	file->outfit = NULL;
	outfit->worn_ns = file->worn_ns;
	strcpy(owner.subject, file->subject);
	status = jc_catalogue_put(&registry->catalogue, &owner, file->name, outfit, &entry);
	if (status != JC_OK) {
		jc_outfit_drop(outfit);
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
		jc_outfit_destroy(files[i].outfit);
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
static struct wish *take_waiting(struct jc_registry *registry, uint64_t connection)
{
	struct wish *taken = NULL;
	struct wish **taken_end = &taken;
	struct wish *before = registry->first;

	while (before && before->next) {
		struct wish *wish = before->next;

		if (connection != 0 && wish->owner.connection != connection) {
			before = wish;
			continue;
		}
		before->next = wish->next;
		registry->waiting -= wish->cost;
		wish->next = NULL;
		*taken_end = wish;
		taken_end = &wish->next;
	}
	registry->end = before ? &before->next : &registry->first;
	return taken;
}

/* Wishes that are in no queue any more: an answer may change the queue. */
static void fail_taken(struct wish *wish, const char *what)
{
	while (wish) {
		struct wish *next = wish->next;

		jc_diagnose(&wish->diagnostic, JC_ERROR_LIMIT, NULL, "%s", what);
		tell(wish, JC_REGISTRY_FAILED);
		wish_destroy(wish);
		wish = next;
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
		int64_t worn_ns = entry->outfit->wearers > 0 ? now_ns : entry->outfit->worn_ns;

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

int jc_registry_ask(struct jc_registry *registry, const struct jc_registry_wish *wanted,
	jc_registry_told *told, void *context)
{
	size_t cost = wanted->bytes ? jc_reading_cost(wanted->bytes, wanted->length) : 0;

	if (!jc_registry_has_room(registry, cost)) {
		return JC_ERROR_LIMIT;
	}
	struct wish *wish = calloc(1, sizeof(*wish));

	if (!wish) {
		return JC_ERROR_MEMORY;
	}
	assert(jc_registry_is_name(wanted->name));
	wish->registry = registry;
	wish->request.data = wish;
	wish->told = told;
	wish->context = context;
	wish->owner = *wanted->owner;
	strncpy(wish->name, wanted->name, sizeof(wish->name) - 1);
	wish->bytes = wanted->bytes;
	wish->length = wanted->length;
	wish->index = wanted->index;
	wish->cost = cost;
	*registry->end = wish;
	registry->end = &wish->next;
	registry->waiting += wish->cost;
	if (registry->first == wish) {
		begin(wish);
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
	for (struct wish *wish = registry->first; wish; wish = wish->next) {
		if (wish->context == context) {
			wish->told = NULL;
			wish->context = NULL;
		}
	}
	jc_registry_end_connection(registry, connection);
}

struct jc_outfit *jc_registry_find(
	const struct jc_registry *registry, const struct jc_owner *owner, const char *hash)
{
	struct jc_catalogue_entry *const *entries;
	size_t count = jc_catalogue_of(&registry->catalogue, owner, &entries);

	for (size_t i = 0; i < count; i++) {
		if (strcmp(entries[i]->outfit->hash, hash) == 0) {
			return entries[i]->outfit;
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
