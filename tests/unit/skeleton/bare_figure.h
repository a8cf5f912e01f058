/* A body without names whose bones are known, and changes to it. */
#ifndef JC_TEST_BARE_FIGURE_H
#define JC_TEST_BARE_FIGURE_H

#include <stdbool.h>

#include "jointcast_private/recognition.h"

#define MAX_JOINTS 160

/* Changes to the figure. */
struct bare_figure_changes {
	float arms_down; /* radians from the T-pose */
	bool right_first;
	bool twists, metacarpals, controls;
	bool blunt; /* feet without toes, straight knees and elbows */
	bool no_arms, no_fingers;
	struct jc_quat turn;
	float scale;
};

struct bare_figure {
	struct bare_figure_changes changes;
	size_t count;
	struct jc_vec3 positions[MAX_JOINTS];
	int parents[MAX_JOINTS];
	const char *names[MAX_JOINTS];
	bool are_tips[MAX_JOINTS];
	int bones[JC_BONE_COUNT]; /* in the order of construction */
};

extern const struct bare_figure_changes bare_figure_plain;

struct jc_vec3 bare_figure_at(float x, float y, float z);

/* Adds a joint; `bone` is -1 for none. Returns the joint. */
int bare_figure_put(struct bare_figure *figure, int parent, int bone, struct jc_vec3 position);
void bare_figure_put_tip(struct bare_figure *figure, int parent, struct jc_vec3 position);

/* Adds the five fingers of a hand. */
void bare_figure_put_hand(struct bare_figure *figure, int hand, bool is_right);

/* A whole human in the T-pose, with changes. */
void bare_figure_build(struct bare_figure *figure, struct bare_figure_changes changes);

/* Gives all joints that are bones the names of the bones. */
void bare_figure_name_bones(struct bare_figure *figure);

/* Recognises the figure, turned and scaled as its changes say. out_found has the joints of the
 * figure. */
int bare_figure_recognize(const struct bare_figure *figure, struct jc_recognition *out_found);

#endif
