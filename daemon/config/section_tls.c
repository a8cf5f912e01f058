/* tls {}: where it listens for TLS, and as whom. */
#include "config/section.h"

static int take(cfg_t *parser, struct jc_config *config, struct jc_diagnostic *diagnostic)
{
	const char *listen = cfg_getstr(parser, "tls|listen");
	const char *certificate = cfg_getstr(parser, "tls|certificate");
	const char *key = cfg_getstr(parser, "tls|key");
	int status = JC_OK;

	config->tls.development = cfg_getbool(parser, "tls|development");
	if (listen) {
		status = jc_config_parse_address(listen, &config->tls.listen, diagnostic);
	}
	if (status == JC_OK && certificate) {
		status = jc_config_set_certificate(config, certificate, diagnostic);
	}
	if (status == JC_OK && key) {
		status = jc_config_set_key(config, key, diagnostic);
	}
	return status;
}

static const cfg_opt_t keys[] = {
	CFG_STR("listen", NULL, CFGF_NODEFAULT),
	CFG_STR("certificate", NULL, CFGF_NODEFAULT),
	CFG_STR("key", NULL, CFGF_NODEFAULT),
	CFG_BOOL("development", cfg_false, CFGF_NONE),
	CFG_END(),
};

static const struct jc_section_judge judges[] = {
	{ "tls|listen", jc_section_judge_address },
	{ NULL, NULL },
};

const struct jc_section jc_section_tls = {
	.name = "tls",
	.flags = CFGF_NONE,
	.keys = keys,
	.judges = judges,
	.take = take,
};
