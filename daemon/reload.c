/* Nothing is touched before everything has been read. */
#include "reload.h"

#include <string.h>

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_skeletons(const struct jc_config *a, const struct jc_config *b)
{
	for (size_t i = 0; i < a->skeleton_count && a->skeleton_count == b->skeleton_count; i++) {
		if (!same_text(a->skeletons[i].name, b->skeletons[i].name) ||
			!same_text(a->skeletons[i].path, b->skeletons[i].path) ||
			a->skeletons[i].index != b->skeletons[i].index) {
			return false;
		}
	}
	return a->skeleton_count == b->skeleton_count;
}

static bool same_sources(const struct jc_config *a, const struct jc_config *b)
{
	for (size_t i = 0; i < a->source_count && a->source_count == b->source_count; i++) {
		const struct jc_config_source *x = &a->sources[i];
		const struct jc_config_source *y = &b->sources[i];

		if (!same_text(x->uri, y->uri) || !same_text(x->name, y->name) ||
			!same_text(x->space, y->space) || !same_text(x->skeleton, y->skeleton)) {
			return false;
		}
	}
	return a->source_count == b->source_count;
}

static bool same_sinks(const struct jc_config *a, const struct jc_config *b)
{
	for (size_t i = 0; i < a->sink_count && a->sink_count == b->sink_count; i++) {
		if (!same_text(a->sinks[i], b->sinks[i])) {
			return false;
		}
	}
	return a->sink_count == b->sink_count;
}

static void say_what_takes_a_start(const struct jc_reload *reload, const struct jc_config *next)
{
	const struct jc_config *config = reload->config;
	const struct {
		const char *what;
		bool same;
	} parts[] = {
		{ "listen", memcmp(&config->listen, &next->listen, sizeof(next->listen)) == 0 },
		{ "the state directory", same_text(config->state, next->state) },
		{ "more connections", next->connections <= config->connections },
		{ "skeletons", same_skeletons(config, next) },
		{ "sources", same_sources(config, next) },
		{ "vmc_out", same_sinks(config, next) },
	};

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (!parts[i].same) {
			jc_log_write(reload->log, JC_LOG_WARNING,
				"%s: changed with the next start, not now", parts[i].what);
		}
	}
}

/* They are open already where the configuration had them before. */
static int open_spaces(const struct jc_reload *reload, const struct jc_config *next)
{
	struct jc_fanout *fanout;
	int status = JC_OK;

	for (size_t i = 0; i < next->space_count && status == JC_OK; i++) {
		status = jc_spaces_open(reload->spaces, next->spaces[i], &fanout);
		if (status != JC_OK) {
			jc_log_write(reload->log, JC_LOG_ERROR, "cannot open space '%s': %s",
				next->spaces[i], jc_error_name(status));
		}
	}
	return status;
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
	SWAP(web_root);
	SWAP(hosts);
	SWAP(origins);
	SWAP(audience);
	SWAP(keys);
	SWAP(key_count);
	SWAP(connections_per_address);
	if (next->connections < config->connections) {
		SWAP(connections);
	}
}

int jc_reload(const struct jc_reload *reload)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_config next;
	struct jc_gate gate;
	int status = jc_options_configure(reload->options, reload->web_root, &next, &diagnostic);

	if (status != JC_OK) {
		jc_log_diagnostic(reload->log, "the configuration stays as it was", &diagnostic);
		return status;
	}
	status = jc_gate_init(&gate, &next, &diagnostic);
	if (status != JC_OK) {
		jc_log_diagnostic(reload->log, "the configuration stays as it was", &diagnostic);
	} else {
		status = open_spaces(reload, &next);
	}
	if (status == JC_OK) {
		say_what_takes_a_start(reload, &next);
		take_over(reload->config, &next);
		swap(&reload->gate->keyring, &gate.keyring, sizeof(gate.keyring));
		jc_gate_warn(reload->gate, reload->log);
		jc_log_write(reload->log, JC_LOG_INFO, "the configuration was read again");
	}
	jc_gate_finish(&gate);
	jc_config_finish(&next);
	return status;
}
