/* libssl checks the name and the certificate chain; its error texts are passed on. */
#include "net/tls_client.h"

#include <openssl/err.h>
#include <openssl/x509v3.h>
#include <stdbool.h>

int jc_tls_client_create(const char *ca, SSL_CTX **out_context, struct jc_diagnostic *diagnostic)
{
	SSL_CTX *context = SSL_CTX_new(TLS_client_method());

	if (!context) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
	SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
	if (ca ? SSL_CTX_load_verify_file(context, ca) != 1
	       : SSL_CTX_set_default_verify_paths(context) != 1) {
		SSL_CTX_free(context);
		ERR_clear_error();
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
			"'%s' contains no certificates", ca ? ca : "the system's folder");
	}
	*out_context = context;
	return JC_OK;
}

static bool expect_host(SSL *tls, const char *host)
{
	X509_VERIFY_PARAM *expected = SSL_get0_param(tls);

	/* A client sends no server name for an address (RFC 6066, 3). */
	return X509_VERIFY_PARAM_set1_ip_asc(expected, host) == 1 ||
	       (SSL_set1_host(tls, host) == 1 && SSL_set_tlsext_host_name(tls, host) == 1);
}

int jc_tls_client_connect(
	SSL_CTX *context, int fd, const char *host, SSL **out_tls, struct jc_diagnostic *diagnostic)
{
	SSL *tls = SSL_new(context);

	ERR_clear_error();
	if (tls && expect_host(tls, host) && SSL_set_fd(tls, fd) == 1 && SSL_connect(tls) == 1) {
		*out_tls = tls;
		return JC_OK;
	}
	long verified = tls ? SSL_get_verify_result(tls) : X509_V_OK;
	const char *reason = ERR_reason_error_string(ERR_peek_last_error());

	SSL_free(tls);
	ERR_clear_error();
	return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL, "TLS failed: %s",
		verified != X509_V_OK ? X509_verify_cert_error_string(verified)
		: reason              ? reason
				      : "the connection was closed");
}
