/* One line for each variable; what is wrong is told with its name. */
#include <stdlib.h>

#include "config/config.h"

static int take_listen(struct jc_config *config, const char *text, struct jc_diagnostic *diagnostic)
{
	return jc_config_parse_loopback(text, &config->listen, diagnostic);
}

static int take_admin(struct jc_config *config, const char *text, struct jc_diagnostic *diagnostic)
{
	return jc_config_parse_admin(text, &config->admin, diagnostic);
}

static int take_tls_listen(
	struct jc_config *config, const char *text, struct jc_diagnostic *diagnostic)
{
	return jc_config_parse_address(text, &config->tls.listen, diagnostic);
}

static int take_proxy(struct jc_config *config, const char *text, struct jc_diagnostic *diagnostic)
{
	return jc_config_parse_address(text, &config->proxy.listen, diagnostic);
}

static int take_connections(
	struct jc_config *config, const char *text, struct jc_diagnostic *diagnostic)
{
	return jc_config_parse_connections(text, &config->connections, diagnostic);
}

static int take_per_address(
	struct jc_config *config, const char *text, struct jc_diagnostic *diagnostic)
{
	return jc_config_parse_connections(text, &config->connections_per_address, diagnostic);
}

static const struct {
	const char *name;
	int (*take)(struct jc_config *config, const char *text, struct jc_diagnostic *diagnostic);
} variables[] = {
	{ "STATE_DIRECTORY", jc_config_set_state }, /* systemd.exec(5) */
	{ "JOINTCAST_LISTEN", take_listen },
	{ "JOINTCAST_ADMIN", take_admin },
	{ "JOINTCAST_TLS_LISTEN", take_tls_listen },
	{ "JOINTCAST_PROXY_LISTEN", take_proxy },
	{ "JOINTCAST_CERTIFICATE", jc_config_set_certificate },
	{ "JOINTCAST_KEY", jc_config_set_key },
	{ "JOINTCAST_AUDIENCE", jc_config_set_audience },
	{ "JOINTCAST_STATE", jc_config_set_state },
	{ "JOINTCAST_WEB", jc_config_set_web_root },
	{ "JOINTCAST_CONNECTIONS", take_connections },
	{ "JOINTCAST_CONNECTIONS_PER_ADDRESS", take_per_address },
};

int jc_config_read_environment(struct jc_config *config, struct jc_diagnostic *diagnostic)
{
	struct jc_diagnostic cause = { 0 };

	for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++) {
		const char *text = getenv(variables[i].name);
		int status = text && *text ? variables[i].take(config, text, &cause) : JC_OK;

		if (status != JC_OK) {
			return jc_diagnose(diagnostic, status, variables[i].name, "%s", cause.what);
		}
	}
	return JC_OK;
}
