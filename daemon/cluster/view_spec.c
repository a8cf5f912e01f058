/* Packs and reads stream specs. A spec that is read is one that a subscription can have. */
#include "cluster/view_spec.h"

#include <string.h>

#include "jointcast_private/json.h"

#define SECTIONS (JC_STREAM_ALL | JC_STREAM_SECTION(JC_SECTION_VIRTUALS))

static json_t *pack_virtuals(const struct jc_virtual_choice *choice)
{
	json_t *list = choice->is_some ? json_array() : NULL;
	const char *end = choice->tags + sizeof(choice->tags);

	for (int i = 0; list && i < (int)JC_LIMIT_VIRTUAL_TRANSFORMS; i++) {
		if (choice->indices[i / 8] >> i % 8 & 1) {
			json_array_append_new(list, json_integer(i));
		}
	}
	for (const char *tag = choice->tags; list && tag < end && *tag; tag += strlen(tag) + 1) {
		json_array_append_new(list, json_string(tag));
	}
	return list;
}

json_t *jc_view_spec_pack(const struct jc_stream_spec *spec)
{
	char token[JC_VIEW_TOKEN];

	if (jc_view_token(spec, token) != JC_OK) {
		return NULL;
	}
	return json_pack("{ss si ss ss si si so* so*}", "view", token, "coding",
		(int)jc_stream_spec_coding(spec), "precision", jc_precision_name(spec->precision),
		"finest", jc_precision_name(spec->finest), "rate", (int)spec->rate, "sections",
		(int)spec->sections, "virtual", pack_virtuals(&spec->virtuals), "contacts",
		spec->contacts ? json_true() : NULL);
}

static bool read_integer(
	const json_t *object, const char *key, long long least, long long most, long long *out)
{
	return jc_json_is_integer(json_object_get(object, key), out) && *out >= least &&
	       *out <= most;
}

static bool read_precision(const json_t *object, const char *key, enum jc_precision *out)
{
	const char *name = json_string_value(json_object_get(object, key));
	int precision = name ? jc_precision_find(name) : -1;

	*out = precision < 0 ? JC_PRECISION_COARSE : (enum jc_precision)precision;
	return precision >= 0;
}

static bool read_virtuals(const json_t *list, struct jc_virtual_choice *choice)
{
	choice->is_some = json_is_array(list);
	if (list && (!json_is_array(list) || json_array_size(list) == 0 ||
			    json_array_size(list) > JC_LIMIT_VIRTUAL_TRANSFORMS)) {
		return false;
	}
	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *value = json_array_get(list, i);
		long long index;

		if (json_is_string(value)) {
			if (!jc_virtual_choice_add_tag(choice, json_string_value(value))) {
				return false;
			}
		} else if (jc_json_is_integer(value, &index) && index >= 0 &&
			   index < JC_LIMIT_VIRTUAL_TRANSFORMS) {
			choice->indices[index / 8] |= (uint8_t)(1 << index % 8);
		} else {
			return false;
		}
	}
	return true;
}

const char *jc_view_spec_read(
	const json_t *object, struct jc_stream_spec *out_spec, char out_token[JC_VIEW_TOKEN])
{
	const char *named = json_string_value(json_object_get(object, "view"));
	struct jc_stream_spec spec = { 0 };
	char token[JC_VIEW_TOKEN];
	long long coding, rate, sections;

	if (!read_integer(object, "coding", 1, 3, &coding)) {
		return "coding must be 1, 2 or 3";
	}
	if (!read_precision(object, "precision", &spec.precision) ||
		!read_precision(object, "finest", &spec.finest) || spec.precision < spec.finest) {
		return "precision and finest must be fine, standard or coarse, and precision not "
		       "finer";
	}
	if (!read_integer(object, "rate", 1, 4, &rate) || rate == 3) {
		return "rate must be 1, 2 or 4";
	}
	/* A stream of coding 1 has all sections, independent of the spec. */
	if (!read_integer(object, "sections", coding >= JC_CODING_CHAIN, SECTIONS, &sections) ||
		sections & ~SECTIONS) {
		return "sections must be a set of sections";
	}
	if (!read_virtuals(json_object_get(object, "virtual"), &spec.virtuals) ||
		(spec.virtuals.is_some && !(sections & JC_STREAM_SECTION(JC_SECTION_VIRTUALS)))) {
		return "virtual must be a list of indices and tags, with the section";
	}
	spec.contacts = json_is_true(json_object_get(object, "contacts"));
	spec.chains = coding >= JC_CODING_CHAIN;
	spec.model = coding == JC_CODING_MODEL_CHAIN;
	spec.rate = (uint32_t)rate;
	spec.sections = (unsigned)sections;
	if (!named || jc_view_token(&spec, token) != JC_OK || strcmp(named, token) != 0) {
		return "view is not the token of the spec";
	}
	*out_spec = spec;
	strcpy(out_token, token);
	return NULL;
}
