/* What the configuration names, put where it belongs. */
#include "load.h"

#include <string.h>

#include "open_spaces.h"
#include "record/recorder.h"
#include "sink/sink_target.h"
#include "sink/vmc_sink.h"

static bool is_there(const struct jc_space *space, const char *name)
{
	for (size_t i = 0; i < jc_space_body_count(space); i++) {
		if (!name[0] || strcmp(jc_space_body(space, i)->name, name) == 0) {
			return true;
		}
	}
	return false;
}

static int load_sink(const struct jc_load *load, const char *text)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_sink_target target;
	struct jc_fanout *fanout;
	struct jc_sink *sink;
	int status = jc_sink_target_parse(text, &target, &diagnostic);

	if (status != JC_OK) {
		jc_log_diagnostic(load->log, NULL, &diagnostic);
		return status;
	}
	status = jc_spaces_open(load->spaces, target.space, &fanout);
	if (status != JC_OK) {
		jc_diagnose(&diagnostic, status, NULL, "cannot open space '%s': %s", target.space,
			jc_error_name(status));
	} else {
		status = jc_vmc_sink_create(&target, load->log, &sink, &diagnostic);
	}
	if (status != JC_OK) {
		jc_log_diagnostic(load->log, text, &diagnostic);
		return status;
	}
	if (!is_there(fanout->space, target.body)) {
		jc_log_write(load->log, JC_LOG_WARNING,
			"vmc-out %s: space '%s' has no body%s%s%s yet", text, target.space,
			target.body[0] ? " '" : "", target.body, target.body[0] ? "'" : "");
	}
	jc_space_add_sink(fanout->space, sink);
	return JC_OK;
}

static int load_record(const struct jc_load *load, const char *text)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_record_target target;
	struct jc_recorder_options options = { .target = &target,
		.loop = load->loop,
		.clock = &load->spaces->clock,
		.log = load->log };
	struct jc_fanout *fanout;
	struct jc_sink *sink;
	int status = jc_record_target_parse(text, &target, &diagnostic);

	if (status != JC_OK) {
		jc_log_diagnostic(load->log, NULL, &diagnostic);
		return status;
	}
	status = jc_spaces_open(load->spaces, target.space, &fanout);
	if (status != JC_OK) {
		jc_diagnose(&diagnostic, status, NULL, "cannot open space '%s': %s", target.space,
			jc_error_name(status));
	} else {
		options.epoch = jc_space_options(fanout->space)->epoch;
		options.hz = jc_space_options(fanout->space)->hz;
		status = jc_recorder_create(&options, &sink, &diagnostic);
	}
	if (status != JC_OK) {
		jc_log_diagnostic(load->log, text, &diagnostic);
		return status;
	}
	jc_log_write(
		load->log, JC_LOG_INFO, "record '%s': space '%s'", target.folder, target.space);
	jc_space_add_sink(fanout->space, sink);
	return JC_OK;
}

/* Everything is new to a daemon that begins. */
static int load_stock(const struct jc_load *load, const struct jc_config *config)
{
	static const struct jc_config nothing;
	const struct jc_restock_place place = {
		.stock = load->stock,
		.spaces = load->spaces,
		.loop = load->loop,
		.state = load->state,
		.opening = { .log = load->log,
			.start_ns = load->spaces->start_ns,
			.epoch_ns = load->spaces->clock.epoch_ns },
	};
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_restock restock;

	jc_restock_init(&restock, &nothing, config);
	int status = jc_restock_prepare(&restock, &diagnostic);

	if (status == JC_OK) {
		status = jc_restock_apply(&restock, &place, &diagnostic);
	}
	if (status != JC_OK) {
		jc_log_diagnostic(load->log, restock.subject, &diagnostic);
	}
	jc_restock_finish(&restock);
	return status;
}

int jc_load(const struct jc_load *load, const struct jc_config *config)
{
	struct jc_diagnostic diagnostic = { 0 };
	int status = jc_open_spaces(load->spaces, config, load->log, &diagnostic);

	if (status != JC_OK) {
		jc_log_diagnostic(load->log, NULL, &diagnostic);
	}
	if (status == JC_OK) {
		status = load_stock(load, config);
	}
	for (size_t i = 0; status == JC_OK && i < config->sink_count; i++) {
		status = load_sink(load, config->sinks[i]);
	}
	for (size_t i = 0; status == JC_OK && i < config->record_count; i++) {
		status = load_record(load, config->records[i]);
	}
	return status;
}
