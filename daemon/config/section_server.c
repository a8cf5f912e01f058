/* server {}: where it listens, what it serves and where it keeps what lasts. */
#include "config/section.h"

#include <string.h>

static int judge_listen(cfg_t *section, cfg_opt_t *option)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct sockaddr_storage address;

	return jc_section_judged(section,
		jc_config_parse_loopback(jc_section_text(option), &address, &diagnostic),
		&diagnostic);
}

/* A scheme, a host and perhaps a port, as browsers send it (RFC 6454, 7). */
static int judge_origins(cfg_t *section, cfg_opt_t *option)
{
	const char *origin = jc_section_text(option);
	const char *host = strncmp(origin, "https://", 8) == 0  ? origin + 8
			   : strncmp(origin, "http://", 7) == 0 ? origin + 7
								: "";

	if (*host && !strpbrk(host, "/ ?#@")) {
		return 0;
	}
	cfg_error(section, "an origin is https://HOST[:PORT], not '%s'", origin);
	return -1;
}

static int judge_hosts(cfg_t *section, cfg_opt_t *option)
{
	const char *host = jc_section_text(option);

	if (*host && !strpbrk(host, "/ ?#@:*")) {
		return 0;
	}
	cfg_error(section, "a host is a name without a port, not '%s'", host);
	return -1;
}

static int take(cfg_t *parser, struct jc_config *config, struct jc_diagnostic *diagnostic)
{
	const char *listen = cfg_getstr(parser, "server|listen");
	const char *web_root = cfg_getstr(parser, "server|web");
	const char *state = cfg_getstr(parser, "server|state");
	int status = jc_section_take_texts(parser, "server|hosts", &config->hosts, diagnostic);

	if (status == JC_OK) {
		status = jc_section_take_texts(
			parser, "server|origins", &config->origins, diagnostic);
	}
	if (status == JC_OK && listen) {
		status = jc_config_parse_loopback(listen, &config->listen, diagnostic);
	}
	if (status == JC_OK && state) {
		status = jc_config_set_state(config, state, diagnostic);
	}
	if (status == JC_OK && web_root) {
		status = jc_config_set_web_root(config, web_root, diagnostic);
	}
	return status;
}

static const cfg_opt_t keys[] = {
	CFG_STR("listen", NULL, CFGF_NODEFAULT),
	CFG_STR("web", NULL, CFGF_NODEFAULT),
	CFG_STR("state", NULL, CFGF_NODEFAULT),
	CFG_STR_LIST("hosts", NULL, CFGF_NODEFAULT),
	CFG_STR_LIST("origins", NULL, CFGF_NODEFAULT),
	CFG_END(),
};

static const struct jc_section_judge judges[] = {
	{ "server|listen", judge_listen },
	{ "server|hosts", judge_hosts },
	{ "server|origins", judge_origins },
	{ NULL, NULL },
};

const struct jc_section jc_section_server = {
	.name = "server",
	.flags = CFGF_NONE,
	.keys = keys,
	.judges = judges,
	.take = take,
};
