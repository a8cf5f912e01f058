/* The kinds of message in a recording: topic, encoding and schema of each. */
#ifndef JC_RECORDING_TOPICS_H
#define JC_RECORDING_TOPICS_H

#include "jointcast/recording.h"

struct jc_recording_topic_info {
	const char *name;             /* of the topic: /SPACE/name */
	const char *schema;           /* its name */
	const char *message_encoding; /* of messages */
	const char *schema_encoding;
	const char *text; /* of the schema */
};

extern const struct jc_recording_topic_info jc_recording_topics[JC_TOPIC_COUNT];

/* Maximum loss in a crash, and the amount that seeking decompresses. */
#define JC_RECORDING_CHUNK_NS    UINT64_C(1000000000)
#define JC_RECORDING_CHUNK_BYTES (4u << 20)

/* Of sessions; a higher one is for recordings that this version would misread. */
#define JC_RECORDING_VERSION 1

/* The first byte of a message of captures. */
#define JC_CAPTURES_VERSION    1
#define JC_CAPTURES_HEAD_BYTES 5 /* version, tick */
#define JC_CAPTURES_ITEM_BYTES 6 /* body, length */

/* The first byte of a message of packets. */
#define JC_PACKETS_VERSION    1
#define JC_PACKETS_HEAD_BYTES 5 /* version, tick */
#define JC_PACKETS_ITEM_BYTES 9 /* stream, flags, two lengths */
#define JC_PACKETS_REJOINS    0x01

#endif
