/* Targets of an encoder. In coding 3 each bone of the body is encoded relative to what decoders
 * show of its parent: its target is the local rotation that gives it the right rotation in model
 * space. Errors thus do not add up from the hips to the hands. */
#include <math.h>

#include "chain_private.h"

void jc_chain_aim_init(struct jc_chain_aim *aim, const struct jc_chain *chain,
	const struct jc_quat *rotations, const struct jc_vec3 *points)
{
	aim->chain = chain;
	aim->rotations = rotations;
	aim->points = points;
	aim->seen = 0;
	jc_chain_feet_init(&aim->feet, chain, points);
}

static struct jc_quat64 widen(struct jc_quat q)
{
	return (struct jc_quat64){ q.x, q.y, q.z, q.w };
}

static int aim_at_point(const struct jc_chain *chain, size_t item, struct jc_vec3 point,
	struct jc_chart_point *out_target)
{
	const double at[3] = { point.x, point.y, point.z };

	for (int c = 0; c < 3; c++) {
		double place = at[c] / jc_chain_grid_unit(chain);

		/* Written so that NaN fails it. */
		if (!(fabs(place) < jc_chain_place_most(chain, item) + 0.5)) {
			return JC_ERROR_INVALID;
		}
		out_target->v[c] = place;
	}
	return JC_OK;
}

static int aim_at_linked(struct jc_chain_aim *aim, int bone, const int32_t near[3],
	struct jc_chart_point *out_target)
{
	int ancestor = jc_chain_ancestor(aim->seen, bone);
	struct jc_quat64 own = widen(aim->rotations[bone]);
	double square = own.x * own.x + own.y * own.y + own.z * own.z + own.w * own.w;

	if (!(fabs(sqrt(square) - 1.0) <= 1e-3)) {
		return JC_ERROR_INVALID;
	}
	aim->wanted = ancestor >= 0 ? jc_quat64_multiply(&aim->errors[ancestor], &own) : own;
	jc_chain_feet_aim(&aim->feet, bone, &aim->wanted);
	jc_chart_from_quat(&aim->wanted, &aim->lattice, near, out_target);
	return JC_OK;
}

int jc_chain_aim_at(struct jc_chain_aim *aim, size_t item, const int32_t near[3],
	struct jc_chart_point *out_target)
{
	const struct jc_chain *chain = aim->chain;
	int bone = chain->bones[item];

	if (jc_chain_is_grid(chain, item)) {
		return aim_at_point(chain, item, aim->points[bone], out_target);
	}
	aim->lattice = jc_chain_lattice(chain, item);
	if (jc_chain_is_linked(chain)) {
		return aim_at_linked(aim, bone, near, out_target);
	}
	return jc_chart_from_rotation(aim->rotations[bone], &aim->lattice, near, out_target)
		       ? JC_OK
		       : JC_ERROR_INVALID;
}

/* Where bones correct each other's errors, a near place costs the next bones less. */
int jc_chain_aim_cost(
	const struct jc_chain_aim *aim, size_t item, double share, const int32_t place[3])
{
	const struct jc_chain *chain = aim->chain;
	int cost;

	if (!jc_chain_has_levels(chain)) {
		return 0;
	}
	cost = (int)(jc_chain_precisions[chain->precision].far_cost * share);
	if (aim->feet.matters) {
		struct jc_quat64 shown = widen(jc_chart_to_rotation(place, &aim->lattice));

		cost += jc_chain_feet_cost(&aim->feet, chain->bones[item], &shown);
	}
	return cost;
}

void jc_chain_aim_pass(struct jc_chain_aim *aim, size_t item, const int32_t place[3])
{
	const struct jc_chain *chain = aim->chain;
	int bone = chain->bones[item];
	struct jc_quat64 shown;

	if (!jc_chain_is_linked(chain)) {
		return;
	}
	shown = widen(jc_chart_to_rotation(place, &aim->lattice));
	jc_chain_feet_pass(&aim->feet, bone, &shown);
	shown.x = -shown.x;
	shown.y = -shown.y;
	shown.z = -shown.z;
	aim->errors[bone] = jc_quat64_multiply(&shown, &aim->wanted);
	aim->seen |= UINT32_C(1) << bone;
}

bool jc_chain_hits(const struct jc_chain *chain, size_t item, const struct jc_chart_point *target,
	const int32_t place[3])
{
	if (!jc_chain_is_grid(chain, item)) {
		struct jc_lattice lattice = jc_chain_lattice(chain, item);
		struct jc_chart_ball ball = jc_chart_ball(target, &lattice);
		double share;

		return jc_chart_hits(&ball, place, &share);
	}
	for (int c = 0; c < 3; c++) {
		if (fabs(target->v[c] - place[c]) > 0.5) {
			return false;
		}
	}
	return true;
}
