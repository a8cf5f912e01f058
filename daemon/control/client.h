/* The state of the control protocol for one session: what the client has said, shown, joined
 * and published. */
#ifndef JC_CLIENT_H
#define JC_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/siphash.h"
#include "base/token_bucket.h"
#include "control/publication.h"
#include "maxima.h"
#include "services.h"
#include "space/fanout.h"
#include "space/skeleton_asset_set.h"

struct jc_calibrating;
struct jc_calibration_saver;
struct jc_grant;
struct jc_session;

/* What all clients share. */
struct jc_control {
	const struct jc_services *services;        /* borrowed */
	struct jc_client *clients;                 /* the newest first */
	struct jc_siphash_key subject_key;         /* random; hashes subjects into parties */
	struct jc_calibration_saver *calibrations; /* owned */
	size_t openings;                           /* recordings that the pool opens */
	unsigned farewells;                        /* clients that got going_away */
};

struct jc_client {
	struct jc_subscriber subscriber;
	struct jc_control *control;          /* borrowed */
	const struct jc_services *services;  /* borrowed: those of control */
	struct jc_session *session;          /* borrowed: it owns the client */
	struct jc_client *previous, *next;   /* of the list of control */
	struct jc_grant *grant;              /* owned; NULL: no token was shown */
	bool greeted;                        /* hello came */
	bool credit;                         /* it will acknowledge */
	bool chains;                         /* it reads coding 2 */
	struct jc_skeleton_asset_set assets; /* whose skeletons it was sent */
	struct jc_view *views[JC_MAX_VIEWS]; /* owned; NULL and those without a fanout are free */
	size_t errors;
	struct jc_token_bucket rosters, registrations, openings;
	struct jc_publications publications; /* the bodies it publishes */
	struct jc_calibrating *calibrating;  /* owned; NULL: it calibrates none */
};

/* The state of a new session, whose client it becomes. Returns 0 or JC_ERROR_MEMORY. */
int jc_client_create(struct jc_control *control, struct jc_session *session, int64_t now_ns);
void jc_client_destroy(struct jc_client *client);

/* The client whose session has that serial; NULL: it is gone or closing. A job of the pool
 * keeps the serial, not a pointer. */
struct jc_client *jc_client_find(const struct jc_control *control, uint64_t serial);

/* The party of the client is that of its token from now on, also for those who ignore it. */
void jc_client_identify(struct jc_client *client);

#endif
