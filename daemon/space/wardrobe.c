/* A skeleton is judged and made ready once, when it is registered, so that no
 * later step can find it wanting. */
#include "space/wardrobe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct jc_outfit *find(const struct jc_wardrobe *wardrobe, const char *hash)
{
	for (size_t i = 0; i < wardrobe->count; i++) {
		if (strcmp(wardrobe->outfits[i].hash, hash) == 0) {
			return &wardrobe->outfits[i];
		}
	}
	return NULL;
}

static int make_message(struct jc_outfit *outfit, struct jc_diagnostic *diagnostic)
{
	char *descriptor = NULL;
	int status = jc_skeleton_write_descriptor(outfit->skeleton, &descriptor);

	if (status != JC_OK) {
		return jc_diagnose(diagnostic, status, NULL, "its descriptor cannot be written: %s",
			jc_error_name(status));
	}
	if (strlen(descriptor) > JC_LIMIT_DESCRIPTOR_BYTES) {
		status = jc_diagnose(diagnostic, JC_ERROR_LIMIT, NULL,
			"its descriptor is larger than %u KiB", JC_LIMIT_DESCRIPTOR_BYTES >> 10);
	} else if (asprintf(&outfit->message,
			   "{\"type\":\"skeleton\",\"hash\":\"%s\",\"descriptor\":%s}",
			   outfit->hash, descriptor) < 0) {
		status = jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	} else {
		outfit->message_length = strlen(outfit->message);
	}
	free(descriptor);
	return status;
}

static int make_scratch(struct jc_outfit *outfit)
{
	size_t nodes = jc_skeleton_node_count(outfit->skeleton);
	size_t count = jc_skeleton_virtual_transform_count(outfit->skeleton);

	if (count == 0) {
		return JC_OK;
	}
	outfit->locals = calloc(nodes, sizeof(outfit->locals[0]));
	outfit->worlds = calloc(nodes, sizeof(outfit->worlds[0]));
	outfit->virtuals = calloc(count, sizeof(outfit->virtuals[0]));
	return outfit->locals && outfit->worlds && outfit->virtuals ? JC_OK : JC_ERROR_MEMORY;
}

/* All but the skeleton. */
static void outfit_finish(struct jc_outfit *outfit)
{
	free(outfit->message);
	free(outfit->locals);
	free(outfit->worlds);
	free(outfit->virtuals);
	jc_retargeter_destroy(outfit->retargeter);
}

int jc_wardrobe_add(struct jc_wardrobe *wardrobe, struct jc_skeleton *skeleton,
	const struct jc_outfit **out_outfit, struct jc_diagnostic *diagnostic)
{
	struct jc_outfit outfit = {
		.index = wardrobe->count, .skeleton = skeleton, .hash = jc_skeleton_hash(skeleton)
	};
	const struct jc_outfit *known = find(wardrobe, outfit.hash);

	if (known) {
		jc_skeleton_destroy(skeleton);
		*out_outfit = known;
		return JC_OK;
	}
	if (wardrobe->count == JC_MAX_SKELETONS) {
		return jc_diagnose(diagnostic, JC_ERROR_LIMIT, NULL, "more than %u skeletons",
			JC_MAX_SKELETONS);
	}
	int status = jc_retargeter_create(skeleton, &outfit.retargeter);
	if (status != JC_OK) {
		return jc_diagnose(diagnostic, status, NULL, "cannot be retargeted to: %s",
			jc_error_name(status));
	}
	status = make_message(&outfit, diagnostic);
	if (status == JC_OK && make_scratch(&outfit) != JC_OK) {
		status = jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	if (status != JC_OK) {
		outfit_finish(&outfit);
		return status;
	}
	wardrobe->outfits[wardrobe->count] = outfit;
	*out_outfit = &wardrobe->outfits[wardrobe->count++];
	return JC_OK;
}

int jc_wardrobe_init(struct jc_wardrobe *wardrobe, struct jc_diagnostic *diagnostic)
{
	const struct jc_outfit *humanoid;
	struct jc_skeleton *skeleton;

	wardrobe->count = 0;
	int status = jc_skeleton_create_builtin(&skeleton);
	if (status != JC_OK) {
		return jc_diagnose(diagnostic, status, NULL, "the built-in skeleton: %s",
			jc_error_name(status));
	}
	status = jc_wardrobe_add(wardrobe, skeleton, &humanoid, diagnostic);
	if (status != JC_OK) {
		jc_skeleton_destroy(skeleton);
	}
	return status;
}

void jc_wardrobe_finish(struct jc_wardrobe *wardrobe)
{
	for (size_t i = 0; i < wardrobe->count; i++) {
		outfit_finish(&wardrobe->outfits[i]);
		jc_skeleton_destroy(wardrobe->outfits[i].skeleton);
	}
	wardrobe->count = 0;
}
