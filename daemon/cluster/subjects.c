/* Makes and reads the names on NATS. */
#include "cluster/subjects.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/sha256.h"
#include "config/nats_url.h"
#include "jointcast/error.h"

#define PREFIX      "jc."
#define HASH_DIGITS 16

static bool is_plain(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || c == '-';
}

/* Writes "jc." and the token of the space; returns their length. */
static size_t begin(const char *space, char out_subject[JC_MAX_NATS_SUBJECT])
{
	size_t at = strlen(PREFIX);

	assert(strlen(space) > 0 && strlen(space) < JC_MAX_SPACE_NAME);
	memcpy(out_subject, PREFIX, at);
	for (const char *c = space; *c; c++) {
		if (is_plain(*c)) {
			out_subject[at++] = *c;
		} else {
			at += (size_t)snprintf(out_subject + at, JC_MAX_NATS_SUBJECT - at, "%%%02X",
				(unsigned)(unsigned char)*c);
		}
	}
	return at;
}

void jc_subject_of_space(const char *space, char kind, char out_subject[JC_MAX_NATS_SUBJECT])
{
	size_t at = begin(space, out_subject);

	snprintf(out_subject + at, JC_MAX_NATS_SUBJECT - at, ".%c", kind);
}

void jc_subject_of_frames(
	const char *space, const char *view, char out_subject[JC_MAX_NATS_SUBJECT])
{
	size_t at = begin(space, out_subject);

	assert(strlen(view) < JC_VIEW_TOKEN);
	snprintf(out_subject + at, JC_MAX_NATS_SUBJECT - at, ".f.%s", view);
}

void jc_subject_of_edge(
	const char *space, char kind, const char *edge, char out_subject[JC_MAX_NATS_SUBJECT])
{
	size_t at = begin(space, out_subject);

	assert(jc_host_id_is_valid(edge) || strcmp(edge, JC_SUBJECT_ANY_EDGE) == 0);
	snprintf(out_subject + at, JC_MAX_NATS_SUBJECT - at, ".%c.%s", kind, edge);
}

void jc_subject_pattern_of_edge(const char *edge, char out_subject[JC_MAX_NATS_SUBJECT])
{
	assert(jc_host_id_is_valid(edge));
	snprintf(out_subject, JC_MAX_NATS_SUBJECT, PREFIX "*.%c.%s", JC_SUBJECT_DOWN, edge);
}

/* The end of the token of the space; NULL: the subject does not begin with "jc." and one. */
static const char *end_of_space(const char *subject)
{
	const char *end = NULL;

	if (strncmp(subject, PREFIX, strlen(PREFIX)) == 0) {
		end = strchr(subject + strlen(PREFIX), '.');
	}
	return end && end > subject + strlen(PREFIX) ? end : NULL;
}

bool jc_subject_is_frames(const char *subject)
{
	const char *end = end_of_space(subject);

	return end && strncmp(end, ".f.", 3) == 0;
}

const char *jc_subject_edge(const char *subject)
{
	const char *end = end_of_space(subject);
	bool has_edge = end && strchr("cu", end[1]) && end[1] && end[2] == '.';

	return has_edge && jc_host_id_is_valid(end + 3) ? end + 3 : NULL;
}

const char *jc_subject_host(const char *subject)
{
	static const char *const prefixes[] = { JC_SUBJECT_STATUS, JC_SUBJECT_REPORTS };

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
		size_t length = strlen(prefixes[i]);

		if (strncmp(subject, prefixes[i], length) == 0 &&
			jc_host_id_is_valid(subject + length)) {
			return subject + length;
		}
	}
	return NULL;
}

bool jc_subject_is_inbox(const char *subject, const char *edge)
{
	size_t prefix = strlen(JC_SUBJECT_INBOX), length = strlen(edge);

	return strncmp(subject, JC_SUBJECT_INBOX, prefix) == 0 &&
	       strncmp(subject + prefix, edge, length) == 0 && subject[prefix + length] == '.';
}

bool jc_subject_is_valid(const char *subject, bool is_pattern)
{
	char before = '.';
	size_t length = 0;

	for (const char *c = subject; *c; c++, length++) {
		bool is_wildcard = *c == '*' || *c == '>';
		bool ends_token = c[1] == '.' || !c[1];

		if (*c <= ' ' || *c == 127 || (*c == '.' && before == '.')) {
			return false;
		}
		if (is_wildcard &&
			(!is_pattern || before != '.' || !ends_token || (*c == '>' && c[1]))) {
			return false;
		}
		before = *c;
	}
	return length > 0 && before != '.' && length < JC_MAX_NATS_SUBJECT;
}

int jc_view_token(const struct jc_stream_spec *spec, char out_token[JC_VIEW_TOKEN])
{
	const struct jc_virtual_choice *choice = &spec->virtuals;
	unsigned char chosen[1 + sizeof(choice->indices) + sizeof(choice->tags)] = { 0 };
	char hash[JC_HASH_TEXT] = "";

	chosen[0] = choice->is_some;
	memcpy(chosen + 1, choice->indices, sizeof(choice->indices));
	memcpy(chosen + 1 + sizeof(choice->indices), choice->tags, sizeof(choice->tags));
	for (size_t i = 0; i < sizeof(chosen) && !hash[0]; i++) {
		if (chosen[i] && !jc_sha256_hex(chosen, sizeof(chosen), hash)) {
			return JC_ERROR_UNSUPPORTED;
		}
	}
	snprintf(out_token, JC_VIEW_TOKEN, "%u-%s-%s-%u-%x%s%.*s%s", jc_stream_spec_coding(spec),
		jc_precision_name(spec->precision), jc_precision_name(spec->finest),
		(unsigned)spec->rate, spec->sections, hash[0] ? "-" : "", HASH_DIGITS, hash,
		spec->contacts ? "-contacts" : "");
	return JC_OK;
}
