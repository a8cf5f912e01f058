/* Bytes and errors of both codings on motions: of each rotation in local and in model space, and of
 * the positions of hands, feet, toes and head of the built-in figure.
 *
 *   jc_measure [--hz 30] FILE…   (a FILE may be demo:NAME) */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chain_private.h"
#include "clips.h"
#include "jointcast_private/chain.h"

#define CLIPS_MOST 512

#define DEGREES 57.29577951308232

static const enum jc_bone ends[] = { JC_BONE_HEAD, JC_BONE_LEFT_HAND, JC_BONE_RIGHT_HAND,
	JC_BONE_LEFT_FOOT, JC_BONE_RIGHT_FOOT, JC_BONE_LEFT_TOES, JC_BONE_RIGHT_TOES };
#define ENDS (sizeof(ends) / sizeof(ends[0]))

struct q {
	double x, y, z, w;
};

static struct q mul(struct q a, struct q b)
{
	return (struct q){
		a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
		a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
		a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
		a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
	};
}

static struct q unit(struct jc_quat a)
{
	double l =
		sqrt((double)a.x * a.x + (double)a.y * a.y + (double)a.z * a.z + (double)a.w * a.w);

	return (struct q){ a.x / l, a.y / l, a.z / l, a.w / l };
}

static double angle(struct q a, struct q b)
{
	double s = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w < 0 ? -1 : 1;
	double x = a.x - s * b.x, y = a.y - s * b.y, z = a.z - s * b.z, w = a.w - s * b.w;

	return DEGREES * 4.0 * asin(0.5 * sqrt(x * x + y * y + z * z + w * w));
}

struct body {
	struct q model[JC_BONE_COUNT];
	double at[JC_BONE_COUNT][3];
};

static void pose(const struct jc_quat *n, struct body *body)
{
	for (int b = 0; b < 22; b++) {
		enum jc_bone p = jc_bone_parent((enum jc_bone)b);
		struct jc_vec3 here = jc_bone_rest_position((enum jc_bone)b), above;
		struct q o, v, c;

		if (p == JC_BONE_NONE) {
			body->model[b] = unit(n[b]);
			memset(body->at[b], 0, sizeof(body->at[b]));
			continue;
		}
		above = jc_bone_rest_position(p);
		o = body->model[p];
		c = (struct q){ -o.x, -o.y, -o.z, o.w };
		v = mul(mul(o, (struct q){ (double)here.x - above.x, (double)here.y - above.y,
				       (double)here.z - above.z, 0 }),
			c);
		body->model[b] = mul(o, unit(n[b]));
		body->at[b][0] = body->at[p][0] + v.x;
		body->at[b][1] = body->at[p][1] + v.y;
		body->at[b][2] = body->at[p][2] + v.z;
	}
}

struct series {
	double *v;
	size_t n, room;
};

static void add(struct series *s, double v)
{
	if (s->n == s->room) {
		s->room = s->room ? 2 * s->room : 4096;
		s->v = realloc(s->v, s->room * sizeof(*s->v));
		if (!s->v) {
			exit(1);
		}
	}
	s->v[s->n++] = v;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void show(const struct series *s)
{
	double sum = 0;

	for (size_t i = 0; i < s->n; i++) {
		sum += s->v[i];
	}
	qsort(s->v, s->n, sizeof(*s->v), compare);
	printf(" %7.4f %7.4f %7.4f", sum / (double)s->n, s->v[(size_t)(0.99 * (double)(s->n - 1))],
		s->v[s->n - 1]);
}

struct result {
	double bytes, frames;
	struct series end, local, model;
};

static void run(
	const struct clip *clip, unsigned coding, enum jc_precision precision, struct result *r)
{
	struct jc_chain chain;
	uint8_t bytes[JC_CHAIN_BYTES];
	struct jc_quat shown[JC_BONE_COUNT];
	struct body a, b;

	if (jc_chain_start(&chain, coding, JC_SECTION_BODY, precision, ~UINT64_C(0),
		    clip->frames[0], NULL)) {
		exit(1);
	}
	for (size_t i = 1; i < clip->count; i++) {
		int length =
			jc_chain_encode(&chain, clip->frames[i], NULL, false, bytes, sizeof(bytes));

		if (length < 0) {
			exit(1);
		}
		r->bytes += length;
		r->frames += 1;
		jc_chain_rotations(&chain, shown);
		pose(clip->frames[i], &a);
		pose(shown, &b);
		for (size_t e = 0; e < ENDS; e++) {
			double *p = a.at[ends[e]], *q = b.at[ends[e]];

			add(&r->end, 1000 * hypot(hypot(p[0] - q[0], p[1] - q[1]), p[2] - q[2]));
			if (ends[e] != JC_BONE_LEFT_TOES && ends[e] != JC_BONE_RIGHT_TOES) {
				add(&r->model, angle(a.model[ends[e]], b.model[ends[e]]));
			}
		}
		for (int k = 0; k < 22; k++) {
			add(&r->local, angle(unit(clip->frames[i][k]), unit(shown[k])));
		}
	}
}

int main(int argc, char **argv)
{
	static struct clip clips[CLIPS_MOST];
	size_t count = 0;
	int hz = 0, first = 1;
	bool each = getenv("EACH") != NULL;

	if (argc > 2 && strcmp(argv[1], "--hz") == 0) {
		hz = atoi(argv[2]) == 60 ? 1 : atoi(argv[2]) == 90 ? 2 : 0;
		first = 3;
	}
	for (int i = first; i < argc; i++) {
		clips_load(argv[i], clips, &count, CLIPS_MOST);
	}
	for (int p = 0; p < JC_PRECISION_COUNT; p++) {
		double two[CLIPS_MOST];

		for (unsigned coding = 2; coding <= 3; coding++) {
			struct result all = { 0 };

			for (size_t i = 0; i < count; i++) {
				double bytes = all.bytes, frames = all.frames;

				if (clips[i].rate != hz || clips[i].count < 2) {
					continue;
				}
				run(&clips[i], coding, (enum jc_precision)p, &all);
				bytes = (all.bytes - bytes) / (all.frames - frames);
				if (coding == 2) {
					two[i] = bytes;
				} else if (each) {
					printf("  %-60s %d %6.2f %6.2f %6.1f %%\n", clips[i].name,
						p, two[i], bytes, 100 * bytes / two[i]);
				}
			}
			printf("%d %u %6.2f  ends mm", p, coding, all.bytes / all.frames);
			show(&all.end);
			printf("  local");
			show(&all.local);
			printf("  ends model");
			show(&all.model);
			printf("\n");
		}
	}
	return 0;
}
