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
}

static struct jc_quat64 widen(struct jc_quat q)
{
	return (struct jc_quat64){ q.x, q.y, q.z, q.w };
}

static struct jc_quat64 multiply(const struct jc_quat64 *a, const struct jc_quat64 *b)
{
	return (struct jc_quat64){
		a->w * b->x + a->x * b->w + a->y * b->z - a->z * b->y,
		a->w * b->y - a->x * b->z + a->y * b->w + a->z * b->x,
		a->w * b->z + a->x * b->y - a->y * b->x + a->z * b->w,
		a->w * b->w - a->x * b->x - a->y * b->y - a->z * b->z,
	};
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

static int aim_at_linked(struct jc_chain_aim *aim, size_t item, const int32_t near[3],
	struct jc_chart_point *out_target)
{
	int bone = aim->chain->bones[item];
	int ancestor = jc_chain_ancestor(aim->seen, bone);
	struct jc_quat64 own = widen(aim->rotations[bone]);
	double square = own.x * own.x + own.y * own.y + own.z * own.z + own.w * own.w;

	if (!(fabs(sqrt(square) - 1.0) <= 1e-3)) {
		return JC_ERROR_INVALID;
	}
	aim->wanted = ancestor >= 0 ? multiply(&aim->errors[ancestor], &own) : own;
	jc_chart_from_quat(&aim->wanted, jc_chain_lattice(aim->chain, item), near, out_target);
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
	if (jc_chain_is_linked(chain)) {
		return aim_at_linked(aim, item, near, out_target);
	}
	return jc_chart_from_rotation(
		       aim->rotations[bone], jc_chain_lattice(chain, item), near, out_target)
		       ? JC_OK
		       : JC_ERROR_INVALID;
}

void jc_chain_aim_pass(struct jc_chain_aim *aim, size_t item, const int32_t place[3])
{
	const struct jc_chain *chain = aim->chain;
	int bone = chain->bones[item];
	struct jc_quat64 shown;

	if (!jc_chain_is_linked(chain)) {
		return;
	}
	shown = widen(jc_chart_to_rotation(place, jc_chain_lattice(chain, item)));
	shown.x = -shown.x;
	shown.y = -shown.y;
	shown.z = -shown.z;
	aim->errors[bone] = multiply(&shown, &aim->wanted);
	aim->seen |= UINT32_C(1) << bone;
}

bool jc_chain_hits(const struct jc_chain *chain, size_t item, const struct jc_chart_point *target,
	const int32_t place[3])
{
	if (!jc_chain_is_grid(chain, item)) {
		return jc_chart_hits(target, place, jc_chain_lattice(chain, item));
	}
	for (int c = 0; c < 3; c++) {
		if (fabs(target->v[c] - place[c]) > 0.5) {
			return false;
		}
	}
	return true;
}
