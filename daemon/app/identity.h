/* The TLS certificate of the configuration: read from its files, or made for development. */
#ifndef JC_IDENTITY_H
#define JC_IDENTITY_H

#include <limits.h>

#include "base/log.h"
#include "config/config.h"
#include "tls/certificate.h"

struct jc_identity {
	char certificate_path[PATH_MAX], key_path[PATH_MAX];
	struct jc_certificate *certificate; /* owned; NULL: the configuration has none */
};

/* Reads files, and may write the development certificate: at a reload call it on the thread pool.
 * Returns 0, or a negative enum jc_error with the diagnostic filled. */
int jc_identity_read(const struct jc_config *config, struct jc_identity *out_identity,
	struct jc_diagnostic *diagnostic);
/* Whether jc_identity_read() would succeed. Reads the files; instead of making a development
 * certificate it checks that the state directory can be written. Returns as jc_identity_read(). */
int jc_identity_check(const struct jc_config *config, struct jc_diagnostic *diagnostic);
void jc_identity_finish(struct jc_identity *identity);

/* Logs the fingerprint, and a warning if the certificate expires soon. */
void jc_identity_log(const struct jc_identity *identity, const struct jc_log *log);

#endif
