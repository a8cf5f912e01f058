/* source "NAME" {}: a body, and what delivers it. */
#include "config/section.h"

#include <string.h>

#include "source/source_uri.h"

static int judge_uri(cfg_t *section, cfg_opt_t *option)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_source_uri uri;

	return jc_section_judged(section,
		jc_source_uri_parse(jc_section_text(option), &uri, &diagnostic), &diagnostic);
}

static int judge_space(cfg_t *section, cfg_opt_t *option)
{
	return jc_section_judge_space_name(section, jc_section_text(option));
}

static int judge_section(cfg_t *root, cfg_opt_t *option)
{
	const char *title = cfg_title(jc_section_last(option));

	if (!*title || strlen(title) >= JC_MAX_BODY_NAME) {
		cfg_error(root, "a name has 1 to %u bytes, not '%s'", JC_MAX_BODY_NAME - 1, title);
		return -1;
	}
	return jc_section_judge_has(root, option, "uri");
}

static int take(cfg_t *parser, struct jc_config *config, struct jc_diagnostic *diagnostic)
{
	int status = JC_OK;

	for (unsigned i = 0; status == JC_OK && i < cfg_size(parser, "source"); i++) {
		cfg_t *section = cfg_getnsec(parser, "source", i);
		struct jc_config_source source = { .uri = cfg_getstr(section, "uri"),
			.name = (char *)cfg_title(section),
			.space = cfg_getstr(section, "space"),
			.skeleton = cfg_getstr(section, "skeleton") };

		status = jc_config_add_source(config, &source, diagnostic);
	}
	return status;
}

static const cfg_opt_t keys[] = {
	CFG_STR("uri", NULL, CFGF_NODEFAULT),
	CFG_STR("space", NULL, CFGF_NODEFAULT),
	CFG_STR("skeleton", NULL, CFGF_NODEFAULT),
	CFG_END(),
};

static const struct jc_section_judge judges[] = {
	{ "source", judge_section },
	{ "source|uri", judge_uri },
	{ "source|space", judge_space },
	{ NULL, NULL },
};

const struct jc_section jc_section_source = {
	.name = "source",
	.flags = CFGF_TITLE | CFGF_MULTI,
	.keys = keys,
	.judges = judges,
	.take = take,
};
