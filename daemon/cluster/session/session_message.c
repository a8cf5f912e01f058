/* Reads and writes the messages of sessions. */
#include "cluster/session/session_message.h"

#include <arpa/inet.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "base/address.h"
#include "cluster/little_endian.h"
#include "cluster/people/party_text.h"
#include "jointcast/error.h"
#include "net/frame.h"
#include "space/people/people.h"

#define VERSION    1
#define OPEN_BYTES 512
#define LOCAL      "local" /* the address of a client of a Unix socket */

void jc_session_message_write(
	const struct jc_session_message *message, uint8_t out_head[JC_SESSION_MESSAGE_HEAD])
{
	out_head[0] = (uint8_t)message->kind;
	out_head[1] = VERSION;
	jc_put_u16(out_head + 2, 0);
	jc_put_u64(out_head + 4, message->number);
	jc_put_u32(out_head + 12, message->sequence);
}

int jc_session_message_read(
	const uint8_t *bytes, size_t length, struct jc_session_message *out_message)
{
	if (length < JC_SESSION_MESSAGE_HEAD) {
		return JC_ERROR_TRUNCATED;
	}
	if (bytes[0] < JC_SESSION_OPEN || bytes[0] > JC_SESSION_ALIVE || bytes[1] != VERSION) {
		return JC_ERROR_UNSUPPORTED;
	}
	if (jc_get_u16(bytes + 2) != 0) {
		return JC_ERROR_INVALID;
	}
	*out_message = (struct jc_session_message){ .kind = (enum jc_session_message_kind)bytes[0],
		.number = jc_get_u64(bytes + 4),
		.sequence = jc_get_u32(bytes + 12),
		.payload = bytes + JC_SESSION_MESSAGE_HEAD,
		.length = length - JC_SESSION_MESSAGE_HEAD };
	return JC_OK;
}

char *jc_session_open_write(const struct jc_session_open *open)
{
	char address[INET6_ADDRSTRLEN] = LOCAL;

	if (open->peer.sa.sa_family == AF_INET) {
		inet_ntop(AF_INET, &open->peer.in.sin_addr, address, sizeof(address));
	} else if (open->peer.sa.sa_family == AF_INET6) {
		inet_ntop(AF_INET6, &open->peer.in6.sin6_addr, address, sizeof(address));
	}
	char party[JC_PARTY_TEXT];

	jc_party_write(open->party, party);
	json_t *object = json_pack("{ss sb ss}", "address", address, "localPage",
		(int)open->is_local_page, "party", party);
	char *text = object ? json_dumps(object, JSON_COMPACT) : NULL;

	json_decref(object);
	return text;
}

static bool read_address(const char *text, union jc_peer *out_peer)
{
	union jc_peer peer;

	memset(&peer, 0, sizeof(peer));
	if (strcmp(text, LOCAL) == 0) {
		peer.sa.sa_family = AF_UNIX;
	} else if (inet_pton(AF_INET, text, &peer.in.sin_addr) == 1) {
		peer.in.sin_family = AF_INET;
	} else if (inet_pton(AF_INET6, text, &peer.in6.sin6_addr) == 1) {
		peer.in6.sin6_family = AF_INET6;
	} else {
		return false;
	}
	*out_peer = peer;
	return true;
}

/* It is that of a client without a token: of others the origin knows it from the token. */
static bool read_party(const json_t *value, uint64_t *out_party)
{
	const char *text = json_string_value(value);

	*out_party = 0;
	return !value || (text && json_string_length(value) == JC_PARTY_TEXT - 1 &&
				 jc_party_read(text, out_party) && !jc_party_has_token(*out_party));
}

int jc_session_open_read(const uint8_t *bytes, size_t length, struct jc_session_open *out_open)
{
	struct jc_session_open open = { .is_local_page = false };
	json_t *object;

	if (length > OPEN_BYTES) {
		return JC_ERROR_LIMIT;
	}
	object = json_loadb((const char *)bytes, length, JSON_REJECT_DUPLICATES, NULL);
	const char *address = json_string_value(json_object_get(object, "address"));
	const json_t *is_local_page = json_object_get(object, "localPage");
	int status = object ? JC_OK : JC_ERROR_SYNTAX;

	if (status == JC_OK &&
		(!address || !read_address(address, &open.peer) ||
			!json_is_boolean(is_local_page) ||
			!read_party(json_object_get(object, "party"), &open.party))) {
		status = JC_ERROR_INVALID;
	}
	if (status == JC_OK) {
		open.is_local_page = json_is_true(is_local_page);
		*out_open = open;
	}
	json_decref(object);
	return status;
}

void jc_session_count_write(
	const struct jc_session_count *count, uint8_t out_bytes[JC_SESSION_COUNT_BYTES])
{
	jc_put_u64(out_bytes, count->number);
	jc_put_u32(out_bytes + 8, count->sent);
}

bool jc_session_count_read(
	const struct jc_session_message *alive, size_t i, struct jc_session_count *out_count)
{
	const uint8_t *bytes = alive->payload + i * JC_SESSION_COUNT_BYTES;

	if (i >= alive->length / JC_SESSION_COUNT_BYTES) {
		return false;
	}
	*out_count = (struct jc_session_count){ .number = jc_get_u64(bytes),
		.sent = jc_get_u32(bytes + 8) };
	return true;
}

size_t jc_session_close_write(
	uint16_t code, const char *reason, uint8_t out_payload[2 + JC_SESSION_REASON])
{
	size_t length = strnlen(reason, JC_SESSION_REASON - 1);

	jc_put_u16(out_payload, code);
	memcpy(out_payload + 2, reason, length);
	return 2 + length;
}

uint16_t jc_session_close_read(
	const uint8_t *payload, size_t length, char out_reason[JC_SESSION_REASON])
{
	json_t *text;

	out_reason[0] = '\0';
	if (length < 2 || length > 1 + JC_SESSION_REASON) {
		return JC_CLOSE_GOING_AWAY;
	}
	text = json_stringn((const char *)payload + 2, length - 2); /* NULL: no UTF-8 */
	if (text && strlen(json_string_value(text)) == length - 2) {
		memcpy(out_reason, payload + 2, length - 2);
		out_reason[length - 2] = '\0';
	}
	json_decref(text);
	return jc_get_u16(payload);
}
