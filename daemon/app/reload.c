/* Nothing is touched before everything has been read. */
#include "app/reload.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "app/open_spaces.h"
#include "app/ports.h"
#include "base/clock.h"
#include "config/secret_files.h"

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_texts(char *const a[], size_t a_count, char *const b[], size_t b_count)
{
	for (size_t i = 0; i < a_count && a_count == b_count; i++) {
		if (!same_text(a[i], b[i])) {
			return false;
		}
	}
	return a_count == b_count;
}

static bool same_settings(const struct jc_record_settings *a, const struct jc_record_settings *b)
{
	return same_text(a->folder, b->folder) && a->raw == b->raw &&
	       a->transforms == b->transforms && a->packets == b->packets && a->sync == b->sync &&
	       a->split_s == b->split_s && a->split_bytes == b->split_bytes &&
	       a->keep_days == b->keep_days && a->keep_bytes == b->keep_bytes;
}

static bool same_recording(const struct jc_config *a, const struct jc_config *b)
{
	const struct jc_config_texts *x = &a->recorded_spaces, *y = &b->recorded_spaces;

	return same_settings(&a->recording, &b->recording) &&
	       same_texts(x->texts, x->count, y->texts, y->count);
}

static void say_what_takes_a_start(const struct jc_reload *reload)
{
	const struct jc_config *config = reload->options.config;
	const struct jc_config *next = &reload->next;
	const struct {
		const char *what;
		bool same;
	} parts[] = {
		{ "listen", memcmp(&config->listen, &next->listen, sizeof(next->listen)) == 0 },
		{ "the admin listener",
			memcmp(&config->admin, &next->admin, sizeof(next->admin)) == 0 },
		{ "tls { listen }", memcmp(&config->tls.listen, &next->tls.listen,
					    sizeof(next->tls.listen)) == 0 },
		{ "proxy { listen }", memcmp(&config->proxy.listen, &next->proxy.listen,
					      sizeof(next->proxy.listen)) == 0 },
		{ "the state directory", same_text(config->state, next->state) },
		{ "more connections", next->connections <= config->connections },
		{ "vmc_out", same_texts(config->sinks, config->sink_count, next->sinks,
				     next->sink_count) },
		{ "recording", same_recording(config, next) },
	};

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (!parts[i].same) {
			jc_log_write(reload->options.log, JC_LOG_WARNING,
				"%s: changed with the next start, not now", parts[i].what);
		}
	}
}

static void swap(void *a, void *b, size_t size)
{
	unsigned char *x = a;
	unsigned char *y = b;

	for (size_t i = 0; i < size; i++) {
		unsigned char kept = x[i];

		x[i] = y[i];
		y[i] = kept;
	}
}

#define SWAP(member) swap(&config->member, &next->member, sizeof(config->member))

/* What counts from now on; `next` is left with what counted before. */
static void take_over(struct jc_config *config, struct jc_config *next)
{
	SWAP(tls.certificate);
	SWAP(tls.key);
	SWAP(tls.development);
	SWAP(proxy.forwarded);
	SWAP(web_root);
	SWAP(hosts);
	SWAP(origins);
	SWAP(audience);
	SWAP(keys);
	SWAP(key_count);
	SWAP(connections_per_address);
	SWAP(connections_per_subject);
	SWAP(bodies_per_person);
	SWAP(control_percent);
	SWAP(control_percent_per_address);
	SWAP(control_percent_per_client);
	SWAP(rewind_seconds);
	SWAP(rewind_bytes);
	SWAP(policy);
	SWAP(spaces);
	SWAP(space_count);
	SWAP(skeletons);
	SWAP(skeleton_count);
	SWAP(sources);
	SWAP(source_count);
	if (next->connections < config->connections) {
		SWAP(connections);
	}
}

static int apply(struct jc_reload *reload)
{
	const struct jc_reload_options *options = &reload->options;
	const struct jc_config_target place = {
		.config_objects = options->config_objects,
		.loop = options->loop,
		.spaces = options->spaces,
		.state = options->config->state,
		.opening = { .log = options->log,
			.start_ns = jc_clock_now_ns(),
			.epoch_ns = options->spaces->clock.epoch_ns },
	};
	struct jc_diagnostic ignored = { 0 };
	int status =
		jc_open_spaces(options->spaces, &reload->next, options->log, &reload->diagnostic);

	if (status != JC_OK) {
		return status;
	}
	status = jc_config_diff_apply(&reload->diff, &place, &reload->diagnostic);
	if (status != JC_OK) {
		jc_open_spaces(options->spaces, options->config, options->log, &ignored);
	}
	return status;
}

static void say_what_happened(const struct jc_reload *reload)
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

static void say_why_not(const struct jc_reload *reload)
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
		say_why_not(reload);
		return;
	}
	say_what_takes_a_start(reload);
	take_over(options->config, &reload->next);
	swap(&options->auth_policy->keyring, &reload->auth_policy.keyring,
		sizeof(reload->auth_policy.keyring));
	jc_identity_say(&reload->identity, options->log);
	jc_server_show(options->server, reload->identity.certificate);
	reload->identity.certificate = NULL;
	jc_auth_policy_warn(options->auth_policy, options->log);
	jc_secret_files_warn(options->config, options->log);
	say_what_happened(reload);
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

/* Reads the file and the keys that it names. */
static int begin(struct jc_reload *reload)
{
	const struct jc_reload_options *options = &reload->options;
	int status = jc_options_configure(
		options->options, options->web_root, &reload->next, &reload->diagnostic);

	if (status != JC_OK) {
		return status;
	}
	status = jc_ports_judge(&reload->next, options->server, &reload->diagnostic);
	if (status == JC_OK) {
		status = jc_auth_policy_init(
			&reload->auth_policy, &reload->next, &reload->diagnostic);
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
		say_why_not(reload);
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
