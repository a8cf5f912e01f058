/* Makes text that came from a file fit to be shown on one line. */
#ifndef JC_HUMANOID_TEXT_H
#define JC_HUMANOID_TEXT_H

/* Replaces control characters and bytes that are not well-formed UTF-8 (a
 * character cut off by a buffer's end too) by '?', in place. */
void jc_text_clean(char *text);

#endif
