/* The parts of the daemon that HTTP routes and control messages work on. The app fills in one
 * and passes it to both. */
#ifndef JC_SERVICES_H
#define JC_SERVICES_H

#include <uv.h>

/* All borrowed. */
struct jc_services {
	uv_loop_t *loop;
	const char *version;
	const struct jc_config *config; /* a reload changes it in place */
	const struct jc_auth_policy *auth_policy;
	const struct jc_log *log;
	struct jc_spaces *spaces;
	struct jc_registry *registry;
	struct jc_avatars *avatars;
	struct jc_avatar_store *avatar_store;
	struct jc_recordings *recordings;
	struct jc_replays *replays;
	struct jc_moderation *moderation;
	struct jc_invitations *invitations; /* NULL: there is no state directory */
	const char *state;                  /* directory that outlives a run; NULL: none */
	double started_s;                   /* Unix time of the start of the process */
};

#endif
