/* A self-signed certificate for development. Browsers offer body tracking only to pages of a
 * secure context; a headset on the same network needs TLS for that. The certificate is valid for
 * localhost, this machine's names and its addresses. */
#ifndef JC_DEV_CERTIFICATE_H
#define JC_DEV_CERTIFICATE_H

#include <stddef.h>

#include "jointcast/error.h"

#define JC_DEV_CERTIFICATE_FILE "dev-certificate.pem"
#define JC_DEV_KEY_FILE         "dev-key.pem"

struct jc_dev_names {
	size_t count;
	char texts[32][64]; /* names first, then addresses */
};

/* Finds the current names and addresses. */
void jc_dev_names_find(struct jc_dev_names *out_names);

/* Makes the certificate in a directory, readable by the owner alone, unless the directory has one
 * that is valid for another month and has these names. Returns 0, or a negative enum jc_error
 * with the diagnostic filled. */
int jc_dev_certificate_make(
	const char *directory, const struct jc_dev_names *names, struct jc_diagnostic *diagnostic);

#endif
