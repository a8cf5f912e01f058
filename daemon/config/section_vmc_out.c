/* vmc_out "NAME" {}: a body that is sent to a VMC program. */
#include "config/section.h"

#include "sink/sink_target.h"

static int judge_target(cfg_t *section, cfg_opt_t *option)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_sink_target target;

	return jc_section_judged(section,
		jc_sink_target_parse(jc_section_text(option), &target, &diagnostic), &diagnostic);
}

static int judge_section(cfg_t *root, cfg_opt_t *option)
{
	return jc_section_judge_has(root, option, "target");
}

static int take(cfg_t *parser, struct jc_config *config, struct jc_diagnostic *diagnostic)
{
	int status = JC_OK;

	for (unsigned i = 0; status == JC_OK && i < cfg_size(parser, "vmc_out"); i++) {
		status = jc_config_add_sink(config,
			cfg_getstr(cfg_getnsec(parser, "vmc_out", i), "target"), diagnostic);
	}
	return status;
}

static const cfg_opt_t keys[] = {
	CFG_STR("target", NULL, CFGF_NODEFAULT),
	CFG_END(),
};

static const struct jc_section_judge judges[] = {
	{ "vmc_out", judge_section },
	{ "vmc_out|target", judge_target },
	{ NULL, NULL },
};

const struct jc_section jc_section_vmc_out = {
	.name = "vmc_out",
	.flags = CFGF_TITLE | CFGF_MULTI,
	.keys = keys,
	.judges = judges,
	.take = take,
};
