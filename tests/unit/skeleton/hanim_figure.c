/* The figure of the H-Anim 1.0 specification, with its joint centers. */
#include "hanim_figure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit_test.h"

struct jc_skeleton *hanim_read(const char *text, size_t index)
{
	struct jc_diagnostic diagnostic = { .what = "" };
	struct jc_skeleton *skeleton = NULL;

	if (jc_skeleton_read(text, strlen(text), index, NULL, &skeleton, NULL, &diagnostic)) {
		fail_msg("%s: %s", diagnostic.where, diagnostic.what);
	}
	return skeleton;
}

const char *hanim_bone_node(const struct jc_skeleton *skeleton, enum jc_bone bone)
{
	int node = jc_skeleton_bone_node(skeleton, bone);

	return node < 0 ? "" : jc_skeleton_nodes(skeleton)[node].name;
}

void hanim_assert_vec3(struct jc_vec3 v, double x, double y, double z, double within)
{
	assert_float_equal(v.x, x, within);
	assert_float_equal(v.y, y, within);
	assert_float_equal(v.z, z, within);
}

/* The arm of the 1.0 specification ("Modeling the Humanoid"), its mirror image, and legs
 * and spine of the standard figure. */
static const char arms[] =
	"DEF hanim_l_shoulder Joint { name \"l_shoulder\" center 0.167 1.36 -0.0518 children [\n"
	" DEF hanim_l_elbow Joint { name \"l_elbow\" center 0.196 1.07 -0.0518 children [\n"
	"  DEF hanim_l_wrist Joint { name \"l_wrist\" center 0.213 0.811 -0.0338 children [\n"
	"   DEF hanim_l_thumb1 Joint { name \"l_thumb1\" center 0.1924 0.8472 -0.0534 children\n"
	"    DEF hanim_l_thumb2 Joint { name \"l_thumb2\" center 0.1951 0.8226 0.0246 } }\n"
	"  ] } ] } ] }\n"
	"DEF hanim_r_shoulder Joint { name \"r_shoulder\" center -0.167 1.36 -0.0518 children [\n"
	" DEF hanim_r_elbow Joint { name \"r_elbow\" center -0.196 1.07 -0.0518 rotation 1 0 0 1\n"
	"  children [ DEF hanim_r_wrist Joint { name \"r_wrist\" center -0.213 0.811 -0.0338 } "
	"] } ] }\n";

static const char protos[] =
	"PROTO Joint [ exposedField SFString name \"\" exposedField SFVec3f center 0 0 0\n"
	" exposedField SFVec3f translation 0 0 0 exposedField SFRotation rotation 0 0 1 0\n"
	" exposedField MFNode children [ ] exposedField MFFloat ulimit [ 0 0 0 ]\n"
	" exposedField MFFloat llimit [ 0 0 0 ] ]\n"
	"{ Transform { center IS center translation IS translation rotation IS rotation\n"
	"  children IS children } }\n"
	"PROTO Segment [ exposedField SFString name \"\" exposedField SFFloat mass 0\n"
	" exposedField SFVec3f centerOfMass 0 0 0 exposedField MFNode children [ ] ]\n"
	"{ Group { children IS children } }\n"
	"PROTO Humanoid [ exposedField SFString version \"1.0\" exposedField SFString name \"\"\n"
	" exposedField MFString info [ ] exposedField MFNode joints [ ] ] { Group { } }\n";

char *hanim_make_figure(void)
{
	char *text = malloc(8192);

	assert_non_null(text);
	snprintf(text, 8192,
		VRML
		"%s"
		"DEF hanim_HumanoidRoot Joint { name \"HumanoidRoot\" center 0 0.824 0.0277\n"
		"translation 0 5 0 rotation 0 1 0 2 children [\n"
		" DEF hanim_sacroiliac Joint { name \"sacroiliac\" center 0 0.9149 0.0016\n"
		" children [\n"
		"  DEF hanim_l_hip Joint { name \"l_hip\" center 0.0961 0.9124 -0.0001 "
		"ulimit [ 1.5 0 0.5 ] llimit [ -0.5 0 -0.25 ] children\n"
		"   DEF hanim_l_knee Joint { name \"l_knee\" center 0.1040 0.4867 0.0308 "
		"children\n"
		"    DEF hanim_l_ankle Joint { name \"l_ankle\" center 0.1101 0.0656 -0.0736 } "
		"} }\n"
		"  DEF hanim_r_hip Joint { name \"r_hip\" center -0.0950 0.9171 0.0029 }\n"
		"  DEF hanim_pelvis Segment { name \"pelvis\" mass 11.5 centerOfMass 0 0.95 0 }\n"
		" ] }\n"
		" DEF hanim_vl5 Joint { name \"vl5\" center 0.0028 1.0568 -0.0776 children [\n"
		"  %s"
		"  DEF hanim_skullbase Joint { name \"skullbase\" center 0.0044 1.6209 0.0236 "
		"children\n"
		"   DEF hanim_CyclopeanView Viewpoint { position 0 1.65 0.1 } }\n"
		" ] }\n"
		" DEF hanim_tail1 Joint { name \"tail1\" center 0 0.8 -0.1 }\n"
		"] }\n"
		"DEF Humanoid Humanoid { name \"someone\" info [ \"authorName=no one\" ]\n"
		" joints [ USE hanim_HumanoidRoot USE hanim_l_hip ] }\n",
		protos, arms);
	return text;
}
