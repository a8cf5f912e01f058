/* Keeps author and copyright of a figure for the writers of glTF files. */
#include "gltf_info.h"

#include <string.h>

#include <jansson.h>

static int set_copyright(json_t *asset, const struct jc_skeleton_facts *facts)
{
	static const char tag[] = "copyright=";

	for (size_t i = 0; i < facts->info_count; i++) {
		if (strncmp(facts->info[i], tag, sizeof(tag) - 1) == 0 &&
			!json_object_get(asset, "copyright")) {
			return json_object_set_new(
				asset, "copyright", json_string(facts->info[i] + sizeof(tag) - 1));
		}
	}
	return 0;
}

int jc_gltf_info_set(json_t *asset, const struct jc_skeleton_facts *facts)
{
	json_t *extras, *list;
	int error;

	if (facts->info_count == 0) {
		return JC_OK;
	}
	if (!json_is_object(json_object_get(asset, "extras"))) {
		json_object_set_new(asset, "extras", json_object());
	}
	extras = json_object_get(asset, "extras");
	list = json_array();
	error = json_object_set_new(extras, "hanimInfo", list);
	for (size_t i = 0; !error && i < facts->info_count; i++) {
		error = json_array_append_new(list, json_string(facts->info[i]));
	}
	if (!error) {
		error = set_copyright(asset, facts);
	}
	return error ? JC_ERROR_MEMORY : JC_OK;
}
