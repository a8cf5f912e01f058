/* proxy {}: where a proxy that speaks TLS reaches it. */
#include "config/section.h"

static int take(cfg_t *parser, struct jc_config *config, struct jc_diagnostic *diagnostic)
{
	const char *listen = cfg_getstr(parser, "proxy|listen");

	config->proxy.forwarded = cfg_getbool(parser, "proxy|forwarded");
	return listen ? jc_config_parse_address(listen, &config->proxy.listen, diagnostic) : JC_OK;
}

static const cfg_opt_t keys[] = {
	CFG_STR("listen", NULL, CFGF_NODEFAULT),
	CFG_BOOL("forwarded", cfg_false, CFGF_NONE),
	CFG_END(),
};

static const struct jc_section_judge judges[] = {
	{ "proxy|listen", jc_section_judge_address },
	{ NULL, NULL },
};

const struct jc_section jc_section_proxy = {
	.name = "proxy",
	.flags = CFGF_NONE,
	.keys = keys,
	.judges = judges,
	.take = take,
};
