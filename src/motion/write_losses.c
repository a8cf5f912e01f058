/* Reports what a format cannot store: one finding for each kind of loss, however many
 * frames it concerns. */
#include "write_losses.h"

#include <stdio.h>
#include <string.h>

void jc_write_losses_add(struct jc_write_losses *losses, const struct jc_pose *pose)
{
	uint64_t known = 0;

	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		uint64_t bit = UINT64_C(1) << bone;

		known |= pose->states[bone] != JC_ABSENT ? bit : 0;
		losses->estimated |= pose->states[bone] == JC_ESTIMATED ? bit : 0;
	}
	if (losses->any_frame) {
		losses->gaps |= known ^ losses->known;
	}
	losses->known |= known;
	losses->any_frame = true;
}

/* Lists as many names as fit, then how many more there are. */
static void list_bones(uint64_t bones, char *out, size_t size)
{
	size_t at = 0;
	int left = __builtin_popcountll(bones);

	out[0] = '\0';
	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		const char *name = jc_bone_name((enum jc_bone)bone);

		if (!(bones >> bone & 1)) {
			continue;
		}
		if (at + strlen(name) + 24 > size) {
			snprintf(out + at, size - at, " and %d more", left);
			return;
		}
		at += (size_t)snprintf(out + at, size - at, "%s%s", at > 0 ? ", " : "", name);
		left--;
	}
}

static void note_bones(struct jc_lint *lint, uint64_t bones, const char *code, const char *what)
{
	char names[120];

	if (bones) {
		list_bones(bones, names, sizeof(names));
		jc_lint_add(lint, JC_WARNING, code, "%s: %s", what, names);
	}
}

void jc_write_losses_report(const struct jc_write_losses *losses, const struct jc_clip *clip,
	uint64_t kept_bones, bool keeps_channels, bool keeps_states, struct jc_lint *lint)
{
	size_t channels = jc_motion_channel_count(clip->motion);

	note_bones(lint, losses->known & ~kept_bones, "bones-lost", "bones not kept");
	if (channels > 0 && !keeps_channels) {
		jc_lint_add(lint, JC_WARNING, "channels-lost",
			"%zu channel%s of expressions and gaze not kept", channels,
			channels == 1 ? "" : "s");
	}
	if (!keeps_states) {
		note_bones(lint, losses->estimated & kept_bones, "estimates-lost",
			"not kept that bones are estimated");
		note_bones(lint, losses->gaps & kept_bones, "gaps-lost",
			"absent for a time, written as at rest");
	}
}

void jc_write_losses_add_name(struct jc_write_losses_names *names, const char *name)
{
	size_t at = strlen(names->text);

	/* Once a name does not fit, the following ones are not listed either. */
	if (names->listed == names->count && at + strlen(name) + 5 <= sizeof(names->text)) {
		snprintf(names->text + at, sizeof(names->text) - at, "%s'%s'", at > 0 ? ", " : "",
			name);
		names->listed++;
	}
	names->count++;
}

void jc_write_losses_report_names(const struct jc_write_losses_names *names, const char *code,
	const char *what, struct jc_lint *lint)
{
	char more[32] = "";

	if (names->count == 0) {
		return;
	}
	if (names->listed < names->count) {
		snprintf(more, sizeof(more), "%s%zu more", names->listed > 0 ? " and " : "",
			names->count - names->listed);
	}
	jc_lint_add(lint, JC_WARNING, code, "%s: %s%s", what, names->text, more);
}

void jc_write_losses_report_virtuals(const struct jc_skeleton *skeleton, struct jc_lint *lint)
{
	const struct jc_virtual_transform *virtuals = jc_skeleton_virtual_transforms(skeleton);
	struct jc_write_losses_names names = { 0 };

	for (size_t i = 0; i < jc_skeleton_virtual_transform_count(skeleton); i++) {
		jc_write_losses_add_name(&names, virtuals[i].name);
	}
	jc_write_losses_report_names(&names, "virtual-lost", "virtual transforms not kept", lint);
}

void jc_write_losses_report_info(const struct jc_skeleton *skeleton, struct jc_lint *lint)
{
	const struct jc_skeleton_facts *facts = jc_skeleton_facts(skeleton);
	struct jc_write_losses_names names = { 0 };

	for (size_t i = 0; i < facts->info_count; i++) {
		jc_write_losses_add_name(&names, facts->info[i]);
	}
	jc_write_losses_report_names(&names, "info-lost", "info of the figure not kept", lint);
}

void jc_write_losses_report_body(const struct jc_skeleton *skeleton, struct jc_lint *lint)
{
	const struct jc_skeleton_node *nodes = jc_skeleton_nodes(skeleton);
	struct jc_write_losses_names limits = { 0 }, segments = { 0 };

	for (size_t i = 0; i < jc_skeleton_limit_count(skeleton); i++) {
		jc_write_losses_add_name(&limits, nodes[jc_skeleton_limits(skeleton)[i].node].name);
	}
	for (size_t i = 0; i < jc_skeleton_segment_count(skeleton); i++) {
		jc_write_losses_add_name(&segments, jc_skeleton_segments(skeleton)[i].name);
	}
	jc_write_losses_report_names(&limits, "limits-lost", "limits of joints not kept", lint);
	jc_write_losses_report_names(
		&segments, "segments-lost", "masses of segments not kept", lint);
}
