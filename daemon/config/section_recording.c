/* recording {}: where and how spaces are recorded, and which from the start. */
#include "config/section.h"

#include <string.h>

#include "record/record_target.h"

static const char *const settings[] = { "raw", "transforms", "packets", "sync", "split_seconds",
	"split_bytes", "keep_days", "keep_bytes", NULL };

static int judge_folder(cfg_t *section, cfg_opt_t *option)
{
	const char *folder = jc_section_text(option);

	if (*folder && strlen(folder) < sizeof(((struct jc_record_settings *)0)->folder)) {
		return 0;
	}
	cfg_error(section, "folder is a path, not '%.40s'", folder);
	return -1;
}

static int judge_setting(cfg_t *section, cfg_opt_t *option)
{
	struct jc_record_settings scratch = JC_RECORD_DEFAULTS;
	struct jc_diagnostic diagnostic = { 0 };

	return jc_section_judged(section,
		jc_record_set(&scratch, option->name, jc_section_text(option), &diagnostic),
		&diagnostic);
}

static int judge_spaces(cfg_t *section, cfg_opt_t *option)
{
	return jc_section_judge_space_name(section, jc_section_text(option));
}

static int judge_section(cfg_t *root, cfg_opt_t *option)
{
	cfg_t *section = jc_section_last(option);

	if (cfg_getstr(section, "folder")) {
		return 0;
	}
	cfg_error(root, "recording has no 'folder'");
	return -1;
}

static int take(cfg_t *parser, struct jc_config *config, struct jc_diagnostic *diagnostic)
{
	cfg_t *section = cfg_size(parser, "recording") > 0 ? cfg_getsec(parser, "recording") : NULL;
	const char *folder = section ? cfg_getstr(section, "folder") : NULL;
	int status = JC_OK;

	if (!folder) {
		return JC_OK;
	}
	strcpy(config->recording.folder, folder);
	for (size_t i = 0; settings[i] && status == JC_OK; i++) {
		const char *value = cfg_getstr(section, settings[i]);

		if (value) {
			status = jc_record_set(&config->recording, settings[i], value, diagnostic);
		}
	}
	return status ? status
		      : jc_section_take_texts(
				parser, "recording|spaces", &config->recorded_spaces, diagnostic);
}

static const cfg_opt_t keys[] = {
	CFG_STR("folder", NULL, CFGF_NODEFAULT),
	CFG_STR_LIST("spaces", NULL, CFGF_NODEFAULT),
	CFG_STR("raw", NULL, CFGF_NODEFAULT),
	CFG_STR("transforms", NULL, CFGF_NODEFAULT),
	CFG_STR("packets", NULL, CFGF_NODEFAULT),
	CFG_STR("sync", NULL, CFGF_NODEFAULT),
	CFG_STR("split_seconds", NULL, CFGF_NODEFAULT),
	CFG_STR("split_bytes", NULL, CFGF_NODEFAULT),
	CFG_STR("keep_days", NULL, CFGF_NODEFAULT),
	CFG_STR("keep_bytes", NULL, CFGF_NODEFAULT),
	CFG_END(),
};

static const struct jc_section_judge judges[] = {
	{ "recording", judge_section },
	{ "recording|folder", judge_folder },
	{ "recording|spaces", judge_spaces },
	{ "recording|raw", judge_setting },
	{ "recording|transforms", judge_setting },
	{ "recording|packets", judge_setting },
	{ "recording|sync", judge_setting },
	{ "recording|split_seconds", judge_setting },
	{ "recording|split_bytes", judge_setting },
	{ "recording|keep_days", judge_setting },
	{ "recording|keep_bytes", judge_setting },
	{ NULL, NULL },
};

const struct jc_section jc_section_recording = {
	.name = "recording",
	.flags = CFGF_NONE,
	.keys = keys,
	.judges = judges,
	.take = take,
};
