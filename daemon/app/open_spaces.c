/* Whether there is room for them all is found out before the first is opened. */
#include "app/open_spaces.h"

#define ALWAYS "lobby"

static int open_space(struct jc_spaces *spaces, const char *name,
	const struct jc_space_policy *policy, const struct jc_log *log,
	struct jc_diagnostic *diagnostic)
{
	struct jc_fanout *fanout;
	int status = jc_spaces_configure(spaces, name, policy, &fanout);

	if (status != JC_OK) {
		return jc_diagnose(diagnostic, status, NULL, "cannot open space '%s': %s", name,
			jc_error_name(status));
	}
	if (jc_space_options(fanout->space)->hz != policy->hz) {
		jc_log_write(log, JC_LOG_WARNING,
			"the rate of space '%s': the change takes effect at the next start", name);
	}
	return JC_OK;
}

int jc_open_spaces(struct jc_spaces *spaces, const struct jc_config *config,
	const struct jc_log *log, struct jc_diagnostic *diagnostic)
{
	size_t count = spaces->count + !jc_spaces_find(spaces, ALWAYS);

	for (size_t i = 0; i < config->space_count; i++) {
		count += !jc_spaces_find(spaces, config->spaces[i]->name);
	}
	if (count > JC_MAX_SPACES) {
		return jc_diagnose(
			diagnostic, JC_ERROR_LIMIT, NULL, "more than %u spaces", JC_MAX_SPACES);
	}
	jc_spaces_reset(spaces, &config->policy);
	int status =
		open_space(spaces, ALWAYS, jc_config_space_policy(config, ALWAYS), log, diagnostic);

	for (size_t i = 0; status == JC_OK && i < config->space_count; i++) {
		const struct jc_config_space *space = config->spaces[i];

		status = open_space(spaces, space->name, &space->policy, log, diagnostic);
	}
	return status;
}
