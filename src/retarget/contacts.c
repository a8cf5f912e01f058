/* Keeps the contacts of a motion on a figure of other proportions. */
#include "jointcast/contacts.h"

#include <stdlib.h>

#include "contact_feet.h"
#include "contact_hands.h"

struct jc_contacts {
	struct jc_contact_feet feet;
	struct jc_contact_hands hands;
};

int jc_contacts_create(const struct jc_skeleton *source, const struct jc_skeleton *skeleton,
	struct jc_contacts **out_contacts)
{
	struct jc_contacts *contacts = calloc(1, sizeof(*contacts));
	struct jc_contact_t_pose from, to;
	struct jc_skeleton *builtin = NULL;
	int error = contacts ? JC_OK : JC_ERROR_MEMORY;

	if (!error && !source) {
		error = jc_skeleton_create_builtin(&builtin);
	}
	if (!error) {
		error = jc_contact_t_pose_init(&from, source ? source : builtin);
	}
	if (!error) {
		error = jc_contact_t_pose_init(&to, skeleton);
	}
	if (error) {
		free(contacts);
		goto out;
	}
	jc_contact_feet_init(&contacts->feet, &from, &to);
	jc_contact_hands_init(&contacts->hands, &from, &to);
	*out_contacts = contacts;
out:
	jc_skeleton_destroy(builtin);
	return error;
}

void jc_contacts_destroy(struct jc_contacts *contacts)
{
	free(contacts);
}

bool jc_contacts_is_active(const struct jc_contacts *contacts)
{
	return contacts->feet.is_active || contacts->hands.is_active;
}

float jc_contacts_stride(const struct jc_contacts *contacts)
{
	return contacts->feet.stride;
}

void jc_contacts_reset(struct jc_contacts *contacts)
{
	jc_contact_feet_reset(&contacts->feet);
	jc_contact_hands_reset(&contacts->hands);
}

bool jc_contacts_keep(struct jc_contacts *contacts, const struct jc_pose *pose, double seconds,
	struct jc_quat rotations[JC_BONE_COUNT], struct jc_vec3 *hips_translation)
{
	bool changed =
		jc_contact_feet_keep(&contacts->feet, pose, seconds, rotations, hips_translation);

	changed |= jc_contact_hands_keep(
		&contacts->hands, pose, seconds, rotations, *hips_translation);
	return changed;
}
