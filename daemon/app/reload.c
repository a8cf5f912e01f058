/* Reloads the configuration. Everything is read before anything changes. */
#include "app/reload.h"

#include <limits.h>
#include <stdio.h>

#include "app/load.h"
#include "app/ports.h"
#include "base/clock.h"

static void warn_of_restart(void *context, const char *path)
{
	const struct jc_reload *reload = context;

	jc_log_write(reload->options.log, JC_LOG_WARNING,
		"%s: the change takes effect at the next start", path);
}

static int apply(struct jc_reload *reload)
{
	const struct jc_reload_options *options = &reload->options;
	const struct jc_config_target place = {
		.config_objects = options->config_objects,
		.loop = options->loop,
		.spaces = options->spaces,
		.avatars = options->avatars,
		.state = options->config->state,
		.opening = { .log = options->log,
			.start_ns = jc_clock_now_ns(),
			.epoch_ns = options->spaces->clock.epoch_ns,
			.spaces = options->spaces },
	};
	struct jc_diagnostic ignored = { 0 };
	int status =
		jc_load_spaces(options->spaces, &reload->next, options->log, &reload->diagnostic);

	if (status != JC_OK) {
		return status;
	}
	status = jc_config_diff_apply(&reload->diff, &place, &reload->diagnostic);
	if (status != JC_OK) {
		jc_load_spaces(options->spaces, options->config, options->log, &ignored);
	}
	return status;
}

static void log_success(const struct jc_reload *reload)
{
	const struct jc_log *log = reload->options.log;
	size_t skeletons = jc_config_diff_new_skeletons(&reload->diff);
	size_t sources = jc_config_diff_new_sources(&reload->diff);

	if (skeletons + sources > 0) {
		jc_log_write(log, JC_LOG_INFO,
			"new: %zu skeletons and %zu sources, read in %lld ms", skeletons, sources,
			(long long)((jc_clock_now_ns() - reload->begun_ns) / 1000000));
	}
	jc_log_write(log, JC_LOG_INFO, "the configuration was read again");
}

static void log_failure(const struct jc_reload *reload)
{
	char subject[PATH_MAX + 64];

	snprintf(subject, sizeof(subject), "the configuration stays as it was%s%s",
		reload->diff.subject ? ": " : "", reload->diff.subject ? reload->diff.subject : "");
	jc_log_diagnostic(reload->options.log, subject, &reload->diagnostic);
}

static void take(struct jc_reload *reload)
{
	const struct jc_reload_options *options = &reload->options;

	if (reload->status == JC_OK) {
		reload->diff.subject = NULL;
		reload->status = apply(reload);
	}
	if (reload->status != JC_OK) {
		log_failure(reload);
		return;
	}
	jc_config_take_over(options->config, &reload->next, warn_of_restart, reload);

	struct jc_keyring before = options->auth_policy->keyring;

	options->auth_policy->keyring = reload->auth_policy.keyring;
	reload->auth_policy.keyring = before;
	jc_identity_log(&reload->identity, options->log);
	jc_server_show(options->server, reload->identity.certificate);
	reload->identity.certificate = NULL;
	jc_auth_policy_warn(options->auth_policy, options->log);
	jc_config_warn_of_secrets(options->config, options->log);
	log_success(reload);
}

static void on_read(void *data)
{
	struct jc_reload *reload = data;

	reload->status = jc_config_diff_prepare(&reload->diff, &reload->diagnostic);
	if (reload->status == JC_OK) {
		reload->diff.subject = NULL;
		reload->status =
			jc_identity_read(&reload->next, &reload->identity, &reload->diagnostic);
	}
}

static void end(struct jc_reload *reload)
{
	reload->is_running = false;
	reload->options.on_done(reload->options.context);
	if (reload->is_wanted_again && !reload->is_cancelled) {
		reload->is_wanted_again = false;
		jc_reload_start(reload);
	}
}

static void on_read_done(void *data)
{
	struct jc_reload *reload = data;

	if (!reload->is_cancelled) {
		take(reload);
	}
	jc_identity_finish(&reload->identity);
	jc_config_diff_finish(&reload->diff);
	jc_auth_policy_finish(&reload->auth_policy);
	jc_config_finish(&reload->next);
	end(reload);
}

static const struct jc_job_ops reading = { .work = on_read, .done = on_read_done };

/* Reads the file and its keys. */
static int begin(struct jc_reload *reload)
{
	const struct jc_reload_options *options = &reload->options;
	int status = jc_options_configure(
		options->options, options->web_root, &reload->next, &reload->diagnostic);

	if (status != JC_OK) {
		return status;
	}
	status = jc_ports_check(&reload->next, options->server, &reload->diagnostic);
	if (status == JC_OK) {
		status = jc_auth_policy_init(
			&reload->auth_policy, &reload->next, &reload->diagnostic);
	}
	if (status == JC_OK && options->invitations) {
		status = jc_invitations_add_key(options->invitations, &reload->auth_policy.keyring,
			false, &reload->diagnostic);
		if (status != JC_OK) {
			jc_auth_policy_finish(&reload->auth_policy);
		}
	}
	if (status != JC_OK) {
		jc_config_finish(&reload->next);
	}
	return status;
}

void jc_reload_init(struct jc_reload *reload, const struct jc_reload_options *options)
{
	*reload = (struct jc_reload){ .options = *options };
}

void jc_reload_start(struct jc_reload *reload)
{
	if (reload->is_running) {
		reload->is_wanted_again = true;
		return;
	}
	reload->is_running = true;
	reload->begun_ns = jc_clock_now_ns();
	reload->diagnostic = (struct jc_diagnostic){ 0 };
	reload->options.on_begun(reload->options.context);
	if (begin(reload) != JC_OK) {
		reload->diff.subject = NULL;
		log_failure(reload);
		end(reload);
		return;
	}
	jc_config_diff_init(&reload->diff, reload->options.config, &reload->next);
	reload->identity.certificate = NULL;
	jc_job_start(&reload->job, reload->options.loop, &reading, reload);
}

void jc_reload_cancel(struct jc_reload *reload)
{
	reload->is_cancelled = true;
}
