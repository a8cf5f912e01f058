/* The context of libwebsockets, and what it does not report itself. */
#include "net/link_context.h"

#include <libwebsockets.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>

#include "error_report.h"
#include "net/credentials.h"
#include "net/endpoint.h"
#include "net/tls_client.h"

/* libwebsockets ignores certificate files that it cannot read, so they are checked here. */
int jc_link_context_check(const struct jc_endpoint *endpoint, const char *url,
	const struct jc_credentials *credentials)
{
	struct jc_diagnostic diagnostic;
	SSL_CTX *believed;

	if (!endpoint->is_secure || !credentials->ca) {
		return JC_EXIT_DONE;
	}
	if (jc_tls_client_create(credentials->ca, &believed, &diagnostic) != JC_OK) {
		return jc_report(JC_EXIT_IO, url, "%s", diagnostic.what);
	}
	SSL_CTX_free(believed);
	return JC_EXIT_DONE;
}

struct lws_context *jc_link_context_create(const struct jc_endpoint *endpoint,
	const struct jc_credentials *credentials, const struct lws_protocols *protocols)
{
	struct lws_context_creation_info info = { .port = CONTEXT_PORT_NO_LISTEN,
		.protocols = protocols };

	if (endpoint->is_secure) {
		info.options = LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT;
		info.client_ssl_ca_filepath = credentials->ca;
		/* With --ca only the certificates of that file are trusted. */
		info.options |= credentials->ca ? LWS_SERVER_OPTION_DISABLE_OS_CA_CERTS : 0;
	}
	lws_set_log_level(0, NULL);
	return lws_create_context(&info);
}

void jc_link_context_explain(char *out_why, size_t capacity, const char *reason, size_t length)
{
	static const struct {
		const char *text, *means;
	} reasons[] = {
		{ "SSL", "TLS failed: the daemon has no certificate, or an untrusted one (--ca)" },
		{ "Unable to connect", "cannot connect: nothing listens there" },
		{ "not 101", "cannot connect: not a jointcastd, or it has no free connections, or "
			     "it does not serve that name" },
	};

	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++) {
		if (memmem(reason, length, reasons[i].text, strlen(reasons[i].text))) {
			snprintf(out_why, capacity, "%s", reasons[i].means);
			return;
		}
	}
	snprintf(out_why, capacity, "cannot connect: %.*s", (int)length, reason);
}

int jc_link_context_signals(void)
{
	sigset_t mask;

	sigemptyset(&mask);
	sigaddset(&mask, SIGINT);
	sigaddset(&mask, SIGTERM);
	sigaddset(&mask, SIGHUP); /* the terminal was closed */
	sigprocmask(SIG_BLOCK, &mask, NULL);
	return signalfd(-1, &mask, SFD_NONBLOCK | SFD_CLOEXEC);
}
