/* space "NAME" {}: open from the start. */
#include "config/section.h"

static int judge_section(cfg_t *root, cfg_opt_t *option)
{
	return jc_section_judge_space_name(root, cfg_title(jc_section_last(option)));
}

static int take(cfg_t *parser, struct jc_config *config, struct jc_diagnostic *diagnostic)
{
	int status = JC_OK;

	for (unsigned i = 0; status == JC_OK && i < cfg_size(parser, "space"); i++) {
		status = jc_config_add_space(
			config, cfg_title(cfg_getnsec(parser, "space", i)), diagnostic);
	}
	return status;
}

static const cfg_opt_t keys[] = {
	CFG_END(),
};

static const struct jc_section_judge judges[] = {
	{ "space", judge_section },
	{ NULL, NULL },
};

const struct jc_section jc_section_space = {
	.name = "space",
	.flags = CFGF_TITLE | CFGF_MULTI,
	.keys = keys,
	.judges = judges,
	.take = take,
};
