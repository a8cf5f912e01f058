/* The registered skeletons by owner and name, within quotas. A skeleton replaces the one with
 * the same owner and name. Where a quota is reached, skeletons that were unused for the longest
 * time are removed; a connection without a token never displaces a skeleton of another owner. */
#ifndef JC_REGISTRATIONS_H
#define JC_REGISTRATIONS_H

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

struct jc_registration {
	struct jc_owner owner;
	char name[JC_MAX_SKELETON_NAME];
	struct jc_skeleton_asset *asset; /* kept */
	int64_t touched_ns;              /* time of last use in its file */
};

/* Empty when all zeros. */
struct jc_registrations {
	struct jc_quotas quotas;
	size_t count, capacity;
	struct jc_registration **entries; /* owned, sorted by owner and name */
};

void jc_registrations_init(struct jc_registrations *registrations, const struct jc_quotas *quotas);
void jc_registrations_finish(struct jc_registrations *registrations);

/* Returns NULL when not found. */
struct jc_registration *jc_registrations_find(const struct jc_registrations *registrations,
	const struct jc_owner *owner, const char *name);

/* The entries of an owner, one after the other. */
size_t jc_registrations_of(const struct jc_registrations *registrations,
	const struct jc_owner *owner, struct jc_registration *const **out_entries);

/* Whether a skeleton asset under that name has room, or can get it by removing unused skeletons. */
bool jc_registrations_has_room(const struct jc_registrations *registrations,
	const struct jc_owner *owner, const char *name, const struct jc_skeleton_asset *asset);

/* Adds the skeleton asset or replaces the one with that name. The registrations take over the
 * caller's reference on success. Quotas may then be exceeded. Returns 0 or JC_ERROR_MEMORY. */
int jc_registrations_put(struct jc_registrations *registrations, const struct jc_owner *owner,
	const char *name, struct jc_skeleton_asset *asset, struct jc_registration **out_entry);

/* The next entry to remove for the quotas, never `spared`; NULL: none. */
struct jc_registration *jc_registrations_excess(const struct jc_registrations *registrations,
	const struct jc_owner *owner, const struct jc_registration *spared);

void jc_registrations_remove(struct jc_registrations *registrations, struct jc_registration *entry);

#endif
