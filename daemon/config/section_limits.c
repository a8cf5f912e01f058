/* limits {}: how much of it clients get. */
#include "config/section.h"

static int judge_connections(cfg_t *section, cfg_opt_t *option)
{
	return jc_section_judge_range(section, option, 1, JC_MAX_CONNECTIONS);
}

static int judge_percent(cfg_t *section, cfg_opt_t *option)
{
	return jc_section_judge_range(section, option, 1, 100);
}

static int judge_rewind_seconds(cfg_t *section, cfg_opt_t *option)
{
	return jc_section_judge_range(section, option, 0, JC_MAX_REWIND_SECONDS);
}

static int judge_rewind_bytes(cfg_t *section, cfg_opt_t *option)
{
	return jc_section_judge_range(section, option, 65536, JC_MAX_REWIND_BYTES);
}

static int judge_bodies(cfg_t *section, cfg_opt_t *option)
{
	return jc_section_judge_range(section, option, 1, JC_MAX_CONNECTIONS);
}

static int take(cfg_t *parser, struct jc_config *config, struct jc_diagnostic *diagnostic)
{
	(void)diagnostic;
	jc_section_take_number(parser, "limits|connections", &config->connections);
	jc_section_take_number(
		parser, "limits|connections_per_address", &config->connections_per_address);
	jc_section_take_number(
		parser, "limits|connections_per_subject", &config->connections_per_subject);
	jc_section_take_number(parser, "limits|bodies_per_person", &config->bodies_per_person);
	jc_section_take_number(parser, "limits|control_percent", &config->control_percent);
	jc_section_take_number(
		parser, "limits|control_percent_per_address", &config->control_percent_per_address);
	jc_section_take_number(
		parser, "limits|control_percent_per_client", &config->control_percent_per_client);
	jc_section_take_number(parser, "limits|rewind_seconds", &config->rewind_seconds);
	jc_section_take_number(parser, "limits|rewind_bytes", &config->rewind_bytes);
	return JC_OK;
}

static const cfg_opt_t keys[] = {
	CFG_INT("connections", 0, CFGF_NODEFAULT),
	CFG_INT("connections_per_address", 0, CFGF_NODEFAULT),
	CFG_INT("connections_per_subject", 0, CFGF_NODEFAULT),
	CFG_INT("bodies_per_person", 0, CFGF_NODEFAULT),
	CFG_INT("control_percent", 0, CFGF_NODEFAULT),
	CFG_INT("control_percent_per_address", 0, CFGF_NODEFAULT),
	CFG_INT("control_percent_per_client", 0, CFGF_NODEFAULT),
	CFG_INT("rewind_seconds", 0, CFGF_NODEFAULT),
	CFG_INT("rewind_bytes", 0, CFGF_NODEFAULT),
	CFG_END(),
};

static const struct jc_section_judge judges[] = {
	{ "limits|connections", judge_connections },
	{ "limits|connections_per_address", judge_connections },
	{ "limits|connections_per_subject", judge_connections },
	{ "limits|bodies_per_person", judge_bodies },
	{ "limits|control_percent", judge_percent },
	{ "limits|control_percent_per_address", judge_percent },
	{ "limits|control_percent_per_client", judge_percent },
	{ "limits|rewind_seconds", judge_rewind_seconds },
	{ "limits|rewind_bytes", judge_rewind_bytes },
	{ NULL, NULL },
};

const struct jc_section jc_section_limits = {
	.name = "limits",
	.flags = CFGF_NONE,
	.keys = keys,
	.judges = judges,
	.take = take,
};
