/* Writes a clip as an H-Anim file that plays: the figure at rest, a TimeSensor, an
 * interpolator for each joint that turns, and routes. VRML97 gets the PROTOs of H-Anim
 * 1.0, X3D the nodes of its HAnim component.
 *
 * Interpolators take the short way between keys, so keys at every frame lose nothing.
 * Axis and angle come from quaternions with equal signs, for readers that interpolate
 * axes. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "hanim_figure.h"
#include "hanim_joints.h"
#include "hanim_keys.h"
#include "hanim_viewpoints.h"
#include "jointcast/transform.h"
#include "jointcast/write.h"
#include "scene_writer.h"
#include "write_losses.h"

struct writer {
	const struct jc_clip *clip;
	const struct jc_skeleton *figure;
	struct jc_hanim_keys keys;
	struct jc_hanim_joints joints;
	struct jc_scene_writer scene;
	char timer[72]; /* DEF of the TimeSensor */
};

/* H-Anim 1.0, "The Nodes". Site, limitOrientation, stiffness, momentsOfInertia and the lists after
 * bboxSize are from 1.1, whose readers look for them. */
static const char *const prototypes[] = {
	"PROTO Joint [\n"
	" exposedField SFString name \"\"\n"
	" exposedField SFVec3f translation 0 0 0\n"
	" exposedField SFRotation rotation 0 0 1 0\n"
	" exposedField SFVec3f scale 1 1 1\n"
	" exposedField SFRotation scaleOrientation 0 0 1 0\n"
	" exposedField SFVec3f center 0 0 0\n"
	" exposedField MFNode children [ ]\n"
	" exposedField MFFloat ulimit [ 0 0 0 ]\n"
	" exposedField MFFloat llimit [ 0 0 0 ]\n"
	" exposedField SFRotation limitOrientation 0 0 1 0\n"
	" exposedField MFFloat stiffness [ 0 0 0 ]\n"
	"] {\n"
	" Transform {\n"
	"  translation IS translation\n"
	"  rotation IS rotation\n"
	"  scale IS scale\n"
	"  scaleOrientation IS scaleOrientation\n"
	"  center IS center\n"
	"  children IS children\n"
	" }\n"
	"}\n",
	"PROTO Segment [\n"
	" exposedField SFString name \"\"\n"
	" exposedField SFFloat mass 0\n"
	" exposedField SFVec3f centerOfMass 0 0 0\n"
	" exposedField MFFloat momentsOfInertia [ 0 0 0 0 0 0 0 0 0 ]\n"
	" field SFVec3f bboxCenter 0 0 0\n"
	" field SFVec3f bboxSize -1 -1 -1\n"
	" exposedField MFNode children [ ]\n"
	"] {\n"
	" Group {\n"
	"  bboxCenter IS bboxCenter\n"
	"  bboxSize IS bboxSize\n"
	"  children IS children\n"
	" }\n"
	"}\n",
	"PROTO Site [\n"
	" exposedField SFString name \"\"\n"
	" exposedField SFVec3f translation 0 0 0\n"
	" exposedField SFRotation rotation 0 0 1 0\n"
	" exposedField SFVec3f scale 1 1 1\n"
	" exposedField MFNode children [ ]\n"
	"] {\n"
	" Transform {\n"
	"  translation IS translation\n"
	"  rotation IS rotation\n"
	"  scale IS scale\n"
	"  children IS children\n"
	" }\n"
	"}\n",
	"PROTO Humanoid [\n"
	" exposedField SFString version \"1.0\"\n"
	" exposedField SFString name \"\"\n"
	" exposedField MFString info [ ]\n"
	" exposedField MFNode joints [ ]\n"
	" exposedField MFNode segments [ ]\n"
	" field SFVec3f bboxCenter 0 0 0\n"
	" field SFVec3f bboxSize -1 -1 -1\n"
	" exposedField MFNode humanoidBody [ ]\n"
	" exposedField MFNode sites [ ]\n"
	" exposedField MFNode viewpoints [ ]\n"
	"] {\n"
	" WorldInfo {\n"
	"  title IS name\n"
	"  info IS info\n"
	" }\n"
	"}\n",
};

static bool is_vrml97(const struct writer *writer)
{
	return writer->scene.syntax == JC_SCENE_VRML97;
}

static void put(struct writer *writer, const char *text)
{
	jc_file_buffer_put(&writer->scene.output, text, strlen(text));
}

/* Names that a syntax reserves and names that every file uses. */
static bool is_reserved(const char *name)
{
	static const char *const words[] = { "AS", "COMPONENT", "DEF", "EXPORT", "EXTERNPROTO",
		"FALSE", "FrontView", "Humanoid", "IMPORT", "InclinedView", "IS", "META", "NULL",
		"PROFILE", "PROTO", "ROUTE", "SideView", "TO", "TRUE", "TopView", "UNIT", "USE",
		"Viewpoints", "eventIn", "eventOut", "exposedField", "field", "initializeOnly",
		"inputOnly", "inputOutput", "outputOnly" };

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		if (strcmp(name, words[i]) == 0) {
			return true;
		}
	}
	return strncmp(name, "hanim_", 6) == 0;
}

/* DEF of the sensor: the motion's name as far as a DEF allows it, because readers show it. */
static void name_timer(struct writer *writer)
{
	size_t length = jc_scene_writer_identifier(
		jc_motion_info(writer->clip->motion)->name, writer->timer, sizeof(writer->timer));

	if (length == 0 || isdigit(writer->timer[0]) || is_reserved(writer->timer)) {
		snprintf(writer->timer, sizeof(writer->timer), "Motion");
	}
}

static void put_header(struct writer *writer)
{
	switch (writer->scene.syntax) {
	case JC_SCENE_VRML97:
		put(writer, "#VRML V2.0 utf8\n");
		break;
	case JC_SCENE_X3D_CLASSIC:
		put(writer, "#X3D V4.0 utf8\nPROFILE Immersive\nCOMPONENT HAnim:1\n"
			    "META \"generator\" \"jointcast convert\"\n");
		break;
	case JC_SCENE_X3D_XML:
		put(writer, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
			    "<!DOCTYPE X3D PUBLIC \"ISO//Web3D//DTD X3D 4.0//EN\" "
			    "\"https://www.web3d.org/specifications/x3d-4.0.dtd\">\n"
			    "<X3D profile='Immersive' version='4.0' "
			    "xmlns:xsd='http://www.w3.org/2001/XMLSchema-instance' "
			    "xsd:noNamespaceSchemaLocation="
			    "'https://www.web3d.org/specifications/x3d-4.0.xsd'>\n");
		put(writer, "<head>\n<component name='HAnim' level='1'/>\n"
			    "<meta name='generator' content='jointcast convert'/>\n"
			    "</head>\n<Scene>\n");
		break;
	}
	jc_scene_writer_begin(&writer->scene, "WorldInfo", NULL, NULL);
	jc_scene_writer_string(&writer->scene, "title", jc_motion_info(writer->clip->motion)->name);
	jc_scene_writer_strings(&writer->scene, "info",
		(const char *const[]){ is_vrml97(writer) ? "H-Anim 1.0" : "H-Anim 2.0",
			"written by jointcast convert" },
		2);
	jc_scene_writer_end(&writer->scene, "WorldInfo");
	jc_scene_writer_begin(&writer->scene, "NavigationInfo", NULL, NULL);
	jc_scene_writer_strings(&writer->scene, "type", (const char *const[]){ "EXAMINE" }, 1);
	jc_scene_writer_end(&writer->scene, "NavigationInfo");
	if (is_vrml97(writer)) {
		for (size_t i = 0; i < sizeof(prototypes) / sizeof(*prototypes); i++) {
			put(writer, prototypes[i]);
		}
	}
}

static bool has_tag(const char *info, const char *tag)
{
	return strncmp(info, tag, strlen(tag)) == 0;
}

/* "tag=value": the strings of the skeleton's own file, but for the version, and those of this
 * file. The height is measured where the file has none. */
static void put_info(struct writer *writer)
{
	const struct jc_skeleton_facts *facts = jc_skeleton_facts(writer->figure);
	const struct jc_hanim_segments_box *box = &writer->joints.body.whole;
	static const char tool[] = "authoringTool=jointcast convert";
	const char *info[JC_LIMIT_FACTS + 3];
	int height = (int)(100.0f * (box->most.y - box->least.y));
	char measured[48];
	bool has_height = false;
	size_t count = 0;

	info[count++] = is_vrml97(writer) ? "humanoidVersion=1.0" : "humanoidVersion=2.0";
	for (size_t i = 0; i < facts->info_count; i++) {
		has_height = has_height || has_tag(facts->info[i], "height=");
		if (!has_tag(facts->info[i], "humanoidVersion=") &&
			strcmp(facts->info[i], tool) != 0) {
			info[count++] = facts->info[i];
		}
	}
	snprintf(measured, sizeof(measured), "height=%d.%02d", height / 100, height % 100);
	if (!has_height) {
		info[count++] = measured;
	}
	info[count++] = tool;
	jc_scene_writer_strings(&writer->scene, "info", info, count);
}

/* In 1.0 the joints precede the Humanoid, which must be the last node; in X3D it contains
 * them. */
static void put_humanoid(struct writer *writer)
{
	struct jc_scene_writer *scene = &writer->scene;
	const struct jc_hanim_segments_box *box = &writer->joints.body.whole;
	const char *name = jc_skeleton_name(writer->figure);
	const char *type = jc_hanim_joints_type(&writer->joints, "HAnimHumanoid");

	jc_scene_writer_begin(scene, type, "Humanoid", NULL);
	jc_scene_writer_string(scene, "name", *name ? name : "humanoid");
	jc_scene_writer_string(scene, "version", is_vrml97(writer) ? "1.0" : "2.0");
	put_info(writer);
	jc_hanim_segments_put_box(box, scene);
	if (is_vrml97(writer)) {
		jc_scene_writer_list(scene, "humanoidBody");
		jc_scene_writer_use(scene, "Joint", "hanim_HumanoidRoot", NULL);
		jc_hanim_joints_put_site_uses(&writer->joints, -1, NULL);
	} else {
		jc_scene_writer_list(scene, "skeleton");
		jc_hanim_joints_put(&writer->joints, "skeleton");
	}
	jc_scene_writer_list_end(scene);
	jc_hanim_joints_put_lists(&writer->joints);
	jc_scene_writer_end(scene, type);
}

static void put_key(struct writer *writer)
{
	size_t last = writer->keys.frame_count - 1;

	jc_scene_writer_values_begin(&writer->scene, "key");
	for (size_t i = 0; i <= last; i++) {
		float key = last > 0 ? (float)((double)i / (double)last) : 0.0f;

		jc_scene_writer_values_put(&writer->scene, &key, 1, i);
	}
	jc_scene_writer_values_end(&writer->scene);
}

static void put_rotations(struct writer *writer, int node, const char *def)
{
	struct jc_scene_writer *scene = &writer->scene;
	float rotation[4] = { 0.0f, 0.0f, 1.0f, 0.0f };

	jc_scene_writer_begin(scene, "OrientationInterpolator", def, NULL);
	put_key(writer);
	jc_scene_writer_values_begin(scene, "keyValue");
	for (size_t i = 0; i < writer->keys.frame_count; i++) {
		jc_scene_writer_axis_angle(writer->keys.rotations[node][i], rotation);
		jc_scene_writer_values_put(scene, rotation, 4, i);
	}
	jc_scene_writer_values_end(scene);
	jc_scene_writer_end(scene, "OrientationInterpolator");
}

static void put_ways(struct writer *writer, const char *def)
{
	struct jc_scene_writer *scene = &writer->scene;

	jc_scene_writer_begin(scene, "PositionInterpolator", def, NULL);
	put_key(writer);
	jc_scene_writer_values_begin(scene, "keyValue");
	for (size_t i = 0; i < writer->keys.frame_count; i++) {
		const struct jc_vec3 *way = &writer->keys.ways[i];

		jc_scene_writer_values_put(scene, (const float[]){ way->x, way->y, way->z }, 3, i);
	}
	jc_scene_writer_values_end(scene);
	jc_scene_writer_end(scene, "PositionInterpolator");
}

/* Calls a function for the interpolator of each joint, beginning with the translation of
 * the root. */
static void for_each_track(struct writer *writer,
	void (*call)(struct writer *writer, int node, const char *joint, const char *field))
{
	for (size_t i = 0; i < jc_skeleton_node_count(writer->figure); i++) {
		char joint[JC_HANIM_DEF_BYTES];

		jc_hanim_joints_name(&writer->joints, (int)i, joint);
		if (i == 0) {
			call(writer, 0, joint, "translation");
		}
		if (writer->keys.rotations[i]) {
			call(writer, (int)i, joint, "rotation");
		}
	}
}

static void put_interpolator(struct writer *writer, int node, const char *joint, const char *field)
{
	char def[JC_HANIM_DEF_BYTES + 24];

	snprintf(def, sizeof(def), "hanim_%s_%s", joint, field);
	if (strcmp(field, "rotation") == 0) {
		put_rotations(writer, node, def);
	} else {
		put_ways(writer, def);
	}
}

static void put_routes(struct writer *writer, int node, const char *joint, const char *field)
{
	char def[JC_HANIM_DEF_BYTES + 8], interpolator[JC_HANIM_DEF_BYTES + 24], set_field[32];

	(void)node;
	snprintf(def, sizeof(def), "hanim_%s", joint);
	snprintf(interpolator, sizeof(interpolator), "%s_%s", def, field);
	snprintf(set_field, sizeof(set_field), "set_%s", field);
	jc_scene_writer_route(
		&writer->scene, writer->timer, "fraction_changed", interpolator, "set_fraction");
	jc_scene_writer_route(&writer->scene, interpolator, "value_changed", def, set_field);
}

static void put_timer(struct writer *writer)
{
	const struct jc_clip *clip = writer->clip;
	size_t steps = clip->frame_count > 1 ? clip->frame_count - 1 : 1;

	jc_scene_writer_begin(&writer->scene, "TimeSensor", writer->timer, NULL);
	jc_scene_writer_time(&writer->scene, "cycleInterval", (double)steps * clip->frame_seconds);
	jc_scene_writer_boolean(&writer->scene, "loop", true);
	jc_scene_writer_end(&writer->scene, "TimeSensor");
}

static void put_file(struct writer *writer)
{
	struct jc_hanim_segments_box stage = writer->joints.body.whole;
	struct jc_vec3 least, most;

	jc_hanim_keys_reach(&writer->keys, &least, &most);
	stage.least = jc_vec3_add(stage.least, least);
	stage.most = jc_vec3_add(stage.most, most);
	put_header(writer);
	jc_hanim_viewpoints_put_around(&stage, &writer->scene);
	if (is_vrml97(writer)) {
		jc_hanim_joints_put(&writer->joints, NULL);
	}
	put_timer(writer);
	for_each_track(writer, put_interpolator);
	put_humanoid(writer);
	for_each_track(writer, put_routes);
	if (writer->scene.syntax == JC_SCENE_X3D_XML) {
		put(writer, "</Scene>\n</X3D>\n");
	}
}

int jc_write_hanim(const struct jc_clip *clip, enum jc_scene_syntax syntax,
	struct jc_written *out_file, struct jc_lint *lint, struct jc_diagnostic *diagnostic)
{
	struct writer writer = { .clip = clip, .scene = { .syntax = syntax } };
	struct jc_skeleton *figure;
	int error = jc_hanim_figure_create(clip->skeleton, &figure, lint, diagnostic);

	if (error) {
		return error;
	}
	writer.figure = figure;
	error = jc_hanim_keys_init(&writer.keys, clip, figure, diagnostic);
	if (error) {
		goto out_figure;
	}
	error = jc_hanim_joints_init(&writer.joints, figure, &writer.scene, diagnostic);
	if (error) {
		goto out_keys;
	}
	name_timer(&writer);
	put_file(&writer);
	error = jc_file_buffer_finish(&writer.scene.output, out_file, diagnostic);
	if (!error) {
		jc_write_losses_report(&writer.keys.losses, clip, jc_skeleton_bone_mask(figure),
			false, false, lint);
	}
	jc_hanim_joints_finish(&writer.joints);
out_keys:
	jc_hanim_keys_finish(&writer.keys);
out_figure:
	jc_skeleton_destroy(figure);
	return error;
}
