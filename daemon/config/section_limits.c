/* limits {}: how much of it clients get. */
#include "config/section.h"

static int judge_connections(cfg_t *section, cfg_opt_t *option)
{
	return jc_section_judge_range(section, option, 1, JC_MAX_CONNECTIONS);
}

static int take(cfg_t *parser, struct jc_config *config, struct jc_diagnostic *diagnostic)
{
	(void)diagnostic;
	jc_section_take_number(parser, "limits|connections", &config->connections);
	jc_section_take_number(
		parser, "limits|connections_per_address", &config->connections_per_address);
	return JC_OK;
}

static const cfg_opt_t keys[] = {
	CFG_INT("connections", 0, CFGF_NODEFAULT),
	CFG_INT("connections_per_address", 0, CFGF_NODEFAULT),
	CFG_END(),
};

static const struct jc_section_judge judges[] = {
	{ "limits|connections", judge_connections },
	{ "limits|connections_per_address", judge_connections },
	{ NULL, NULL },
};

const struct jc_section jc_section_limits = {
	.name = "limits",
	.flags = CFGF_NONE,
	.keys = keys,
	.judges = judges,
	.take = take,
};
