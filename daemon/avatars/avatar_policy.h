/* Rules of the configuration for uploads of avatars. */
#ifndef JC_AVATAR_POLICY_H
#define JC_AVATAR_POLICY_H

#include <stdbool.h>

struct jc_avatar_policy {
	bool upload;          /* clients may upload avatars */
	unsigned max_bytes;   /* of one file */
	unsigned quota_bytes; /* of the files of one subject */
	unsigned total_bytes; /* of all uploaded files */
	unsigned keep_days;   /* after the last use */
};

#endif
