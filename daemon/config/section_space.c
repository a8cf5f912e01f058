/* space "NAME" {}: one that is there from the start; spaces {}: those that clients
 * open, and what counts where a space does not say. */
#include "config/section.h"

#include <stdio.h>

static const struct {
	const char *key;
	enum jc_role role;
} permit_keys[] = {
	{ "watch", JC_ROLE_WATCH },
	{ "publish", JC_ROLE_PUBLISH },
	{ "record", JC_ROLE_RECORD },
	{ "moderate", JC_ROLE_MODERATE },
	{ "administer", JC_ROLE_ADMINISTER },
};

static int judge_section(cfg_t *root, cfg_opt_t *option)
{
	return jc_section_judge_space_name(root, cfg_title(jc_section_last(option)));
}

static int judge_hz(cfg_t *section, cfg_opt_t *option)
{
	return jc_section_judge_range(section, option, JC_LEAST_TICK_HZ, JC_MAX_TICK_HZ);
}

static int judge_bodies(cfg_t *section, cfg_opt_t *option)
{
	return jc_section_judge_range(section, option, 1, JC_MAX_BODIES);
}

static int judge_subscribers(cfg_t *section, cfg_opt_t *option)
{
	return jc_section_judge_range(section, option, 1, JC_MAX_CONNECTIONS);
}

static int judge_streams(cfg_t *section, cfg_opt_t *option)
{
	return jc_section_judge_range(section, option, 1, JC_MAX_STREAMS);
}

static int judge_most(cfg_t *section, cfg_opt_t *option)
{
	return jc_section_judge_range(section, option, 1, JC_MAX_SPACES - 1);
}

static int judge_linger(cfg_t *section, cfg_opt_t *option)
{
	return jc_section_judge_range(section, option, 1, 86400);
}

static int judge_permit(cfg_t *section, cfg_opt_t *option)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_permit permit = { 0 };
	int status = JC_OK;

	for (unsigned i = 0; status == JC_OK && i < cfg_opt_size(option); i++) {
		status = jc_permit_add(&permit, cfg_opt_getnstr(option, i), &diagnostic);
	}
	return jc_section_judged(section, status, &diagnostic);
}

/* Leaves it as it is where the section has no such key. */
static int take_permit(
	cfg_t *section, const char *key, struct jc_permit *permit, struct jc_diagnostic *diagnostic)
{
	struct jc_permit own = { 0 };
	int status = JC_OK;

	for (unsigned i = 0; status == JC_OK && i < cfg_size(section, key); i++) {
		status = jc_permit_add(&own, cfg_getnstr(section, key, i), diagnostic);
	}
	if (status == JC_OK && cfg_size(section, key) > 0) {
		*permit = own;
	}
	return status;
}

static int take_policy(
	cfg_t *section, struct jc_space_policy *policy, struct jc_diagnostic *diagnostic)
{
	int status = JC_OK;

	jc_section_take_number(section, "hz", &policy->hz);
	jc_section_take_number(section, "bodies", &policy->bodies);
	jc_section_take_number(section, "subscribers", &policy->subscribers);
	jc_section_take_number(section, "streams", &policy->streams);
	for (size_t i = 0; status == JC_OK && i < sizeof(permit_keys) / sizeof(permit_keys[0]);
		i++) {
		status = take_permit(section, permit_keys[i].key,
			jc_space_policy_permit(policy, permit_keys[i].role), diagnostic);
	}
	return status;
}

static int take_spaces(cfg_t *parser, struct jc_config *config, struct jc_diagnostic *diagnostic)
{
	struct jc_spaces_policy *policy = &config->policy;
	cfg_t *section = cfg_getsec(parser, "spaces");
	int status = take_policy(section, &policy->space, diagnostic);

	jc_section_take_number(section, "most", &policy->most);
	jc_section_take_number(section, "most_of_one", &policy->most_of_one);
	jc_section_take_number(section, "linger", &policy->linger_s);
	return status == JC_OK ? take_permit(section, "open", &policy->open, diagnostic) : status;
}

static int take_space(cfg_t *parser, struct jc_config *config, struct jc_diagnostic *diagnostic)
{
	int status = JC_OK;

	for (unsigned i = 0; status == JC_OK && i < cfg_size(parser, "space"); i++) {
		struct jc_space_policy policy = config->policy.space;
		cfg_t *section = cfg_getnsec(parser, "space", i);

		status = take_policy(section, &policy, diagnostic);
		if (status == JC_OK) {
			status = jc_config_add_space(
				config, cfg_title(section), &policy, diagnostic);
		}
	}
	return status;
}

#define POLICY_KEYS                                                                                \
	CFG_INT("hz", 0, CFGF_NODEFAULT), CFG_INT("bodies", 0, CFGF_NODEFAULT),                    \
		CFG_INT("subscribers", 0, CFGF_NODEFAULT), CFG_INT("streams", 0, CFGF_NODEFAULT),  \
		CFG_STR_LIST("watch", NULL, CFGF_NODEFAULT),                                       \
		CFG_STR_LIST("publish", NULL, CFGF_NODEFAULT),                                     \
		CFG_STR_LIST("record", NULL, CFGF_NODEFAULT),                                      \
		CFG_STR_LIST("moderate", NULL, CFGF_NODEFAULT),                                    \
		CFG_STR_LIST("administer", NULL, CFGF_NODEFAULT)

#define POLICY_JUDGES(section)                                                                     \
	{ section "|hz", judge_hz }, { section "|bodies", judge_bodies },                          \
		{ section "|subscribers", judge_subscribers },                                     \
		{ section "|streams", judge_streams }, { section "|watch", judge_permit },         \
		{ section "|publish", judge_permit }, { section "|record", judge_permit },         \
		{ section "|moderate", judge_permit },                                             \
	{                                                                                          \
		section "|administer", judge_permit                                                \
	}

static const cfg_opt_t space_keys[] = {
	POLICY_KEYS,
	CFG_END(),
};

static const struct jc_section_judge space_judges[] = {
	{ "space", judge_section },
	POLICY_JUDGES("space"),
	{ NULL, NULL },
};

const struct jc_section jc_section_space = {
	.name = "space",
	.flags = CFGF_TITLE | CFGF_MULTI,
	.keys = space_keys,
	.judges = space_judges,
	.take = take_space,
};

static const cfg_opt_t spaces_keys[] = {
	CFG_STR_LIST("open", NULL, CFGF_NODEFAULT),
	CFG_INT("most", 0, CFGF_NODEFAULT),
	CFG_INT("most_of_one", 0, CFGF_NODEFAULT),
	CFG_INT("linger", 0, CFGF_NODEFAULT),
	POLICY_KEYS,
	CFG_END(),
};

static const struct jc_section_judge spaces_judges[] = {
	{ "spaces|open", judge_permit },
	{ "spaces|most", judge_most },
	{ "spaces|most_of_one", judge_most },
	{ "spaces|linger", judge_linger },
	POLICY_JUDGES("spaces"),
	{ NULL, NULL },
};

const struct jc_section jc_section_spaces = {
	.name = "spaces",
	.flags = CFGF_NONE,
	.keys = spaces_keys,
	.judges = spaces_judges,
	.take = take_spaces,
};
