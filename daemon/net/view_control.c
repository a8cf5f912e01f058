/* What is wrong with a wish is found before any of it counts. */
#include "net/view_control.h"

#include <string.h>

#include "net/control.h"
#include "net/control_private.h"

/* "sections": a list of names, each once at most. 0 when it is none. */
static unsigned find_sections(const json_t *sections)
{
	static const struct {
		const char *name;
		unsigned bit;
	} known[] = {
		{ "body", JC_STREAM_SECTION(JC_SECTION_BODY) },
		{ "face", JC_STREAM_SECTION(JC_SECTION_FACE) },
		{ "hands", JC_STREAM_SECTION(JC_SECTION_HANDS) },
		{ "hips", JC_STREAM_SECTION(JC_SECTION_HIPS) },
		{ "channels", JC_STREAM_SECTION(JC_SECTION_CHANNELS) },
		{ "virtual", JC_STREAM_SECTION(JC_SECTION_VIRTUALS) },
	};
	unsigned found = 0;

	for (size_t i = 0; i < json_array_size(sections); i++) {
		const char *name = json_string_value(json_array_get(sections, i));
		unsigned bit = 0;

		for (size_t k = 0; name && k < sizeof(known) / sizeof(known[0]); k++) {
			bit |= strcmp(name, known[k].name) == 0 ? known[k].bit : 0;
		}
		if (bit == 0 || found & bit) {
			return 0;
		}
		found |= bit;
	}
	return found;
}

/* What a subscriber asks for; NULL, or what is wrong with it. */
static const char *find_wish(const json_t *message, struct jc_wish *out_wish)
{
	const json_t *precision = json_object_get(message, "precision");
	const json_t *rate = json_object_get(message, "rate");
	const json_t *sections = json_object_get(message, "sections");
	const char *name = json_string_value(precision);
	int found = precision ? (name ? jc_precision_find(name) : -1) : JC_PRECISION_STANDARD;
	json_int_t every = rate ? json_integer_value(rate) : 1;

	if (found < 0) {
		return "precision is fine, standard or coarse";
	}
	if (every != 1 && every != 2 && every != 4) {
		return "rate is 1, 2 or 4";
	}
	*out_wish = (struct jc_wish){ .chains = true,
		.precision = (enum jc_precision)found,
		.rate = (uint32_t)every,
		.sections = sections ? find_sections(sections) : JC_STREAM_ALL };
	return out_wish->sections
		       ? NULL
		       : "sections are some of body, face, hands, hips, channels and virtual";
}

void jc_control_subscribe(struct jc_session *session, const json_t *message, int64_t now_ns)
{
	static const struct jc_wish plain = { .rate = 1 };
	struct jc_view *view = jc_control_joined_view(session, message, "subscribe");
	struct jc_wish wish;

	(void)now_ns;
	if (!view) {
		return;
	}
	const char *wrong = find_wish(message, &wish);

	if (wrong) {
		jc_control_error(session, "bad-field", wrong, "subscribe");
		return;
	}
	const struct jc_space *space = view->fanout->space;

	for (size_t i = 0; i < jc_space_body_count(space); i++) {
		jc_control_send_skeleton(session, jc_space_body(space, i)->outfit);
	}
	if (!session->close_code) {
		jc_view_subscribe(view, session->chains ? &wish : &plain, session->credit);
	}
}

void jc_control_unsubscribe(struct jc_session *session, const json_t *message, int64_t now_ns)
{
	struct jc_view *view = jc_control_joined_view(session, message, "unsubscribe");

	(void)now_ns;
	if (view) {
		jc_view_unsubscribe(view);
	}
}

void jc_control_keyframe(struct jc_session *session, const json_t *message, int64_t now_ns)
{
	struct jc_view *view = jc_control_joined_view(session, message, "keyframe");

	(void)now_ns;
	if (view) {
		jc_view_ask_keyframe(view);
	}
}

void jc_control_ack(struct jc_session *session, const json_t *message, int64_t now_ns)
{
	const json_t *tick = json_object_get(message, "tick");
	struct jc_view *view = jc_control_joined_view(session, message, "ack");

	if (!view) {
		return;
	}
	json_int_t value = json_is_integer(tick) ? json_integer_value(tick) : -1;

	if (value < 0 || value > UINT32_MAX ||
		!jc_view_acknowledge(view, (uint32_t)value, now_ns)) {
		jc_control_error(session, "bad-field", "tick is one that was sent", "ack");
	}
}
