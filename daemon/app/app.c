/* Runs the daemon. Ports are opened last: a daemon that listens also works. */
#include "app/app.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/descriptors.h"
#include "app/identity.h"
#include "app/load.h"
#include "app/ports.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/job.h"
#include "base/process.h"
#include "control/moderate.h"
#include "invitation/invitations.h"
#include "moderation/moderation.h"
#include "notify/journal.h"
#include "registry/registry.h"
#include "replay/rewind_buffer.h"

enum { EXIT_OK = 0, EXIT_INPUT = 1, EXIT_IO = 3 };

static int64_t on_due(void *context, int64_t now_ns)
{
	struct jc_app *app = context;

	jc_rewind_buffer_follow(&app->spaces, app->config.rewind_seconds, app->config.rewind_bytes);
	jc_spaces_tick(&app->spaces, now_ns);
	jc_spaces_sweep(&app->spaces, now_ns);
	jc_avatar_store_sweep(app->avatar_store, now_ns);
	jc_notify_tick(&app->notify, &app->spaces, now_ns);
	return jc_spaces_due_ns(&app->spaces);
}

static void on_ticker_closed(void *context)
{
	(void)context;
}

static void on_server_stopped(void *context)
{
	struct jc_app *app = context;

	uv_close((uv_handle_t *)&app->terminate, NULL);
	uv_close((uv_handle_t *)&app->interrupt, NULL);
	uv_close((uv_handle_t *)&app->hangup, NULL);
	jc_cluster_stop(app->cluster);
	jc_drain_close(&app->drain);
	/* No client is left that could moderate or invite. */
	jc_moderation_stop(app->moderation);
	jc_invitations_stop(app->invitations);
}

/* Motion ends, and with it everything. */
static void stop(struct jc_app *app)
{
	jc_ticker_close(&app->ticker, on_ticker_closed);
	jc_cluster_leave(app->cluster);
	jc_drain_stop(&app->drain);
	jc_server_stop(app->server, on_server_stopped, app);
	jc_registry_stop(app->registry);
	jc_avatar_store_stop(app->avatar_store);
}

static void on_drained(void *context)
{
	stop(context);
}

static void on_signal(uv_signal_t *signal, int number)
{
	struct jc_app *app = signal->data;
	bool drains = number == SIGTERM && app->config.reuse_port;

	if (uv_is_closing((uv_handle_t *)&app->ticker.poll)) {
		return;
	}
	jc_log_write(&app->log, JC_LOG_INFO, "%s on %s", drains ? "draining" : "stopping",
		number == SIGTERM ? "SIGTERM" : "SIGINT");
	jc_notify_stopping();
	jc_reload_cancel(&app->reload);
	/* A second signal does not wait for clients. */
	if (!drains || !jc_drain_start(&app->drain, on_drained, app)) {
		stop(app);
	}
}

static void on_hangup(uv_signal_t *signal, int number)
{
	struct jc_app *app = signal->data;

	(void)number;
	if (!uv_is_closing((uv_handle_t *)&app->ticker.poll) && !app->server->draining) {
		jc_reload_start(&app->reload);
	}
}

static void on_reload_begun(void *context)
{
	(void)context;
	jc_notify_reloading(jc_clock_now_ns());
}

static void on_reload_done(void *context)
{
	struct jc_app *app = context;

	if (!uv_is_closing((uv_handle_t *)&app->ticker.poll)) {
		/* New bodies are hidden before their first tick. */
		jc_moderate_sweep(&app->control);
		jc_notify_ready();
	}
}

static void watch_signal(
	struct jc_app *app, uv_signal_t *signal, uv_signal_cb on_number, int number)
{
	uv_signal_init(&app->loop, signal);
	signal->data = app;
	uv_signal_start(signal, on_number, number);
}

static void log_ports(const struct jc_app *app)
{
	const struct jc_config *config = &app->config;
	char address[JC_ADDRESS_TEXT];
	enum jc_listener_kind kind;

	if (config->source_count == 0 && !jc_config_is_edge(config)) {
		jc_log_write(&app->log, JC_LOG_WARNING, "no source: space 'lobby' is empty");
	}
	if (access(config->web_root, R_OK | X_OK) != 0) {
		jc_log_write(&app->log, JC_LOG_WARNING, "no viewer: '%s': %s", config->web_root,
			strerror(errno));
	}
	jc_auth_policy_warn(&app->auth_policy, &app->log);
	jc_config_warn_of_secrets(config, &app->log);
	/* The plain port is the first; its line comes last, after those of all others. */
	for (size_t i = JC_MAX_LISTENERS; i > 0; i--) {
		if (jc_server_address(app->server, i - 1, &kind, address)) {
			jc_log_write(&app->log, JC_LOG_INFO,
				kind == JC_LISTENER_ADMIN   ? "status and metrics on %s"
				: kind == JC_LISTENER_TLS   ? "TLS on %s"
				: kind == JC_LISTENER_PROXY ? "behind a proxy on %s"
							    : "listening on %s",
				address);
		}
	}
}

static int open_control(struct jc_app *app, const char *version, struct jc_diagnostic *diagnostic)
{
	app->services = (struct jc_services){ .loop = &app->loop,
		.version = version,
		.config = &app->config,
		.auth_policy = &app->auth_policy,
		.log = &app->log,
		.spaces = &app->spaces,
		.registry = app->registry,
		.avatars = &app->avatars,
		.avatar_store = app->avatar_store,
		.recordings = app->recordings,
		.replays = &app->config_objects.replays,
		.moderation = app->moderation,
		.invitations = app->invitations,
		.state = app->config.state,
		.started_s = jc_process_started_s() };
	app->http = (struct jc_http){ .services = &app->services };
	int status = jc_control_init(&app->control, &app->services);

	return status == JC_OK
		       ? JC_OK
		       : jc_diagnose(diagnostic, status, NULL,
				 status == JC_ERROR_MEMORY ? "out of memory"
							   : "the system has no random bytes");
}

/* Opens ports last: if a step before it fails, no client was ever connected. */
static int open_server(struct jc_app *app, const char *version, struct jc_diagnostic *diagnostic)
{
	struct jc_identity identity;
	struct jc_server_options server = { .certificate_path = identity.certificate_path,
		.key_path = identity.key_path,
		.config = &app->config,
		.log = &app->log,
		.http_ops = &jc_http_ops,
		.http = &app->http,
		.session_ops = &jc_control_ops,
		.control = &app->control };
	int status = open_control(app, version, diagnostic);

	if (status != JC_OK) {
		return status;
	}
	status = jc_cluster_create(&app->services, &app->control, &app->cluster, diagnostic);
	if (status != JC_OK) {
		return status;
	}
	app->services.cluster = app->cluster;
	app->services.cluster_ops = &jc_cluster_ops;
	if (jc_config_is_edge(&app->config)) {
		app->auth_policy.invitations = &jc_cluster_guest_ops;
		app->auth_policy.context = app->cluster;
	}
	status = jc_identity_read(&app->config, &identity, diagnostic);
	if (status == JC_OK) {
		status = jc_ports_open(&app->config, &server, diagnostic);
	}
	if (status != JC_OK) {
		jc_identity_finish(&identity);
		return status;
	}
	jc_identity_log(&identity, &app->log);
	server.certificate = identity.certificate;
	return jc_server_create(&app->loop, &server, &app->server, diagnostic);
}

/* Ticks, and connects to other machines. Logs an error; the daemon then stops. */
static int begin_work(struct jc_app *app)
{
	struct jc_diagnostic diagnostic = { 0 };
	int status = jc_ticker_start(
		&app->ticker, &app->loop, jc_spaces_due_ns(&app->spaces), on_due, app);

	if (status != 0) {
		jc_log_write(&app->log, JC_LOG_ERROR, "cannot tick: %s", uv_strerror(status));
		jc_server_stop(app->server, on_server_stopped, app);
		return JC_ERROR_UNSUPPORTED;
	}
	status = jc_cluster_start(app->cluster, app->server, &diagnostic);
	if (status != JC_OK) {
		jc_log_diagnostic(&app->log, "cluster", &diagnostic);
		jc_ticker_close(&app->ticker, on_ticker_closed);
		jc_server_stop(app->server, on_server_stopped, app);
		return status;
	}
	log_ports(app);
	jc_notify_ready();
	return JC_OK;
}

/* Listens and ticks until a signal ends it. */
static int serve(struct jc_app *app, const char *version)
{
	struct jc_diagnostic diagnostic = { 0 };

	if (open_server(app, version, &diagnostic) != JC_OK) {
		jc_cluster_destroy(app->cluster);
		jc_control_finish(&app->control);
		jc_log_diagnostic(&app->log, NULL, &diagnostic);
		return EXIT_IO;
	}
	jc_reload_init(&app->reload, &(struct jc_reload_options){ .log = &app->log,
					     .options = app->options,
					     .web_root = app->web_root,
					     .config = &app->config,
					     .auth_policy = &app->auth_policy,
					     .invitations = app->invitations,
					     .spaces = &app->spaces,
					     .config_objects = &app->config_objects,
					     .avatars = &app->avatars,
					     .server = app->server,
					     .loop = &app->loop,
					     .on_begun = on_reload_begun,
					     .on_done = on_reload_done,
					     .context = app });
	jc_moderate_sweep(&app->control);
	jc_drain_init(&app->drain, &app->loop, app->server);
	watch_signal(app, &app->terminate, on_signal, SIGTERM);
	watch_signal(app, &app->interrupt, on_signal, SIGINT);
	watch_signal(app, &app->hangup, on_hangup, SIGHUP);

	int status = begin_work(app);

	uv_run(&app->loop, UV_RUN_DEFAULT);
	if (app->spaces.missed > 0) {
		jc_log_write(&app->log, JC_LOG_INFO, "%llu ticks were late",
			(unsigned long long)app->spaces.missed);
	}
	jc_server_destroy(app->server);
	jc_cluster_destroy(app->cluster);
	jc_control_finish(&app->control);
	return status == 0 ? EXIT_OK : EXIT_IO;
}

static int open_registry(struct jc_app *app)
{
	const struct jc_registry_options options = {
		.state = app->config.state,
		.skeleton_table = &app->spaces.skeleton_table,
		.log = &app->log,
		.loop = &app->loop,
		.quotas = {
			.subject = { JC_MAX_REGISTERED_OF_ONE, JC_MAX_REGISTERED_BYTES_OF_ONE },
			.connection = { JC_MAX_REGISTERED_OF_CONNECTION,
				JC_MAX_REGISTERED_BYTES_OF_CONNECTION },
			.address = { JC_MAX_REGISTERED_OF_ADDRESS,
				JC_MAX_REGISTERED_BYTES_OF_ADDRESS },
			.connections = { JC_MAX_REGISTERED_OF_CONNECTIONS,
				JC_MAX_REGISTERED_BYTES_OF_CONNECTIONS },
			.all = { JC_MAX_REGISTERED, JC_MAX_REGISTERED_BYTES },
		},
	};

	return jc_registry_create(&options, &app->registry);
}

static int open_avatar_store(struct jc_app *app)
{
	const struct jc_avatar_store_options options = { .state = app->config.state,
		.policy = &app->config.avatars,
		.avatars = &app->avatars,
		.spaces = &app->spaces,
		.moderation = app->moderation,
		.log = &app->log,
		.loop = &app->loop };

	return jc_avatar_store_create(&options, &app->avatar_store);
}

static int open_moderation(struct jc_app *app, struct jc_diagnostic *diagnostic)
{
	const struct jc_moderation_options options = { .loop = &app->loop,
		.log = &app->log,
		.state = app->config.state,
		.keeps_ended = app->config.cluster.nats && !jc_config_is_edge(&app->config) };

	return jc_moderation_create(&options, &app->moderation, diagnostic);
}

static bool accept_invitation(
	void *context, const struct jc_keyring *keyring, const struct jc_grant *grant)
{
	return jc_invitations_accept(context, keyring, grant->invitation);
}

static const struct jc_auth_invitations_ops invitations_ops = { .accept = accept_invitation };

static int open_invitations(struct jc_app *app, bool is_check, struct jc_diagnostic *diagnostic)
{
	const struct jc_invitations_options options = { .loop = &app->loop,
		.log = &app->log,
		.state = app->config.state,
		.secret = app->config.cluster.secret,
		.now_ns = jc_clock_now_ns() };

	if (!app->config.state || jc_config_is_edge(&app->config)) {
		return JC_OK; /* an edge has the invitations of its origins */
	}
	int status = jc_invitations_create(&options, &app->invitations, diagnostic);

	if (status == JC_OK) {
		app->auth_policy.invitations = &invitations_ops;
		app->auth_policy.context = app->invitations;
		status = jc_invitations_add_key(
			app->invitations, &app->auth_policy.keyring, is_check, diagnostic);
	}
	/* Before any space opens: a person is the same in the next run, also for edges. */
	const uint8_t *people = status == JC_OK ? jc_invitations_people(app->invitations) : NULL;

	if (people) {
		memcpy(app->spaces.people.bytes, people, sizeof(app->spaces.people.bytes));
	}
	return status;
}

/* Creates and loads everything that the configuration describes. A check opens no socket and writes
 * nothing. Logs an error. */
static int load(struct jc_app *app, bool is_check)
{
	const struct jc_config *config = &app->config;
	const struct jc_load load = {
		.log = &app->log,
		.spaces = &app->spaces,
		.config_objects = &app->config_objects,
		.avatars = &app->avatars,
		.loop = &app->loop,
		.recordings = app->recordings,
		.state = config->state,
		.is_check = is_check,
	};
	struct jc_diagnostic diagnostic = { 0 };
	int status = JC_OK;

	if (config->state) {
		status = is_check ? jc_file_check_folder(config->state, &diagnostic)
				  : jc_file_make_folder(config->state, &diagnostic);
	}
	if (status == JC_OK) {
		status = jc_auth_policy_init(&app->auth_policy, config, &diagnostic);
	}
	if (status == JC_OK) {
		status = jc_spaces_init(&app->spaces, &diagnostic);
	}
	if (status == JC_OK) {
		status = jc_cluster_check(config, &diagnostic);
	}
	if (status == JC_OK) {
		status = open_moderation(app, &diagnostic);
	}
	if (status == JC_OK) {
		status = open_invitations(app, is_check, &diagnostic);
	}
	if (status != JC_OK) {
		jc_log_diagnostic(&app->log, NULL, &diagnostic);
		return status;
	}
	return jc_load(&load, config);
}

/* Makes the loop and the recordings, which the rest needs. */
static int begin(struct jc_app *app, bool is_check)
{
	const struct jc_recordings_options recordings = { .loop = &app->loop,
		.clock = &app->spaces.clock,
		.log = &app->log,
		.is_check = is_check };

	return uv_loop_init(&app->loop) == 0 ? jc_recordings_create(&recordings, &app->recordings)
					     : JC_ERROR_MEMORY;
}

/* Returns the exit status: an open handle is a defect, and it replaces `result`. */
static int end(struct jc_app *app, int result)
{
	jc_moderation_destroy(app->moderation);
	jc_invitations_destroy(app->invitations);
	jc_registry_destroy(app->registry);
	jc_recordings_destroy(app->recordings);
	jc_avatar_store_destroy(app->avatar_store);
	jc_avatars_finish(&app->avatars);
	jc_spaces_finish(&app->spaces);
	jc_auth_policy_finish(&app->auth_policy);
	if (uv_loop_close(&app->loop) == 0) {
		return result;
	}
	jc_log_write(&app->log, JC_LOG_ERROR, "some handles were not closed");
	return EXIT_IO;
}

int jc_app_check(struct jc_app *app)
{
	struct jc_diagnostic diagnostic = { 0 };
	int result = EXIT_INPUT;

	jc_log_init(&app->log, STDERR_FILENO, NULL);
	if (begin(app, true) != JC_OK) {
		return EXIT_IO;
	}
	if (load(app, true) == JC_OK) {
		if (jc_identity_check(&app->config, &diagnostic) == JC_OK) {
			result = EXIT_OK;
			jc_auth_policy_warn(&app->auth_policy, &app->log);
			jc_config_warn_of_secrets(&app->config, &app->log);
		} else {
			jc_log_diagnostic(&app->log, NULL, &diagnostic);
		}
	}
	return end(app, result);
}

int jc_app_run(struct jc_app *app, const struct jc_options *options, const char *web_root,
	const char *version)
{
	struct jc_diagnostic diagnostic = { 0 };
	int result = EXIT_INPUT;

	app->options = options;
	app->web_root = web_root;
	if (jc_log_limit_init(&app->log_limit) != 0) {
		return EXIT_IO;
	}
	jc_log_init(&app->log, STDERR_FILENO, getenv("JOURNAL_STREAM"));
	app->log.limit = &app->log_limit;
	jc_journal_attach(&app->log);
	jc_descriptors_limit(&app->log, app->config.connections);
	jc_notify_init(&app->notify);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN); /* a write beyond the file size limit fails with EFBIG */
	if (begin(app, false) != JC_OK) {
		return EXIT_IO;
	}
	if (jc_job_start_pool(&app->loop, &diagnostic) != JC_OK) {
		jc_log_diagnostic(&app->log, NULL, &diagnostic);
		result = EXIT_IO;
	} else if (load(app, false) == JC_OK && open_registry(app) == JC_OK &&
		   open_avatar_store(app) == JC_OK) {
		result = serve(app, version);
	}
	result = end(app, result);
	jc_log_limit_finish(&app->log_limit);
	return result;
}
