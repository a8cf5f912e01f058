/* Makes the shapes of segments. A solid is two pyramids on one square, which is nearer to
 * the joint that turns it, so the shape shows the direction of the bone. */
#include "hanim_segments.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast/transform.h"
#include "t_pose_figure.h"

enum { POINTS = 6, FACES = 8 };

/* Distance of the square along the solid and half its width, relative to its length; the
 * width is limited relative to the hips height. */
#define ALONG 0.2f
#define GIRTH 0.12f
#define THIN  0.004f
#define THICK 0.06f
#define SHORT 1e-5f /* metres; shorter solids are left out */

static struct jc_vec3 center_of(const struct jc_hanim_segments *body, int node)
{
	return jc_mat4_translation(jc_skeleton_rest_worlds(body->figure)[node]);
}

static bool make_solid(const struct jc_hanim_segments *body, struct jc_vec3 from, struct jc_vec3 to,
	struct jc_vec3 out_points[POINTS])
{
	const struct jc_vec3 front = { 0.0f, 0.0f, 1.0f };
	const struct jc_vec3 up = { 0.0f, 1.0f, 0.0f };
	struct jc_vec3 along = jc_vec3_subtract(to, from);
	float length = jc_vec3_length(along);
	float height = jc_skeleton_hips_height(body->figure);
	float girth = fminf(fmaxf(GIRTH * length, THIN * height), THICK * height);
	struct jc_vec3 middle = jc_vec3_add(from, jc_vec3_scale(along, ALONG));
	struct jc_vec3 u, v;

	if (!(length > SHORT)) {
		return false;
	}
	along = jc_vec3_scale(along, 1.0f / length);
	u = jc_vec3_normalize(jc_vec3_cross(fabsf(along.z) < 0.7f ? front : up, along));
	v = jc_vec3_cross(along, u);
	out_points[0] = from;
	out_points[1] = jc_vec3_add(middle, jc_vec3_scale(u, girth));
	out_points[2] = jc_vec3_add(middle, jc_vec3_scale(v, girth));
	out_points[3] = jc_vec3_add(middle, jc_vec3_scale(u, -girth));
	out_points[4] = jc_vec3_add(middle, jc_vec3_scale(v, -girth));
	out_points[5] = to;
	return true;
}

/* After the last child, and after all solids. */
enum { AT_TIP = -2, AT_END = -3 };

/* Iterates over the ends of a node's solids: the joints below it, and its own tip if
 * nothing or only a face is below. Start with *at -1; returns false after the last. */
static bool next_tip(
	const struct jc_hanim_segments *body, int node, int *at, struct jc_vec3 *out_tip)
{
	bool has_tip = body->first_child[node] < 0 ||
		       node == jc_skeleton_bone_node(body->figure, JC_BONE_HEAD);

	if (*at >= -1) {
		*at = *at < 0 ? body->first_child[node] : body->next_child[*at];
		if (*at >= 0) {
			*out_tip = center_of(body, *at);
			return true;
		}
		*at = has_tip ? AT_TIP : AT_END;
		*out_tip = body->tips[node];
		return has_tip;
	}
	return false;
}

static void grow(struct jc_hanim_segments_box *box, struct jc_vec3 p)
{
	box->least = (struct jc_vec3){ fminf(box->least.x, p.x), fminf(box->least.y, p.y),
		fminf(box->least.z, p.z) };
	box->most = (struct jc_vec3){ fmaxf(box->most.x, p.x), fmaxf(box->most.y, p.y),
		fmaxf(box->most.z, p.z) };
}

static void measure(struct jc_hanim_segments *body)
{
	const struct jc_hanim_segments_box empty = { { INFINITY, INFINITY, INFINITY },
		{ -INFINITY, -INFINITY, -INFINITY } };

	body->whole = empty;
	for (size_t node = 0; node < jc_skeleton_node_count(body->figure); node++) {
		struct jc_vec3 points[POINTS], tip;
		int at = -1;

		body->boxes[node] = empty;
		grow(&body->whole, center_of(body, (int)node));
		while (next_tip(body, (int)node, &at, &tip)) {
			if (!make_solid(body, center_of(body, (int)node), tip, points)) {
				continue;
			}
			for (int i = 0; i < POINTS; i++) {
				grow(&body->boxes[node], points[i]);
				grow(&body->whole, points[i]);
			}
		}
	}
}

static void link_children(struct jc_hanim_segments *body)
{
	const struct jc_skeleton_node *nodes = jc_skeleton_nodes(body->figure);

	for (size_t i = jc_skeleton_node_count(body->figure); i-- > 0;) {
		body->first_child[i] = -1;
	}
	for (size_t i = jc_skeleton_node_count(body->figure); i-- > 1;) {
		body->next_child[i] = body->first_child[nodes[i].parent];
		body->first_child[nodes[i].parent] = (int)i;
	}
	body->next_child[0] = -1;
}

/* A bone ends where it does in the T-pose; another node continues in its direction, half
 * as far. */
static void find_tips(struct jc_hanim_segments *body, const struct jc_t_pose_figure *t_pose)
{
	const struct jc_skeleton_node *nodes = jc_skeleton_nodes(body->figure);

	for (size_t i = 0; i < jc_skeleton_node_count(body->figure); i++) {
		body->tips[i] = jc_vec3_add(
			center_of(body, (int)i), jc_vec3_scale(nodes[i].rest.translation, 0.5f));
	}
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		int node = jc_skeleton_bone_node(body->figure, (enum jc_bone)b);

		if (node >= 0) {
			body->tips[node] = jc_vec3_add(center_of(body, node),
				jc_quat_rotate(jc_quat_conjugate(jc_skeleton_t_pose(
						       body->figure, (enum jc_bone)b)),
					jc_t_pose_figure_tip(t_pose, (enum jc_bone)b)));
		}
	}
}

int jc_hanim_segments_init(struct jc_hanim_segments *body, const struct jc_skeleton *figure,
	struct jc_diagnostic *diagnostic)
{
	size_t count = jc_skeleton_node_count(figure);
	struct jc_t_pose_figure t_pose;
	int error = jc_t_pose_figure_init(&t_pose, figure, diagnostic);

	if (error) {
		return error;
	}
	*body = (struct jc_hanim_segments){
		.figure = figure,
		.first_child = calloc(count, sizeof(*body->first_child)),
		.next_child = calloc(count, sizeof(*body->next_child)),
		.tips = calloc(count, sizeof(*body->tips)),
		.boxes = calloc(count, sizeof(*body->boxes)),
	};
	if (!body->first_child || !body->next_child || !body->tips || !body->boxes) {
		jc_hanim_segments_finish(body);
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	link_children(body);
	find_tips(body, &t_pose);
	measure(body);
	return JC_OK;
}

void jc_hanim_segments_finish(struct jc_hanim_segments *body)
{
	free(body->first_child);
	free(body->next_child);
	free(body->tips);
	free(body->boxes);
}

void jc_hanim_segments_put_box(
	const struct jc_hanim_segments_box *box, struct jc_scene_writer *writer)
{
	struct jc_vec3 center = jc_vec3_lerp(box->least, box->most, 0.5f);
	struct jc_vec3 size = jc_vec3_subtract(box->most, box->least);

	if (box->least.x <= box->most.x) {
		jc_scene_writer_value(
			writer, "bboxCenter", (const float[]){ center.x, center.y, center.z }, 3);
		jc_scene_writer_value(
			writer, "bboxSize", (const float[]){ size.x, size.y, size.z }, 3);
	}
}

/* Left, right and middle have different colours; each colour is in the file once. */
static void put_appearance(
	struct jc_hanim_segments *body, const char *name, struct jc_scene_writer *writer)
{
	static const struct {
		const char *def;
		float color[3];
	} looks[] = {
		{ "hanim_look_left", { 0.35f, 0.6f, 0.9f } },
		{ "hanim_look_right", { 0.9f, 0.55f, 0.3f } },
		{ "hanim_look_middle", { 0.8f, 0.8f, 0.78f } },
	};
	size_t look = strncmp(name, "l_", 2) == 0 ? 0 : strncmp(name, "r_", 2) == 0 ? 1 : 2;

	jc_scene_writer_single(writer, "appearance");
	if (body->has_look[look]) {
		jc_scene_writer_use(writer, "Appearance", looks[look].def, NULL);
		return;
	}
	body->has_look[look] = true;
	jc_scene_writer_begin(writer, "Appearance", looks[look].def, NULL);
	jc_scene_writer_single(writer, "material");
	jc_scene_writer_begin(writer, "Material", NULL, NULL);
	jc_scene_writer_value(writer, "diffuseColor", looks[look].color, 3);
	jc_scene_writer_end(writer, "Material");
	jc_scene_writer_end(writer, "Appearance");
}

static void put_points(
	const struct jc_hanim_segments *body, int node, struct jc_scene_writer *writer)
{
	struct jc_vec3 points[POINTS], tip;
	size_t count = 0;
	int at = -1;

	jc_scene_writer_single(writer, "coord");
	jc_scene_writer_begin(writer, "Coordinate", NULL, NULL);
	jc_scene_writer_values_begin(writer, "point");
	while (next_tip(body, node, &at, &tip)) {
		if (!make_solid(body, center_of(body, node), tip, points)) {
			continue;
		}
		for (int i = 0; i < POINTS; i++) {
			const float p[] = { points[i].x, points[i].y, points[i].z };

			jc_scene_writer_values_put(writer, p, 3, count++);
		}
	}
	jc_scene_writer_values_end(writer);
	jc_scene_writer_end(writer, "Coordinate");
}

static void put_faces(
	const struct jc_hanim_segments *body, int node, struct jc_scene_writer *writer)
{
	struct jc_vec3 points[POINTS], tip;
	size_t count = 0;
	float base = 0.0f;
	int at = -1;

	jc_scene_writer_values_begin(writer, "coordIndex");
	while (next_tip(body, node, &at, &tip)) {
		if (!make_solid(body, center_of(body, node), tip, points)) {
			continue;
		}
		for (int face = 0; face < FACES; face++) {
			float a = (float)(1 + face % 4);
			float b = (float)(1 + (face + 1) % 4);
			bool is_far = face >= 4;
			const float corners[] = { base + (is_far ? a : b), base + (is_far ? b : a),
				base + (is_far ? 5.0f : 0.0f), -1.0f };

			jc_scene_writer_values_put(writer, corners, 4, count++);
		}
		base += (float)POINTS;
	}
	jc_scene_writer_values_end(writer);
}

void jc_hanim_segments_put_shape(
	struct jc_hanim_segments *body, int node, struct jc_scene_writer *writer)
{
	if (body->boxes[node].least.x > body->boxes[node].most.x) {
		return;
	}
	jc_scene_writer_list(writer, "children");
	jc_scene_writer_begin(writer, "Shape", NULL, NULL);
	put_appearance(body, jc_skeleton_nodes(body->figure)[node].name, writer);
	jc_scene_writer_single(writer, "geometry");
	jc_scene_writer_begin(writer, "IndexedFaceSet", NULL, NULL);
	put_faces(body, node, writer);
	put_points(body, node, writer);
	jc_scene_writer_end(writer, "IndexedFaceSet");
	jc_scene_writer_end(writer, "Shape");
	jc_scene_writer_list_end(writer);
}
