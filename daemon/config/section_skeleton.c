/* skeleton "NAME" {}: what sources wear. */
#include "config/section.h"

static int judge_section(cfg_t *root, cfg_opt_t *option)
{
	return jc_section_judge_has(root, option, "file");
}

static int take(cfg_t *parser, struct jc_config *config, struct jc_diagnostic *diagnostic)
{
	int status = JC_OK;

	for (unsigned i = 0; status == JC_OK && i < cfg_size(parser, "skeleton"); i++) {
		cfg_t *section = cfg_getnsec(parser, "skeleton", i);

		status = jc_config_add_skeleton(
			config, cfg_title(section), cfg_getstr(section, "file"), diagnostic);
	}
	return status;
}

static const cfg_opt_t keys[] = {
	CFG_STR("file", NULL, CFGF_NODEFAULT),
	CFG_END(),
};

static const struct jc_section_judge judges[] = {
	{ "skeleton", judge_section },
	{ NULL, NULL },
};

const struct jc_section jc_section_skeleton = {
	.name = "skeleton",
	.flags = CFGF_TITLE | CFGF_MULTI,
	.keys = keys,
	.judges = judges,
	.take = take,
};
