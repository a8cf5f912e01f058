/* The daemon as a whole: one struct instead of global variables. */
#ifndef JC_APP_H
#define JC_APP_H

#include <uv.h>

#include "app/config_objects.h"
#include "app/options.h"
#include "app/reload.h"
#include "auth/auth_policy.h"
#include "avatars/avatar_store.h"
#include "base/log.h"
#include "base/ticker.h"
#include "cluster/cluster.h"
#include "config/config.h"
#include "control/control.h"
#include "http/http.h"
#include "net/drain.h"
#include "net/server.h"
#include "notify/notify.h"
#include "record/recordings.h"
#include "services.h"
#include "space/spaces.h"

struct jc_app {
	struct jc_config config; /* in use */
	const struct jc_options *options;
	const char *web_root; /* default directory of the viewer */
	struct jc_log log;
	struct jc_log_limit log_limit;
	uv_loop_t loop;
	struct jc_auth_policy auth_policy;
	struct jc_spaces spaces;
	struct jc_registry *registry;
	struct jc_avatars avatars;
	struct jc_avatar_store *avatar_store;
	struct jc_recordings *recordings;
	struct jc_moderation *moderation;
	struct jc_invitations *invitations;      /* NULL: there is no state directory */
	struct jc_config_objects config_objects; /* skeletons and bodies of the configuration */
	struct jc_reload reload;
	struct jc_services services;
	struct jc_http http;
	struct jc_control control;
	struct jc_cluster *cluster; /* NULL: the daemon is alone */
	struct jc_server *server;
	struct jc_drain drain;
	struct jc_ticker ticker;
	struct jc_notify notify;
	uv_signal_t terminate, interrupt, hangup;
};

/* Checks app->config, which the caller has set, as a start does: reads all files that it names,
 * opens no socket and writes nothing. Logs the error, or the warnings of a start. Returns the exit
 * status of the process. */
int jc_app_check(struct jc_app *app);

/* Runs with app->config, which the caller has set, until a signal ends it; SIGHUP reloads the
 * configuration. Returns the exit status of the process. */
int jc_app_run(struct jc_app *app, const struct jc_options *options, const char *web_root,
	const char *version);

#endif
