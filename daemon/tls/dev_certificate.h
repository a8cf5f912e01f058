/* A certificate of one's own making, for development: browsers give body tracking to
 * pages of a secure context alone, and a headset on the same network has none without
 * it. It is made out to localhost, to this machine's names and to its addresses. */
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

/* What it is to be made out to, as of now. */
void jc_dev_names_find(struct jc_dev_names *out_names);

/* Makes it in a directory, for its owner alone, where there is none that is good for a
 * month more and has these names. Returns 0, or a negative enum jc_error with the
 * diagnostic filled. */
int jc_dev_certificate_make(
	const char *directory, const struct jc_dev_names *names, struct jc_diagnostic *diagnostic);

#endif
