/* Permissions of an avatar: meta of VRM 1.0 (VRMC_vrm-1.0, meta.md) and VRM 0.x. Unknown and
 * missing values permit nothing. */
#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include "avatar_private.h"
#include "jointcast_private/text.h"

static const char *text_of(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? text : "";
}

static bool is(const json_t *object, const char *key, const char *value)
{
	return strcmp(text_of(object, key), value) == 0;
}

/* Appends text to a field of the facts, after `separator` if the field is not empty. */
static void append(char field[JC_AVATAR_TEXT_BYTES], const char *separator, const char *text)
{
	size_t length = strlen(field);
	char joined[2 * JC_AVATAR_TEXT_BYTES];

	snprintf(joined, sizeof(joined), "%s%s%.*s", field, length > 0 ? separator : "",
		JC_AVATAR_TEXT_BYTES, text);
	joined[jc_utf8_cut(joined, JC_AVATAR_TEXT_BYTES - 1)] = '\0';
	jc_text_clean(joined);
	memcpy(field, joined, strlen(joined) + 1);
}

static void read_vrm1(struct jc_avatar_facts *facts, const json_t *meta)
{
	const json_t *authors = json_object_get(meta, "authors");

	facts->permission = JC_AVATAR_ONLY_AUTHOR;
	if (is(meta, "avatarPermission", "everyone")) {
		facts->permission = JC_AVATAR_EVERYONE;
	} else if (is(meta, "avatarPermission", "onlySeparatelyLicensedPerson")) {
		facts->permission = JC_AVATAR_LICENSED;
	}
	facts->modification = JC_AVATAR_MODIFICATION_PROHIBITED;
	if (is(meta, "modification", "allowModificationRedistribution")) {
		facts->modification = JC_AVATAR_MODIFICATION_REDISTRIBUTED;
	} else if (is(meta, "modification", "allowModification")) {
		facts->modification = JC_AVATAR_MODIFICATION_ALLOWED;
	}
	facts->may_redistribute = json_is_true(json_object_get(meta, "allowRedistribution"));
	append(facts->title, "", text_of(meta, "name"));
	for (size_t i = 0; i < json_array_size(authors); i++) {
		const char *author = json_string_value(json_array_get(authors, i));

		append(facts->author, ", ", author ? author : "?");
	}
	append(facts->licence, "", text_of(meta, "licenseUrl"));
}

/* The Creative Commons licences permit copies; those without ND permit changed ones too. */
static void read_licence_name(struct jc_avatar_facts *facts, const json_t *meta)
{
	const char *name = text_of(meta, "licenseName");
	size_t length = strlen(name);

	facts->may_redistribute = length > 0 && strcmp(name, "Redistribution_Prohibited") != 0;
	facts->modification = JC_AVATAR_MODIFICATION_PROHIBITED;
	if (strncmp(name, "CC", 2) == 0 && (length < 3 || strcmp(name + length - 3, "_ND") != 0)) {
		facts->modification = JC_AVATAR_MODIFICATION_REDISTRIBUTED;
	}
	append(facts->licence, "", name);
	if (strcmp(name, "Other") == 0) {
		append(facts->licence, ": ", text_of(meta, "otherLicenseUrl"));
	}
}

static void read_vrm0(struct jc_avatar_facts *facts, const json_t *meta)
{
	facts->permission = JC_AVATAR_ONLY_AUTHOR;
	if (is(meta, "allowedUserName", "Everyone")) {
		facts->permission = JC_AVATAR_EVERYONE;
	} else if (is(meta, "allowedUserName", "ExplicitlyLicensedPerson")) {
		facts->permission = JC_AVATAR_LICENSED;
	}
	read_licence_name(facts, meta);
	append(facts->title, "", text_of(meta, "title"));
	append(facts->author, "", text_of(meta, "author"));
}

void jc_avatar_meta_read(struct jc_avatar_reader *reader)
{
	const json_t *vrm1 = jc_gltf_extension(reader->gltf, "VRMC_vrm");
	const json_t *vrm0 = jc_gltf_extension(reader->gltf, "VRM");
	const json_t *meta = json_object_get(vrm1 ? vrm1 : vrm0, "meta");
	struct jc_avatar_facts *facts = &reader->facts;

	facts->is_vrm = vrm1 || vrm0;
	if (vrm1) {
		facts->format = JC_AVATAR_VRM1;
		read_vrm1(facts, meta);
	} else if (vrm0) {
		facts->format = JC_AVATAR_VRM0;
		read_vrm0(facts, meta);
	}
	if (facts->licence[0] == '\0') {
		append(facts->licence, "",
			text_of(json_object_get(reader->root, "asset"), "copyright"));
	}
}

int jc_avatar_check_rights(const struct jc_avatar_facts *facts, enum jc_avatar_rights rights,
	struct jc_diagnostic *diagnostic)
{
	if (!facts->is_vrm || rights == JC_AVATAR_RIGHTS_AUTHOR) {
		return JC_OK;
	}
	if (facts->permission == JC_AVATAR_ONLY_AUTHOR) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, "meta",
			"file permits only its author to act as the avatar");
	}
	if (rights == JC_AVATAR_RIGHTS_LICENSED) {
		return JC_OK;
	}
	if (facts->permission != JC_AVATAR_EVERYONE) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, "meta",
			"file permits only licensed persons to act as the avatar");
	}
	if (!facts->may_redistribute) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, "meta",
			"file does not permit its redistribution");
	}
	return JC_OK;
}

static const char *const rights_names[] = {
	[JC_AVATAR_RIGHTS_AUTHOR] = "author",
	[JC_AVATAR_RIGHTS_LICENSED] = "licensed",
	[JC_AVATAR_RIGHTS_PUBLIC] = "public",
};

const char *jc_avatar_rights_name(enum jc_avatar_rights rights)
{
	return rights_names[rights];
}

bool jc_avatar_rights_find(const char *name, enum jc_avatar_rights *out_rights)
{
	for (int i = JC_AVATAR_RIGHTS_AUTHOR; i <= JC_AVATAR_RIGHTS_PUBLIC; i++) {
		if (strcmp(rights_names[i], name) == 0) {
			*out_rights = (enum jc_avatar_rights)i;
			return true;
		}
	}
	return false;
}
