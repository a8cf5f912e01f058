/* Finds joints by distance. The serials of trackers stay out of the reasons, because a client
 * receives them. */
#include "source/worn_trackers.h"

#include <math.h>
#include <string.h>

#include "jointcast/transform.h"

/* The nearest joint is at most at this share of the distance of the second one: a foot tracker of a
 * person with feet together has 0.6, the middle of an upper arm 0.95. */
#define CLEARLY_NEARER 0.75f

/* The name of a role in a sentence: "left foot". */
struct role_text {
	char text[32];
};

static struct role_text text_of(enum jc_joint joint)
{
	struct role_text role = { "" };
	const char *name = jc_tracker_role_name(jc_tracker_role_of(joint));

	for (size_t i = 0; name[i] && i + 1 < sizeof(role.text); i++) {
		role.text[i] = name[i] == '_' ? ' ' : name[i];
	}
	return role;
}

void jc_worn_trackers_take_off(const struct jc_worn_trackers *trackers, struct jc_body_frame *frame)
{
	for (size_t i = 0; i < trackers->count; i++) {
		if (trackers->list[i].joint != JC_JOINT_NONE) {
			frame->joints[trackers->list[i].joint].state = JC_ABSENT;
		}
	}
}

void jc_worn_trackers_put_on(const struct jc_worn_trackers *trackers, enum jc_profile profile,
	struct jc_body_frame *frame)
{
	for (size_t i = 0; i < trackers->count; i++) {
		const struct jc_worn_tracker *tracker = &trackers->list[i];

		if (tracker->joint != JC_JOINT_NONE) {
			frame->joints[tracker->joint] = (struct jc_body_joint){
				.position = tracker->position,
				.orientation = jc_quat_multiply(
					tracker->turn, jc_joint_t_pose(profile, tracker->joint)),
				.state = (uint8_t)tracker->state,
			};
		}
	}
}

/* The two nearest joints of roles that the frame lacks, and the distance to the nearest joint that
 * needs no tracker, metres. */
struct nearest {
	enum jc_joint first, second;
	float first_way, second_way, other_way;
};

static struct nearest find_nearest(struct jc_vec3 position, const struct jc_body_frame *figure,
	const struct jc_body_frame *frame)
{
	struct nearest nearest = { JC_JOINT_NONE, JC_JOINT_NONE, INFINITY, INFINITY, INFINITY };

	for (int i = 0; i < JC_JOINT_COUNT; i++) {
		enum jc_joint joint = (enum jc_joint)i;
		bool has_role = jc_tracker_role_of(joint) >= 0;
		float way =
			jc_vec3_length(jc_vec3_subtract(position, figure->joints[joint].position));

		if (joint == JC_JOINT_HEAD ||
			(has_role && frame->joints[joint].state != JC_ABSENT)) {
			nearest.other_way = fminf(nearest.other_way, way);
		} else if (has_role && way < nearest.first_way) {
			nearest.second = nearest.first;
			nearest.second_way = nearest.first_way;
			nearest.first = joint;
			nearest.first_way = way;
		} else if (has_role && way < nearest.second_way) {
			nearest.second = joint;
			nearest.second_way = way;
		}
	}
	return nearest;
}

static int find_joint(const struct jc_worn_tracker *tracker, const struct nearest *nearest,
	float height, enum jc_joint *out_joint, struct jc_diagnostic *diagnostic)
{
	if (!(nearest->first_way <= JC_CALIBRATION_OFF_MOST * height) ||
		nearest->other_way < nearest->first_way) {
		*out_joint = JC_JOINT_NONE;
		return JC_OK;
	}
	if (nearest->first_way > CLEARLY_NEARER * nearest->second_way) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
			"the tracker %.2f m over the floor is %.2f m from the %s and %.2f m from "
			"the %s: wear it nearer to one of them, or set its role",
			(double)tracker->position.y, (double)nearest->first_way,
			text_of(nearest->first).text, (double)nearest->second_way,
			text_of(nearest->second).text);
	}
	*out_joint = nearest->first;
	return JC_OK;
}

int jc_worn_trackers_assign(struct jc_worn_trackers *trackers, const struct jc_body_frame *frame,
	enum jc_profile profile, enum jc_calibration_pose pose, float height,
	struct jc_diagnostic *diagnostic)
{
	enum jc_joint joints[JC_WORN_TRACKERS];
	bool is_taken[JC_JOINT_COUNT] = { false };
	struct jc_body_frame figure;
	int status = jc_calibration_figure(frame, profile, pose, height, &figure, diagnostic);

	for (size_t i = 0; status == JC_OK && i < trackers->count; i++) {
		const struct jc_worn_tracker *tracker = &trackers->list[i];
		struct nearest nearest = find_nearest(tracker->position, &figure, frame);

		status = find_joint(tracker, &nearest, height, &joints[i], diagnostic);
		if (status != JC_OK || joints[i] == JC_JOINT_NONE) {
			continue;
		}
		if (is_taken[joints[i]]) {
			status = jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
				"two trackers are nearest to the %s: move one of them, or set its "
				"role",
				text_of(joints[i]).text);
		}
		is_taken[joints[i]] = true;
	}
	for (size_t i = 0; status == JC_OK && i < trackers->count; i++) {
		trackers->list[i].joint = joints[i];
	}
	return status;
}

void jc_worn_trackers_follow(
	struct jc_worn_trackers *trackers, const struct jc_worn_trackers *other)
{
	for (size_t i = 0; i < trackers->count; i++) {
		trackers->list[i].joint = JC_JOINT_NONE;
		for (size_t j = 0; j < other->count; j++) {
			if (strcmp(trackers->list[i].name, other->list[j].name) == 0) {
				trackers->list[i].joint = other->list[j].joint;
			}
		}
	}
}

struct jc_tracker_roles jc_worn_trackers_roles(const struct jc_worn_trackers *trackers)
{
	struct jc_tracker_roles roles = { 0 };

	for (size_t i = 0; i < trackers->count; i++) {
		const struct jc_worn_tracker *tracker = &trackers->list[i];

		if (tracker->joint != JC_JOINT_NONE) {
			jc_tracker_roles_add(
				&roles, tracker->name, jc_tracker_role_of(tracker->joint));
		}
	}
	return roles;
}
