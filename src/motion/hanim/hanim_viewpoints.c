/* Writes viewpoints. Distances are relative to the size of the figure, so that it fills
 * the view at any scale. */
#include "hanim_viewpoints.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "jointcast/transform.h"

#define QUARTER 1.57079633f /* turns, in radians */
#define EIGHTH  0.785398163f
#define HALF    3.14159265f

struct view {
	const char *def;
	struct jc_vec3 position;
	struct jc_vec3 axis; /* of the orientation */
	float angle;
};

static void put_viewpoint(
	const struct view *view, const struct jc_vec3 *center, struct jc_scene_writer *writer)
{
	jc_scene_writer_begin(writer, "Viewpoint", view->def, NULL);
	jc_scene_writer_string(writer, "description", view->def);
	jc_scene_writer_value(writer, "position",
		(const float[]){ view->position.x, view->position.y, view->position.z }, 3);
	jc_scene_writer_value(writer, "orientation",
		(const float[]){ view->axis.x, view->axis.y, view->axis.z, view->angle }, 4);
	/* VRML97 has no such field. */
	if (center && writer->syntax != JC_SCENE_VRML97) {
		jc_scene_writer_value(writer, "centerOfRotation",
			(const float[]){ center->x, center->y, center->z }, 3);
	}
	jc_scene_writer_end(writer, "Viewpoint");
}

/* Turns left about +Y, then down: the direction of InclinedView. */
static struct view incline(struct view view)
{
	float rotation[4];
	struct jc_quat q = jc_quat_multiply(
		jc_quat_from_axis_angle((struct jc_vec3){ 0.0f, 1.0f, 0.0f }, EIGHTH),
		jc_quat_from_axis_angle((struct jc_vec3){ 1.0f, 0.0f, 0.0f }, -atanf(sqrtf(0.5f))));

	jc_scene_writer_axis_angle(q, rotation);
	view.axis = (struct jc_vec3){ rotation[0], rotation[1], rotation[2] };
	view.angle = rotation[3];
	return view;
}

void jc_hanim_viewpoints_put_around(
	const struct jc_hanim_segments_box *box, struct jc_scene_writer *writer)
{
	const struct jc_vec3 x = { 1.0f, 0.0f, 0.0f }, y = { 0.0f, 1.0f, 0.0f },
			     z = { 0.0f, 0.0f, 1.0f };
	const struct jc_vec3 inclined = { sqrtf(1.0f / 3.0f), sqrtf(1.0f / 3.0f),
		sqrtf(1.0f / 3.0f) };
	struct jc_vec3 center = jc_vec3_lerp(box->least, box->most, 0.5f);
	/* The sphere around the box fills the 45 degrees of a Viewpoint. */
	float distance = 1.31f * jc_vec3_length(jc_vec3_subtract(box->most, box->least));
	const struct view views[] = {
		{ "FrontView", jc_vec3_add(center, jc_vec3_scale(z, distance)), z, 0.0f },
		{ "SideView", jc_vec3_add(center, jc_vec3_scale(x, distance)), y, QUARTER },
		{ "TopView", jc_vec3_add(center, jc_vec3_scale(y, distance)), x, -QUARTER },
		incline((struct view){ .def = "InclinedView",
			.position = jc_vec3_add(center, jc_vec3_scale(inclined, distance)) }),
	};

	jc_scene_writer_begin(writer, "Group", "Viewpoints", NULL);
	jc_scene_writer_list(writer, "children");
	for (size_t i = 0; i < sizeof(views) / sizeof(*views); i++) {
		put_viewpoint(&views[i], &center, writer);
	}
	jc_scene_writer_list_end(writer);
	jc_scene_writer_end(writer, "Group");
}

static const char *const head_views[] = { "LeftEyeView", "RightEyeView", "CyclopeanView",
	"FaceView", "FaceLeft", "FaceRight" };

enum { HEAD_VIEWS = sizeof(head_views) / sizeof(*head_views) };

static bool has_head(const struct jc_hanim_segments *body)
{
	return jc_skeleton_bone_node(body->figure, JC_BONE_HEAD) >= 0;
}

/* Position of an eye, or an estimate of it. */
static struct jc_vec3 find_eye(const struct jc_hanim_segments *body, enum jc_bone eye)
{
	const struct jc_mat4 *worlds = jc_skeleton_rest_worlds(body->figure);
	int node = jc_skeleton_bone_node(body->figure, eye);
	struct jc_vec3 from_head = jc_vec3_scale(
		jc_vec3_subtract(jc_bone_rest_position(eye), jc_bone_rest_position(JC_BONE_HEAD)),
		jc_skeleton_hips_height(body->figure) / jc_bone_rest_position(JC_BONE_HIPS).y);

	if (node >= 0) {
		return jc_mat4_translation(worlds[node]);
	}
	node = jc_skeleton_bone_node(body->figure, JC_BONE_HEAD);
	return jc_vec3_add(jc_mat4_translation(worlds[node]), from_head);
}

static void find_head_views(const struct jc_hanim_segments *body, struct view out_views[HEAD_VIEWS])
{
	const struct jc_vec3 up = { 0.0f, 1.0f, 0.0f };
	float height = jc_skeleton_hips_height(body->figure);
	float away = 0.6f * height, aside = sqrtf(0.5f) * away;
	struct jc_vec3 left = find_eye(body, JC_BONE_LEFT_EYE);
	struct jc_vec3 right = find_eye(body, JC_BONE_RIGHT_EYE);
	struct jc_vec3 middle = { 0.5f * (left.x + right.x), left.y, left.z };
	struct jc_vec3 nose = jc_vec3_add(middle, (struct jc_vec3){ 0.0f, -0.04f * height, 0.0f });
	const struct view views[HEAD_VIEWS] = {
		{ NULL, left, up, HALF },
		{ NULL, right, up, HALF },
		{ NULL, middle, up, HALF },
		{ NULL, jc_vec3_add(nose, (struct jc_vec3){ 0.0f, 0.0f, away }), up, 0.0f },
		{ NULL, jc_vec3_add(nose, (struct jc_vec3){ aside, 0.0f, aside }), up, EIGHTH },
		{ NULL, jc_vec3_add(nose, (struct jc_vec3){ -aside, 0.0f, aside }), up, -EIGHTH },
	};

	for (int i = 0; i < HEAD_VIEWS; i++) {
		out_views[i] = views[i];
	}
}

bool jc_hanim_viewpoints_is_own(const char *site)
{
	for (int i = 0; i < HEAD_VIEWS; i++) {
		size_t length = strlen(head_views[i]);

		if (strncmp(site, head_views[i], length) == 0 &&
			strcmp(site + length, "_view") == 0) {
			return true;
		}
	}
	return false;
}

bool jc_hanim_viewpoints_is_standard(const char *name)
{
	static const char *const around[] = { "FrontView", "SideView", "TopView", "InclinedView" };

	name += strncmp(name, "hanim_", 6) == 0 ? 6 : 0;
	for (size_t i = 0; i < sizeof(around) / sizeof(*around); i++) {
		if (strcmp(name, around[i]) == 0) {
			return true;
		}
	}
	for (int i = 0; i < HEAD_VIEWS; i++) {
		if (strcmp(name, head_views[i]) == 0) {
			return true;
		}
	}
	return jc_hanim_viewpoints_is_own(name);
}

void jc_hanim_viewpoints_put_at_head(
	const struct jc_hanim_segments *body, struct jc_scene_writer *writer)
{
	bool in_site = writer->syntax != JC_SCENE_VRML97;
	struct view views[HEAD_VIEWS];

	if (!has_head(body)) {
		return;
	}
	find_head_views(body, views);
	for (int i = 0; i < HEAD_VIEWS; i++) {
		char def[40], site[48], name[40];

		snprintf(def, sizeof(def), "hanim_%s", head_views[i]);
		snprintf(site, sizeof(site), "%s_view", def);
		snprintf(name, sizeof(name), "%s_view", head_views[i]);
		views[i].def = def;
		if (in_site) {
			jc_scene_writer_begin(writer, "HAnimSite", site, NULL);
			jc_scene_writer_string(writer, "name", name);
			jc_scene_writer_list(writer, "children");
		}
		put_viewpoint(&views[i], NULL, writer);
		if (in_site) {
			jc_scene_writer_list_end(writer);
			jc_scene_writer_end(writer, "HAnimSite");
		}
	}
}

void jc_hanim_viewpoints_put_uses(
	const struct jc_hanim_segments *body, struct jc_scene_writer *writer)
{
	bool in_site = writer->syntax != JC_SCENE_VRML97;

	if (!has_head(body)) {
		return;
	}
	jc_scene_writer_list(writer, "viewpoints");
	for (int i = 0; i < HEAD_VIEWS; i++) {
		char def[48];

		snprintf(def, sizeof(def), "hanim_%s%s", head_views[i], in_site ? "_view" : "");
		jc_scene_writer_use(writer, in_site ? "HAnimSite" : "Viewpoint", def, "viewpoints");
	}
	jc_scene_writer_list_end(writer);
}
