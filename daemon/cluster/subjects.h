/* The names on NATS: subjects of spaces and hosts, and the token of a view. */
#ifndef JC_SUBJECTS_H
#define JC_SUBJECTS_H

#include <stdbool.h>

#include "maxima.h"
#include "space/stream_spec.h"

#define JC_SUBJECT_ANNOUNCE   "jc.announce"   /* origins, to all */
#define JC_SUBJECT_SUCCESSION "jc.succession" /* standbys, to origins */

/* Before the name of the host that publishes, all to all. No space has subjects of this form. */
#define JC_SUBJECT_STATUS  "jc.status.h." /* requests for reports */
#define JC_SUBJECT_REPORTS "jc.report.h." /* their answers */

/* The last token of a subject of a space. */
#define JC_SUBJECT_STATE 's' /* state changes, origin to edges */

/* The token before the name of an edge, in a subject of a space. */
#define JC_SUBJECT_REQUESTS 'c' /* requests, edge to origin */
#define JC_SUBJECT_UP       'u' /* messages of sessions, edge to origin */
#define JC_SUBJECT_DOWN     'd' /* messages of sessions, origin to edge */

#define JC_SUBJECT_ANY_EDGE "*"

/* Answers to requests: _INBOX.<name of the host>.… */
#define JC_SUBJECT_INBOX "_INBOX."

#define JC_VIEW_TOKEN 64 /* bytes of any token, with its NUL */

/* jc.<space>.<kind>. In the name of the space, each byte other than a letter, a digit, '_' and '-'
 * becomes "%XX". */
void jc_subject_of_space(const char *space, char kind, char out_subject[JC_MAX_NATS_SUBJECT]);

/* jc.<space>.f.<view>: frames of a view. */
void jc_subject_of_frames(
	const char *space, const char *view, char out_subject[JC_MAX_NATS_SUBJECT]);

/* jc.<space>.<kind>.<edge>: what one edge alone may publish or receive, by the permissions of its
 * user. For JC_SUBJECT_ANY_EDGE the pattern of those of all edges. */
void jc_subject_of_edge(
	const char *space, char kind, const char *edge, char out_subject[JC_MAX_NATS_SUBJECT]);

/* The pattern of JC_SUBJECT_DOWN in all spaces. */
void jc_subject_pattern_of_edge(const char *edge, char out_subject[JC_MAX_NATS_SUBJECT]);

/* The edge that publishes on a subject of that form, borrowed from it. NULL: none does. */
const char *jc_subject_edge(const char *subject);

/* The host that publishes on a subject that begins with JC_SUBJECT_STATUS or JC_SUBJECT_REPORTS,
 * borrowed from it. NULL: another subject. */
const char *jc_subject_host(const char *subject);

/* Whether a subject for answers is one that only this edge receives. */
bool jc_subject_is_inbox(const char *subject, const char *edge);

/* Whether a subject is that of frames: such messages may be dropped. */
bool jc_subject_is_frames(const char *subject);

/* Whether the server reads a subject as one: it reaches the server as a word of a line. is_pattern:
 * wildcards may stand in it. */
bool jc_subject_is_valid(const char *subject, bool is_pattern);

/* The token of a view: coding, precision, finest, rate and sections (in hex digits), such as
 * "2-standard-standard-1-7e"; with chosen virtual transforms, also the beginning of the hash of
 * the choice. Returns 0, or JC_ERROR_UNSUPPORTED if libcrypto has failed. */
int jc_view_token(const struct jc_stream_spec *spec, char out_token[JC_VIEW_TOKEN]);

#endif
