/* Reloads the configuration while the daemon runs: reads and checks it with all its files, then
 * applies it at once. An invalid configuration changes nothing. */
#ifndef JC_RELOAD_H
#define JC_RELOAD_H

#include <uv.h>

#include "app/config_objects.h"
#include "app/identity.h"
#include "app/options.h"
#include "auth/auth_policy.h"
#include "base/job.h"
#include "base/log.h"
#include "config/config.h"
#include "invitation/invitations.h"
#include "net/server.h"
#include "space/spaces.h"

/* The objects that it works on; borrowed. */
struct jc_reload_options {
	const struct jc_log *log;
	const struct jc_options *options; /* the source of the configuration */
	const char *web_root;             /* default directory of the viewer */
	struct jc_config *config;         /* in use */
	struct jc_auth_policy *auth_policy;
	struct jc_invitations *invitations; /* NULL: there is no state directory */
	struct jc_spaces *spaces;
	struct jc_config_objects *config_objects;
	struct jc_avatars *avatars;
	struct jc_server *server;
	uv_loop_t *loop;
	void (*on_begun)(void *context); /* a reload begins */
	void (*on_done)(void *context);  /* the reload has ended, successful or not */
	void *context;
};

struct jc_reload {
	struct jc_reload_options options;
	struct jc_job job;
	bool is_running, is_wanted_again, is_cancelled;
	int64_t begun_ns;
	/* While a reload runs: owned. */
	struct jc_config next;
	struct jc_auth_policy auth_policy;
	struct jc_config_diff diff;
	struct jc_identity identity;
	int status;
	struct jc_diagnostic diagnostic;
};

void jc_reload_init(struct jc_reload *reload, const struct jc_reload_options *options);

/* Starts a reload. Keys that config_table.h marks take effect before on_done is called;
 * connections with a token of a removed or revoked key are closed soon after. The log names keys
 * that need a restart, and the reason if nothing changes. A reload that is started while another
 * one runs begins after it. */
void jc_reload_start(struct jc_reload *reload);

/* The running reload changes nothing any more; on_done is still called. */
void jc_reload_cancel(struct jc_reload *reload);

#endif
