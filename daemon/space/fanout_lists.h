/* What the two files of a fanout share: who is there is in view.c, what they get in
 * fanout.c. */
#ifndef JC_VIEW_PRIVATE_H
#define JC_VIEW_PRIVATE_H

#include "space/fanout.h"

/* The lists that views are in: of who gets nothing, of personal ones, of each variant.
 * They stay that many while subscribers are called. */
size_t jc_fanout_list_count(const struct jc_fanout *fanout);
struct jc_view *jc_fanout_list(const struct jc_fanout *fanout, size_t index);

/* A body enters: whoever ignores it gets a view of its own. */
void jc_fanout_meet(struct jc_fanout *fanout, const struct jc_body *body);

/* Tells the subscriber of a personal view what it has to know before its next bundle. */
void jc_view_show(struct jc_view *view);

void jc_fanout_drop_unused(struct jc_fanout *fanout);

#endif
