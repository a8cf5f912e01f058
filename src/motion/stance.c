/* Standing, with the weight on one leg or the other, and breathing. */
#include "stance.h"

#include "jointcast/transform.h"

static void plant(struct jc_figure *figure, enum jc_side side)
{
	float out = side == JC_LEFT ? 1.0f : -1.0f;
	struct jc_vec3 ankle = jc_bone_rest_position(JC_BONE_LEFT_FOOT);
	struct jc_quat foot = jc_figure_rotation(out * JC_RADIANS(9.0f), 0.0f, 0.0f);

	ankle.x = out * 0.108f;
	jc_figure_plant_leg(
		figure, side, ankle, foot, 0.0f, (struct jc_vec3){ out * 0.12f, 0.0f, 1.0f });
}

void jc_stance_place(const struct jc_stance *stance, struct jc_figure *figure)
{
	struct jc_vec3 even = jc_bone_rest_position(JC_BONE_HIPS);
	float weight = stance->weight;
	struct jc_vec3 hips = jc_vec3_add(even, stance->moved);

	hips.x += 0.027f * weight;
	hips.y -= 0.009f - 0.0015f * stance->breath;
	/* The pelvis drops on the side without weight, and its knee gives in. */
	jc_figure_place_hips(figure, hips,
		jc_figure_rotation(
			JC_RADIANS(-2.0f) * weight, stance->bow, JC_RADIANS(2.6f) * weight));
	jc_figure_bend_trunk(figure, stance->turn + JC_RADIANS(2.0f) * weight,
		stance->bend - JC_RADIANS(1.3f) * stance->breath, JC_RADIANS(-3.4f) * weight);
	plant(figure, JC_LEFT);
	plant(figure, JC_RIGHT);
	for (int side = JC_LEFT; side <= JC_RIGHT; side++) {
		jc_figure_shrug(figure, (enum jc_side)side,
			JC_RADIANS(-3.0f) + JC_RADIANS(1.2f) * stance->breath);
		jc_figure_set_hand(figure, (enum jc_side)side, jc_figure_relaxed_hand());
	}
}

struct jc_figure_arm jc_stance_arm(const struct jc_stance *stance, enum jc_side side)
{
	float out = side == JC_LEFT ? 1.0f : -1.0f;

	return (struct jc_figure_arm){
		.raise = JC_RADIANS(10.0f) + JC_RADIANS(1.0f) * stance->breath +
			 JC_RADIANS(1.5f) * out * stance->weight,
		.forward = JC_RADIANS(1.0f) + JC_RADIANS(2.0f) * out * stance->weight,
		.twist = JC_RADIANS(-20.0f),
		.elbow = JC_RADIANS(17.0f) - JC_RADIANS(1.5f) * stance->breath,
		.supinate = JC_RADIANS(6.0f),
		.wrist = JC_RADIANS(6.0f),
		.deviate = JC_RADIANS(2.0f),
	};
}

void jc_stance_look(
	struct jc_figure *figure, float turn, float bow, float eyes_turn, float eyes_bow)
{
	jc_figure_aim_head(figure, jc_figure_rotation(turn, bow, 0.0f));
	jc_figure_aim_eyes(figure, eyes_turn - turn, eyes_bow - bow);
}
