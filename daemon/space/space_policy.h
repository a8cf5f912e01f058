/* Rate, limits and permissions of a space. */
#ifndef JC_SPACE_POLICY_H
#define JC_SPACE_POLICY_H

#include "auth/permit.h"
#include "maxima.h"

/* One for each bit of enum jc_role. */
enum { JC_PERMITS = 5 };

struct jc_space_policy {
	unsigned hz;          /* ticks a second */
	unsigned bodies;      /* at a time, at most */
	unsigned subscribers; /* who has joined, likewise */
	unsigned streams;     /* beside those of view classes, likewise */
	struct jc_permit permits[JC_PERMITS];
};

/* Of the spaces that clients open, and what counts where a space does not say. */
struct jc_spaces_policy {
	struct jc_permit open; /* who may, by joining or publishing */
	unsigned most;         /* of those at a time, */
	unsigned most_of_one;  /* and of one subject or address */
	unsigned linger_s;     /* that one stays when nobody is left */
	struct jc_space_policy space;
};

/* 60 Hz, as much as there is room for, each role what it says; no client opens one. */
void jc_spaces_policy_init(struct jc_spaces_policy *policy);

/* Of one role, not several. */
struct jc_permit *jc_space_policy_permit(struct jc_space_policy *policy, enum jc_role role);

#endif
