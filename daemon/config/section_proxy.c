/* proxy {}: where a proxy that speaks TLS reaches it. */
#include "config/section.h"

static int judge_listen(cfg_t *section, cfg_opt_t *option)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct sockaddr_storage address;

	return jc_section_judged(section,
		jc_config_parse_address(jc_section_text(option), &address, &diagnostic),
		&diagnostic);
}

static int take(cfg_t *parser, struct jc_config *config, struct jc_diagnostic *diagnostic)
{
	const char *listen = cfg_getstr(parser, "proxy|listen");

	return listen ? jc_config_parse_address(listen, &config->proxy, diagnostic) : JC_OK;
}

static const cfg_opt_t keys[] = {
	CFG_STR("listen", NULL, CFGF_NODEFAULT),
	CFG_END(),
};

static const struct jc_section_judge judges[] = {
	{ "proxy|listen", judge_listen },
	{ NULL, NULL },
};

const struct jc_section jc_section_proxy = {
	.name = "proxy",
	.flags = CFGF_NONE,
	.keys = keys,
	.judges = judges,
	.take = take,
};
