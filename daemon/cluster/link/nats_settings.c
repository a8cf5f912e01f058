/* Reads the options of the link for libnats, and checks URLs and files. */
#include "cluster/link/nats_settings.h"

#include <string.h>
#include <unistd.h>

#include "config/nats_url.h"

#define CONNECT_MS       2000 /* for each server of the list */
#define WRITE_MS         5000
#define PING_MS          2000 /* an unanswered third one ends the connection */
#define PINGS            2
#define PENDING_MESSAGES 65536 /* of one subscription in libnats */

const char *jc_nats_last_error(void)
{
	const char *text = nats_GetLastError(NULL);
	const char *end = text && *text == '(' ? strstr(text, "): ") : NULL;

	return end ? end + 3 : text ? text : "";
}

static int refuse(struct jc_diagnostic *diagnostic, const char *where, const char *what)
{
	char text[160];

	jc_nats_url_hide_passwords(jc_nats_last_error(), text, sizeof(text));
	return jc_diagnose(
		diagnostic, JC_ERROR_INVALID, where, "%s%s%s", what, text[0] ? ": " : "", text);
}

static int set_files(
	natsOptions *options, const struct jc_nats_options *from, struct jc_diagnostic *diagnostic)
{
	if (from->ca && natsOptions_LoadCATrustedCertificates(options, from->ca) != NATS_OK) {
		return refuse(diagnostic, from->ca, "cannot read the certificates of the CA");
	}
	if (from->certificate && natsOptions_LoadCertificatesChain(
					 options, from->certificate, from->key) != NATS_OK) {
		return refuse(
			diagnostic, from->certificate, "cannot read the certificate and its key");
	}
	if (from->credentials) {
		if (access(from->credentials, R_OK) != 0) {
			return jc_diagnose(diagnostic, JC_ERROR_INVALID, from->credentials,
				"cannot read the credentials");
		}
		if (natsOptions_SetUserCredentialsFromFiles(options, from->credentials, NULL) !=
			NATS_OK) {
			return refuse(diagnostic, from->credentials, "cannot use the credentials");
		}
	}
	return JC_OK;
}

static int set_servers(natsOptions *options, const char *list, struct jc_diagnostic *diagnostic)
{
	struct jc_nats_urls urls;
	int status = jc_nats_urls_parse(list, &urls, diagnostic);

	if (status != JC_OK) {
		return status;
	}
	if (natsOptions_SetServers(options, (const char **)urls.urls, (int)urls.count) != NATS_OK ||
		(urls.is_tls && natsOptions_SetSecure(options, true) != NATS_OK)) {
		status = refuse(diagnostic, NULL, "cannot use the servers");
	}
	jc_nats_urls_finish(&urls);
	return status;
}

static int set_behaviour(natsOptions *options, const char *name, struct jc_diagnostic *diagnostic)
{
	bool is_set = natsOptions_SetName(options, name) == NATS_OK &&
		      natsOptions_SetAllowReconnect(options, false) == NATS_OK &&
		      natsOptions_SetTimeout(options, CONNECT_MS) == NATS_OK &&
		      natsOptions_SetWriteDeadline(options, WRITE_MS) == NATS_OK &&
		      natsOptions_SetPingInterval(options, PING_MS) == NATS_OK &&
		      natsOptions_SetMaxPingsOut(options, PINGS) == NATS_OK &&
		      natsOptions_SetSendAsap(options, true) == NATS_OK &&
		      natsOptions_SetMaxPendingMsgs(options, PENDING_MESSAGES) == NATS_OK &&
		      natsOptions_UseGlobalMessageDelivery(options, true) == NATS_OK;

	return is_set ? JC_OK : refuse(diagnostic, NULL, "cannot prepare NATS");
}

int jc_nats_options_read(const struct jc_nats_options *from, natsOptions **out_options,
	struct jc_diagnostic *diagnostic)
{
	natsOptions *options = NULL;
	int status;

	/* One thread delivers the messages of all subscriptions: in the server's order. */
	if (nats_SetMessageDeliveryPoolSize(1) != NATS_OK ||
		natsOptions_Create(&options) != NATS_OK) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	status = set_servers(options, from->servers, diagnostic);
	if (status == JC_OK) {
		status = set_files(options, from, diagnostic);
	}
	if (status == JC_OK) {
		status = set_behaviour(options, from->name, diagnostic);
	}
	if (status != JC_OK) {
		natsOptions_Destroy(options);
		return status;
	}
	*out_options = options;
	return JC_OK;
}

int jc_nats_link_check(const struct jc_nats_options *options, struct jc_diagnostic *diagnostic)
{
	natsOptions *read = NULL;
	int status = jc_nats_options_read(options, &read, diagnostic);

	natsOptions_Destroy(read);
	return status;
}
