/* auth {}: whose tokens are believed. */
#include "config/section.h"

static int judge_algorithm(cfg_t *section, cfg_opt_t *option)
{
	const char *name = jc_section_text(option);

	if (jc_key_algorithm_find(name) >= 0) {
		return 0;
	}
	cfg_error(section, "an algorithm is HS256, RS256 or ES256, not '%s'", name);
	return -1;
}

static int judge_key_section(cfg_t *section, cfg_opt_t *option)
{
	return jc_section_judge_has(section, option, "algorithm") == 0
		       ? jc_section_judge_has(section, option, "file")
		       : -1;
}

static int take_keys(cfg_t *parser, struct jc_config *config, struct jc_diagnostic *diagnostic)
{
	int status = JC_OK;

	for (unsigned i = 0; status == JC_OK && i < cfg_size(parser, "auth|key"); i++) {
		cfg_t *section = cfg_getnsec(parser, "auth|key", i);
		struct jc_config_key key = { .id = (char *)cfg_title(section),
			.algorithm = (enum jc_key_algorithm)jc_key_algorithm_find(
				cfg_getstr(section, "algorithm")),
			.path = cfg_getstr(section, "file"),
			.revoked = cfg_getbool(section, "revoked") };

		status = jc_config_add_key(config, &key, diagnostic);
	}
	return status;
}

static int take(cfg_t *parser, struct jc_config *config, struct jc_diagnostic *diagnostic)
{
	const char *audience = cfg_getstr(parser, "auth|audience");
	int status = audience ? jc_config_set_audience(config, audience, diagnostic) : JC_OK;

	return status == JC_OK ? take_keys(parser, config, diagnostic) : status;
}

static cfg_opt_t key[] = {
	CFG_STR("algorithm", NULL, CFGF_NODEFAULT),
	CFG_STR("file", NULL, CFGF_NODEFAULT),
	CFG_BOOL("revoked", cfg_false, CFGF_NONE),
	CFG_END(),
};

static const cfg_opt_t keys[] = {
	CFG_STR("audience", NULL, CFGF_NODEFAULT),
	CFG_SEC("key", key, CFGF_TITLE | CFGF_MULTI),
	CFG_END(),
};

static const struct jc_section_judge judges[] = {
	{ "auth|key", judge_key_section },
	{ "auth|key|algorithm", judge_algorithm },
	{ NULL, NULL },
};

const struct jc_section jc_section_auth = {
	.name = "auth",
	.flags = CFGF_NONE,
	.keys = keys,
	.judges = judges,
	.take = take,
};
