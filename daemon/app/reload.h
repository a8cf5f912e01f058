/* A configuration that is read again while the daemon runs: judged whole, with every
 * file that it names, then taken over at once; a bad one changes nothing. */
#ifndef JC_RELOAD_H
#define JC_RELOAD_H

#include <uv.h>

#include "app/config_objects.h"
#include "app/identity.h"
#include "app/options.h"
#include "base/job.h"
#include "base/log.h"
#include "config/config.h"
#include "auth/auth_policy.h"
#include "net/server.h"
#include "space/spaces.h"

/* What it works on; borrowed. */
struct jc_reload_options {
	const struct jc_log *log;
	const struct jc_options *options; /* where the configuration comes from */
	const char *web_root;             /* where no configuration says */
	struct jc_config *config;         /* in use */
	struct jc_auth_policy *auth_policy;
	struct jc_spaces *spaces;
	struct jc_config_objects *config_objects;
	struct jc_server *server;
	uv_loop_t *loop;
	void (*on_begun)(void *context); /* a turn begins, */
	void (*on_done)(void *context);  /* and ends, whatever came of it */
	void *context;
};

struct jc_reload {
	struct jc_reload_options options;
	struct jc_job job;
	bool is_running, is_wanted_again, is_cancelled;
	int64_t begun_ns;
	/* While it runs: owned. */
	struct jc_config next;
	struct jc_auth_policy auth_policy;
	struct jc_config_diff diff;
	struct jc_identity identity;
	int status;
	struct jc_diagnostic diagnostic;
};

void jc_reload_init(struct jc_reload *reload, const struct jc_reload_options *options);

/* The certificate, keys, audience, hosts, origins, limits, the viewer's directory, spaces,
 * skeletons and sources count once on_done is called; whose token is of a key that is gone or
 * revoked is sent away soon. What takes a start, the log names, and why all stays as
 * it was. While one turn is under way another is begun after it. */
void jc_reload_start(struct jc_reload *reload);

/* Whatever is under way changes nothing any more; on_done is still called. */
void jc_reload_cancel(struct jc_reload *reload);

#endif
