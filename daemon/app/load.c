/* Creates the objects that the configuration describes: spaces, skeletons, bodies, targets of VMC,
 * OSC and recordings. */
#include "app/load.h"

#include "record/recordings.h"
#include "sink/osc_sink.h"

#define ALWAYS "lobby"

/* is_named: by the configuration. */
static int open_space(struct jc_spaces *spaces, const char *name, bool is_named,
	const struct jc_space_policy *policy, const struct jc_log *log,
	struct jc_diagnostic *diagnostic)
{
	struct jc_fanout *fanout = jc_spaces_find(spaces, name);
	bool is_default = !is_named && (!fanout || fanout->is_default);
	int status = jc_spaces_configure(spaces, name, policy, &fanout);

	if (status != JC_OK) {
		return jc_diagnose(diagnostic, status, NULL, "cannot open space '%s': %s", name,
			jc_error_name(status));
	}
	fanout->is_default = is_default;
	if (jc_space_options(fanout->space)->hz != policy->hz) {
		jc_log_write(log, JC_LOG_WARNING,
			"the rate of space '%s': the change takes effect at the next start", name);
	}
	return JC_OK;
}

int jc_load_spaces(struct jc_spaces *spaces, const struct jc_config *config,
	const struct jc_log *log, struct jc_diagnostic *diagnostic)
{
	/* The spaces of an edge are those of origins. */
	bool has_always = !jc_config_is_edge(config);
	size_t count = spaces->count + (has_always && !jc_spaces_find(spaces, ALWAYS));

	for (size_t i = 0; i < config->space_count; i++) {
		count += !jc_spaces_find(spaces, config->spaces[i]->name);
	}
	if (count > JC_MAX_SPACES) {
		return jc_diagnose(
			diagnostic, JC_ERROR_LIMIT, NULL, "more than %u spaces", JC_MAX_SPACES);
	}
	jc_spaces_reset(spaces, &config->policy);
	int status = has_always ? open_space(spaces, ALWAYS, false,
					  jc_config_space_policy(config, ALWAYS), log, diagnostic)
				: JC_OK;

	for (size_t i = 0; status == JC_OK && i < config->space_count; i++) {
		const struct jc_config_space *space = config->spaces[i];

		status = open_space(spaces, space->name, true, &space->policy, log, diagnostic);
	}
	return status;
}

/* Whether a VMC target has its body, which may be waiting; without a name, any one. */
static bool has_body(const struct jc_space *space, const char *name)
{
	return name[0] ? jc_space_named(space, name) != NULL
		       : jc_space_body_count(space) + jc_space_waiting_count(space) > 0;
}

static int load_sink(const struct jc_load *load, const char *text, bool is_trackers)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_osc_target target;
	struct jc_fanout *fanout;
	struct jc_sink *sink;
	int status = (is_trackers ? jc_osc_target_parse_trackers : jc_osc_target_parse_vmc)(
		text, &target, &diagnostic);

	if (status != JC_OK) {
		jc_log_diagnostic(load->log, NULL, &diagnostic);
		return status;
	}
	status = jc_spaces_open(load->spaces, target.space, &fanout);
	if (status != JC_OK) {
		jc_diagnose(&diagnostic, status, NULL, "cannot open space '%s': %s", target.space,
			jc_error_name(status));
	} else if (!load->is_check) {
		status = jc_osc_sink_create(&target, load->log, &sink, &diagnostic);
	}
	if (status != JC_OK) {
		jc_log_diagnostic(load->log, text, &diagnostic);
		return status;
	}
	if (load->is_check) {
		return JC_OK;
	}
	if (!has_body(fanout->space, target.body)) {
		jc_log_write(load->log, JC_LOG_WARNING, "%s %s: space '%s' has no body%s%s%s yet",
			is_trackers ? "osc-out" : "vmc-out", text, target.space,
			target.body[0] ? " '" : "", target.body, target.body[0] ? "'" : "");
	}
	jc_space_add_sink(fanout->space, sink);
	return JC_OK;
}

static int record(const struct jc_load *load, const char *space,
	const struct jc_record_settings *settings, const char *subject)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_fanout *fanout;
	int status = jc_spaces_open(load->spaces, space, &fanout);

	if (status != JC_OK) {
		jc_diagnose(&diagnostic, status, NULL, "cannot open space '%s': %s", space,
			jc_error_name(status));
	} else {
		status = jc_recordings_begin(
			load->recordings, fanout->space, settings, NULL, &diagnostic);
	}
	if (status != JC_OK) {
		jc_log_diagnostic(load->log, subject, &diagnostic);
	}
	return status;
}

/* The folder of the first --record option is also the folder of recordings that clients start, if
 * the configuration has no folder. */
static int load_record(const struct jc_load *load, const struct jc_config *config, const char *text)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_record_target target;
	int status = jc_record_target_parse(text, &config->recording, &target, &diagnostic);

	if (status == JC_OK && !jc_recordings_settings(load->recordings)->folder[0]) {
		status = jc_recordings_set(load->recordings, &target.settings, &diagnostic);
	} else if (status == JC_OK) {
		status =
			jc_recordings_repair(load->recordings, target.settings.folder, &diagnostic);
	}
	if (status != JC_OK) {
		jc_log_diagnostic(load->log, text, &diagnostic);
		return status;
	}
	return record(load, target.space, &target.settings, text);
}

static int load_recordings(const struct jc_load *load, const struct jc_config *config)
{
	struct jc_diagnostic diagnostic = { 0 };
	int status = jc_recordings_set(load->recordings, &config->recording, &diagnostic);

	if (status != JC_OK) {
		jc_log_diagnostic(load->log, "recording", &diagnostic);
	}
	for (size_t i = 0; status == JC_OK && i < config->recorded_spaces.count; i++) {
		status = record(load, config->recorded_spaces.texts[i], NULL, "recording");
	}
	for (size_t i = 0; status == JC_OK && i < config->records.count; i++) {
		status = load_record(load, config, config->records.texts[i]);
	}
	return status;
}

/* At the start, every entry is new. */
static int load_objects(const struct jc_load *load, const struct jc_config *config)
{
	static const struct jc_config nothing;
	const struct jc_config_target place = {
		.config_objects = load->config_objects,
		.spaces = load->spaces,
		.avatars = load->avatars,
		.loop = load->loop,
		.state = load->state,
		.is_check = load->is_check,
		.opening = { .log = load->log,
			.start_ns = load->spaces->start_ns,
			.epoch_ns = load->spaces->clock.epoch_ns,
			.spaces = load->spaces },
	};
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_config_diff diff;

	jc_config_diff_init(&diff, &nothing, config);
	int status = jc_config_diff_prepare(&diff, &diagnostic);

	if (status == JC_OK) {
		status = jc_config_diff_apply(&diff, &place, &diagnostic);
	}
	if (status != JC_OK) {
		jc_log_diagnostic(load->log, diff.subject, &diagnostic);
	}
	jc_config_diff_finish(&diff);
	return status;
}

int jc_load(const struct jc_load *load, const struct jc_config *config)
{
	struct jc_diagnostic diagnostic = { 0 };
	int status = jc_load_spaces(load->spaces, config, load->log, &diagnostic);

	if (status != JC_OK) {
		jc_log_diagnostic(load->log, NULL, &diagnostic);
	}
	if (status == JC_OK) {
		status = load_objects(load, config);
	}
	for (size_t i = 0; status == JC_OK && i < config->sink_count; i++) {
		status = load_sink(load, config->sinks[i].target, false);
	}
	for (size_t i = 0; status == JC_OK && i < config->osc_sink_count; i++) {
		status = load_sink(load, config->osc_sinks[i].target, true);
	}
	return status == JC_OK ? load_recordings(load, config) : status;
}
