/* The state of the control protocol for one session: its token, joined spaces, publications
 * and limits. */
#ifndef JC_CLIENT_H
#define JC_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/request_tag.h"
#include "base/siphash.h"
#include "base/token_bucket.h"
#include "control/publication.h"
#include "maxima.h"
#include "services.h"
#include "space/fanout.h"
#include "space/skeleton_table.h"

struct jc_calibrating;
struct jc_calibration_saver;
struct jc_forwarded_client;
struct jc_forwarder;
struct jc_grant;
struct jc_moderation_observer;
struct jc_session;

/* State for all clients. */
struct jc_control {
	const struct jc_services *services;        /* borrowed */
	struct jc_client *clients;                 /* the newest first */
	struct jc_siphash_key connection_key;      /* random; maps connections to parties */
	struct jc_calibration_saver *calibrations; /* owned */
	size_t openings;                           /* recordings that the pool opens */
	unsigned farewells;                        /* number of going_away messages sent */
	uint64_t moderated_revision;               /* of the sanctions that were applied last */
	struct jc_forwarder *forwarder;            /* borrowed; NULL: this is no edge */
	struct jc_moderation_observer *observer;   /* borrowed; NULL: this is no origin of edges */
};

struct jc_client {
	struct jc_subscriber subscriber;
	struct jc_control *control;         /* borrowed */
	const struct jc_services *services; /* borrowed: those of control */
	struct jc_session *session;         /* borrowed: it owns the client */
	struct jc_client *previous, *next;  /* of the list of control */
	struct jc_grant *grant;             /* owned; NULL: no token was shown */
	bool greeted;                       /* `hello` was accepted */
	bool credit;                        /* `hello` has "credit": it acknowledges bundles */
	bool chains;                        /* it decodes coding 2 or 3 */
	bool model_chains;                  /* it decodes coding 3 */
	struct jc_request_tag request; /* of the message that is being handled, until answered */
	struct jc_skeleton_asset_set assets; /* skeletons that it has received */
	struct jc_view *views[JC_MAX_VIEWS]; /* owned; NULL and those without a fanout are free */
	struct jc_token_bucket errors; /* a second of it is a unit, an error JC_ERROR_SECONDS */
	struct jc_token_bucket rosters, registrations, openings;
	struct jc_publications publications;   /* its published bodies */
	struct jc_calibrating *calibrating;    /* owned; NULL: no calibration runs */
	struct jc_forwarded_client *forwarded; /* of the forwarder, which owns it; or NULL */
};

/* Creates session->client. Returns 0 or JC_ERROR_MEMORY. */
int jc_client_create(struct jc_control *control, struct jc_session *session, int64_t now_ns);
void jc_client_destroy(struct jc_client *client);

/* The client whose session has that serial; NULL: it has ended or is closing. Jobs of the
 * pool keep the serial, not a pointer. */
struct jc_client *jc_client_find(const struct jc_control *control, uint64_t serial);

/* Updates the client's party from its token, also where others ignore the party. */
void jc_client_identify(struct jc_client *client);

/* The space has another key of people (space/people/people.h): parties of clients and of their
 * bodies change with it. remote: as of jc_fanout_set_people_key. */
void jc_client_rekey(struct jc_control *control, struct jc_fanout *fanout,
	const struct jc_siphash_key *key, const void *remote);

#endif
