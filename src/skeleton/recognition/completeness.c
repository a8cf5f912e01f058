/* Computes how complete a body is from the weights of its parts. A part with two sides
 * counts if both are present: one leg may be anything. */
#include "completeness.h"

#include <stdbool.h>
#include <stdio.h>

#define BONES_OF_PART 2

static const struct part {
	const char *name;
	int percent;
	/* All of these with their mirrored ones, or any one if is_choice. */
	enum jc_bone bones[BONES_OF_PART];
	bool is_choice;
} parts[] = {
	{ "hips", 10, { JC_BONE_HIPS, JC_BONE_HIPS }, false },
	{ "spine", 10, { JC_BONE_SPINE, JC_BONE_SPINE }, false },
	{ "head", 10, { JC_BONE_HEAD, JC_BONE_NECK }, true },
	{ "both legs", 25, { JC_BONE_LEFT_UPPER_LEG, JC_BONE_LEFT_LOWER_LEG }, false },
	{ "both feet", 10, { JC_BONE_LEFT_FOOT, JC_BONE_LEFT_FOOT }, false },
	{ "both arms", 25, { JC_BONE_LEFT_UPPER_ARM, JC_BONE_LEFT_LOWER_ARM }, false },
	{ "both hands", 10, { JC_BONE_LEFT_HAND, JC_BONE_LEFT_HAND }, false },
};

#define PART_COUNT (sizeof(parts) / sizeof(parts[0]))

static bool has_part(const int *bones, const struct part *part)
{
	size_t found = 0;

	for (int i = 0; i < BONES_OF_PART; i++) {
		found += bones[part->bones[i]] >= 0 && bones[jc_bone_mirror(part->bones[i])] >= 0;
	}
	return part->is_choice ? found > 0 : found == BONES_OF_PART;
}

void jc_completeness_clear(struct jc_recognition *recognition)
{
	*recognition = (struct jc_recognition){ .family = "" };
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		recognition->bones[b] = -1;
	}
}

void jc_completeness_count_bones(struct jc_recognition *recognition)
{
	recognition->bone_count = 0;
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		recognition->bone_count += recognition->bones[b] >= 0;
	}
}

void jc_completeness_count(struct jc_recognition *recognition)
{
	int percent = 0;

	jc_completeness_count_bones(recognition);
	for (size_t i = 0; i < PART_COUNT; i++) {
		if (has_part(recognition->bones, &parts[i])) {
			percent += parts[i].percent;
		}
	}
	recognition->confidence = (float)percent / 100.0f;
}

void jc_completeness_list_missing(const int *bones, char *out_text, size_t size)
{
	size_t used = 0;

	out_text[0] = '\0';
	for (size_t i = 0; i < PART_COUNT && used < size; i++) {
		if (!has_part(bones, &parts[i])) {
			used += (size_t)snprintf(out_text + used, size - used, "%s%s",
				used > 0 ? ", " : "", parts[i].name);
		}
	}
}
