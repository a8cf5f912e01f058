/* The field `request` of a control message, which its answer repeats (proto/PROTOCOL.md,
 * "Requests"). Work that answers later keeps a copy. */
#ifndef JC_REQUEST_TAG_H
#define JC_REQUEST_TAG_H

#include <stdint.h>

#define JC_REQUEST_TAG_BYTES  32
#define JC_REQUEST_TAG_NUMBER (INT64_C(1) << 53) /* the greatest magnitude */

enum jc_request_tag_kind {
	JC_REQUEST_TAG_NONE, /* the message has no such field */
	JC_REQUEST_TAG_INTEGER,
	JC_REQUEST_TAG_TEXT,
};

struct jc_request_tag {
	enum jc_request_tag_kind kind;
	int64_t number;
	char text[JC_REQUEST_TAG_BYTES + 1];
};

#endif
