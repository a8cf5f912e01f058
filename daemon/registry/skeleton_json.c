/* The same JSON for WebSocket messages and HTTP routes. */
#include "registry/skeleton_json.h"

#include <stdio.h>

#include "jointcast_private/text.h"

static json_t *pack_finding(struct jc_lint_entry *entry)
{
	jc_utf8_repair(entry->text);
	return json_pack("{ss ss ss* ss}", "severity",
		entry->severity == JC_WARNING ? "warning" : "note", "code", entry->code, "bone",
		entry->bone == JC_BONE_NONE ? NULL : jc_bone_name(entry->bone), "text",
		entry->text);
}

static json_t *pack_lint(struct jc_lint *lint)
{
	json_t *list = json_array();

	for (size_t i = 0; lint && i < lint->count; i++) {
		json_array_append_new(list, pack_finding(&lint->entries[i]));
	}
	return list;
}

json_t *jc_skeleton_json_registered(const struct jc_registry_answer *answer)
{
	return json_pack("{ss ss ss sb so}", "type", "registered", "name", answer->name, "hash",
		answer->asset->hash, "stored", answer->is_stored, "lint", pack_lint(answer->lint));
}

json_t *jc_skeleton_json_list(const struct jc_registry *registry, const struct jc_owner *owner)
{
	struct jc_registration *const *entries;
	size_t count = jc_registrations_of(jc_registry_registrations(registry), owner, &entries);
	json_t *list = json_array();

	for (size_t i = 0; i < count; i++) {
		const struct jc_skeleton_asset *asset = entries[i]->asset;

		json_array_append_new(
			list, json_pack("{ss ss sI sb}", "name", entries[i]->name, "hash",
				      asset->hash, "bytes", (json_int_t)asset->descriptor_length,
				      "worn", asset->user_count > 0));
	}
	return json_pack("{ss so}", "type", "wardrobe", "skeletons", list);
}

void jc_skeleton_json_reason(const struct jc_diagnostic *diagnostic, char out_text[512])
{
	snprintf(out_text, 512, "%s%s%s", diagnostic->what, diagnostic->where[0] ? ", " : "",
		diagnostic->where);
	jc_utf8_repair(out_text);
}
