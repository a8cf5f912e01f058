/* The skeletons that are registered, each by its owner and its name, within quotas. A
 * skeleton replaces the one of the same owner and name. Where a quota is reached, the
 * skeletons that have not been worn for longest are given up; a connection without a
 * token never displaces a skeleton of another owner. */
#ifndef JC_CATALOGUE_H
#define JC_CATALOGUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "space/skeleton_table.h"

struct jc_quota {
	size_t count, bytes; /* skeletons, and what their descriptors take */
};

struct jc_quotas {
	struct jc_quota subject;     /* of one subject */
	struct jc_quota connection;  /* of one connection without a token, */
	struct jc_quota address;     /* of all of those from one address, */
	struct jc_quota connections; /* and of all of those */
	struct jc_quota all;
};

/* A subject, or a connection without a token where the server has keys. */
struct jc_owner {
	char subject[JC_MAX_SUBJECT]; /* "" without keys, and for a connection */
	uint64_t connection;          /* its serial number; 0: a subject */
	char address[JC_MAX_WHO];     /* of the connection; "" for a subject */
};

/* Whether they are the same owner. */
bool jc_owner_is(const struct jc_owner *owner, const struct jc_owner *other);

struct jc_catalogue_entry {
	struct jc_owner owner;
	char name[JC_MAX_SKELETON_NAME];
	struct jc_skeleton_asset *asset; /* kept */
	int64_t touched_ns;              /* what its file tells of when it was worn */
};

/* Empty when all zeros. */
struct jc_catalogue {
	struct jc_quotas quotas;
	size_t count, capacity;
	struct jc_catalogue_entry **entries; /* owned, sorted by owner and name */
};

void jc_catalogue_init(struct jc_catalogue *catalogue, const struct jc_quotas *quotas);
void jc_catalogue_finish(struct jc_catalogue *catalogue);

/* NULL where there is none. */
struct jc_catalogue_entry *jc_catalogue_find(
	const struct jc_catalogue *catalogue, const struct jc_owner *owner, const char *name);

/* The entries of an owner, one after the other. */
size_t jc_catalogue_of(const struct jc_catalogue *catalogue, const struct jc_owner *owner,
	struct jc_catalogue_entry *const **out_entries);

/* Whether there is room, or can be made, for an skeleton asset under that name: what is worn is
 * never given up. */
bool jc_catalogue_has_room(const struct jc_catalogue *catalogue, const struct jc_owner *owner,
	const char *name, const struct jc_skeleton_asset *asset);

/* Enters it, in the place of the one of that name. The skeleton asset is kept already; on success
 * the catalogue drops it one day. Quotas may be exceeded then. Returns 0 or
 * JC_ERROR_MEMORY. */
int jc_catalogue_put(struct jc_catalogue *catalogue, const struct jc_owner *owner, const char *name,
	struct jc_skeleton_asset *asset, struct jc_catalogue_entry **out_entry);

/* What has to go next for the quotas' sake, but never `spared`; NULL: nothing has to, or
 * can. */
struct jc_catalogue_entry *jc_catalogue_excess(const struct jc_catalogue *catalogue,
	const struct jc_owner *owner, const struct jc_catalogue_entry *spared);

void jc_catalogue_remove(struct jc_catalogue *catalogue, struct jc_catalogue_entry *entry);

#endif
