/* What to do about findings, by their codes, in the words of the tools that
 * artists use. */
#include <stddef.h>
#include <string.h>

#include "lint.h"

static const struct {
	const char *code, *remedy;
} remedies[] = {
	{ "missing-bones", "map these bones in the exporter, or add joints for them; until then "
			   "what they do goes to the next bone below" },
	{ "missing-feature", "add and map the bones if the figure should do this" },
	{ "unknown-bone", "rename it to a bone of the humanoid, or take it out of the map" },
	{ "bone-twice", "map the bone to one node only" },
	{ "detached-bone", "parent its joint to the bone that carries it in a body" },
	{ "scaled", "apply the scale of the armature before exporting" },
	{ "uneven-scale", "apply the scale of this node before exporting, or --fix" },
	{ "mirrored", "apply the negative scale before exporting, then check left and right" },
	{ "sheared-bone", "apply the scales above it before exporting, or --fix" },
	{ "shear", "apply the scales above it before exporting, or --fix" },
	{ "flat-bone", "give the node a scale other than 0" },
	{ "rest-pose", "--fix writes it with the T-pose as its rest" },
	{ "rest-trunk", "set the trunk upright in the rest pose, or --fix" },
	{ "rest-shoulders", "let the shoulder bones point sideways in the rest pose, or --fix" },
	{ "rest-arms", "spread the arms level and sideways in the rest pose, or --fix" },
	{ "rest-hands", "straighten the wrists, palms down, in the rest pose, or --fix" },
	{ "rest-fingers", "straighten the fingers, parallel to the ground, or --fix" },
	{ "rest-thumbs", "point the thumbs half way between side and front, level, or --fix" },
	{ "rest-legs", "straighten the legs below the hips in the rest pose, or --fix" },
	{ "rest-feet", "point the toes straight ahead in the rest pose, or --fix" },
	{ "bone-axes", "let +Y lead along each bone and +X be the axis it bends about, or --fix" },
	{ "left-right", "exchange the names or the mapping of left and right" },
	{ "facing", "turn the figure to the front of its format before exporting, or --fix" },
	{ "tilted", "set the figure upright before exporting" },
	{ "size", "check the unit of the export: one unit is a metre" },
	{ "ground", "stand the figure with its soles on y = 0" },
	{ "off-centre", "move the figure to the origin" },
	{ "twist-joints", "drive them by VRMC_node_constraint or in the shader of the program" },
	{ "constraint-fault", "correct it; programs differ in what they make of it" },
	{ "constrained-bone", "put the constraint on a joint of its own beside the bone" },
	{ "constraint-above-bone", "hang the joint beside the bone instead of above it" },
	{ "no-root", "name the topmost node of the skeleton as rootNode" },
	{ "outside-root", "name a rootNode that is above all bones, or --fix" },
	{ "not-a-joint", "list the bones among the joints of a skin, or --fix" },
	{ "no-inverse-bind", "export the skin with inverse bind matrices, or --fix" },
	{ "skins-disagree", "bind all skins in one pose" },
	{ "baked-skin", "apply the armature's transform before exporting, or --fix" },
	{ "bind-pose", "leave the figure in its bind pose when exporting, or --fix" },
	{ "virtual-transform", "correct it; it is left out until then" },
};

const char *jc_lint_remedy(const char *code)
{
	for (size_t i = 0; i < sizeof(remedies) / sizeof(*remedies); i++) {
		if (strcmp(remedies[i].code, code) == 0) {
			return remedies[i].remedy;
		}
	}
	return "";
}
