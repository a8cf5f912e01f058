/* Rate, limits and permissions of a space. */
#ifndef JC_SPACE_POLICY_H
#define JC_SPACE_POLICY_H

#include "auth/permit.h"
#include "maxima.h"

/* One for each bit of enum jc_role. */
enum { JC_PERMITS = 5 };

struct jc_space_policy {
	unsigned hz;          /* ticks a second */
	unsigned bodies;      /* maximum at a time */
	unsigned subscribers; /* joined subscribers, maximum at a time */
	unsigned streams;     /* beside those of shared views, maximum at a time */
	/* Seconds without motion until the body of a source that comes and goes leaves. */
	unsigned leave_after_s;
	bool contacts; /* kept unless a subscriber switches them off */
	struct jc_permit permits[JC_PERMITS];
	/* Clients that receive motion at these precisions; all others receive `coarse`. */
	struct jc_permit fine, standard;
	struct jc_permit motions; /* clients that may play motion files to themselves */
	/* Further grants that the origin of a relayed space announces. */
	bool has_recordings; /* there is a folder of recordings */
	bool needs_token; /* a client without a token is anyone, also where this daemon has no keys
			   */
};

/* The policy of spaces that clients open, and the default of all spaces. */
struct jc_spaces_policy {
	struct jc_permit open; /* permission to open one by joining or publishing */
	unsigned most;         /* maximum at a time, */
	unsigned most_of_one;  /* and of one subject or address */
	unsigned linger_s;     /* how long an empty space stays open */
	struct jc_space_policy space;
};

/* The defaults: 60 Hz, maximum sizes, a permit per role; clients open no spaces. */
void jc_spaces_policy_init(struct jc_spaces_policy *policy);

/* One role, not a combination. */
struct jc_permit *jc_space_policy_permit(struct jc_space_policy *policy, enum jc_role role);

#endif
