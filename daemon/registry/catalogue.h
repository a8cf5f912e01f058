/* Which skeletons are registered, by whom and under which name, within quotas. Who
 * names the same twice has the later; who needs room has what nobody has worn for
 * longest given up. */
#ifndef JC_CATALOGUE_H
#define JC_CATALOGUE_H

#include <stdbool.h>
#include <stddef.h>

#include "space/wardrobe.h"

struct jc_quota {
	size_t count, bytes; /* skeletons, and what their descriptors take */
};

struct jc_catalogue_entry {
	char subject[JC_MAX_SUBJECT]; /* who; "" without tokens */
	char name[JC_MAX_SKELETON_NAME];
	struct jc_outfit *outfit; /* kept */
	int64_t touched_ns;       /* what its file tells of when it was worn */
};

/* Empty when all zeros. */
struct jc_catalogue {
	struct jc_quota each, all; /* most of one subject, and of all together */
	size_t count, capacity;
	struct jc_catalogue_entry **entries; /* owned, by subject and name */
};

void jc_catalogue_init(struct jc_catalogue *catalogue, struct jc_quota each, struct jc_quota all);
void jc_catalogue_finish(struct jc_catalogue *catalogue);

/* NULL where there is none. */
struct jc_catalogue_entry *jc_catalogue_find(
	const struct jc_catalogue *catalogue, const char *subject, const char *name);

/* The entries of a subject, one after the other. */
size_t jc_catalogue_of(const struct jc_catalogue *catalogue, const char *subject,
	struct jc_catalogue_entry *const **out_entries);

/* Whether there is room, or can be made, for an outfit under that name: what is worn is
 * never given up. */
bool jc_catalogue_has_room(const struct jc_catalogue *catalogue, const char *subject,
	const char *name, const struct jc_outfit *outfit);

/* Enters it, in the place of the one of that name. The outfit is kept already; on success
 * the catalogue drops it one day. Quotas may be exceeded then. Returns 0 or
 * JC_ERROR_MEMORY. */
int jc_catalogue_put(struct jc_catalogue *catalogue, const char *subject, const char *name,
	struct jc_outfit *outfit, struct jc_catalogue_entry **out_entry);

/* What has to go next for the quotas' sake, but never `spared`; NULL: nothing has to, or
 * can. */
struct jc_catalogue_entry *jc_catalogue_excess(const struct jc_catalogue *catalogue,
	const char *subject, const struct jc_catalogue_entry *spared);

void jc_catalogue_remove(struct jc_catalogue *catalogue, struct jc_catalogue_entry *entry);

#endif
