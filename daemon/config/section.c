/* What sections have in common. */
#include "config/section.h"

#include "source/source_uri.h"

const struct jc_section *const jc_sections[] = {
	&jc_section_server,
	&jc_section_admin,
	&jc_section_tls,
	&jc_section_proxy,
	&jc_section_auth,
	&jc_section_limits,
	&jc_section_spaces, /* before each of them */
	&jc_section_space,
	&jc_section_skeleton,
	&jc_section_source,
	&jc_section_vmc_out,
	&jc_section_recording,
	NULL,
};

int jc_section_judged(cfg_t *section, int status, const struct jc_diagnostic *diagnostic)
{
	if (status == JC_OK) {
		return 0;
	}
	cfg_error(section, "%s", diagnostic->what);
	return -1;
}

const char *jc_section_text(cfg_opt_t *option)
{
	return cfg_opt_getnstr(option, cfg_opt_size(option) - 1);
}

cfg_t *jc_section_last(cfg_opt_t *option)
{
	return cfg_opt_getnsec(option, cfg_opt_size(option) - 1);
}

int jc_section_judge_address(cfg_t *section, cfg_opt_t *option)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct sockaddr_storage address;

	return jc_section_judged(section,
		jc_config_parse_address(jc_section_text(option), &address, &diagnostic),
		&diagnostic);
}

int jc_section_judge_range(cfg_t *section, cfg_opt_t *option, long least, long most)
{
	long number = cfg_opt_getnint(option, cfg_opt_size(option) - 1);

	if (number >= least && number <= most) {
		return 0;
	}
	cfg_error(section, "%s is from %ld to %ld, not %ld", option->name, least, most, number);
	return -1;
}

int jc_section_judge_has(cfg_t *parent, cfg_opt_t *option, const char *key)
{
	/* The section that was read is not the last one where it replaces another. */
	for (unsigned i = 0; i < cfg_opt_size(option); i++) {
		cfg_t *section = cfg_opt_getnsec(option, i);

		if (!cfg_getstr(section, key)) {
			cfg_error(parent, "%s '%s' has no '%s'", option->name, cfg_title(section),
				key);
			return -1;
		}
	}
	return 0;
}

int jc_section_judge_space_name(cfg_t *section, const char *name)
{
	if (jc_source_space_name_is_valid(name)) {
		return 0;
	}
	cfg_error(section, "not a name for a space: '%s'", name);
	return -1;
}

int jc_section_take_texts(cfg_t *parser, const char *path, struct jc_config_texts *texts,
	struct jc_diagnostic *diagnostic)
{
	int status = JC_OK;

	for (unsigned i = 0; status == JC_OK && i < cfg_size(parser, path); i++) {
		status = jc_config_add_text(texts, cfg_getnstr(parser, path, i), diagnostic);
	}
	return status;
}

void jc_section_take_number(cfg_t *parser, const char *path, unsigned *number)
{
	if (cfg_size(parser, path) > 0) {
		*number = (unsigned)cfg_getint(parser, path);
	}
}
