/* What the reader and the writer of pose tables share. */
#ifndef JC_MOTION_CSV_H
#define JC_MOTION_CSV_H

/* A table of ours begins so; one that begins with the column "time" is read as
 * well. */
#define JC_CSV_FIRST_WORDS "# jointcast poses"

/* "x" to "w": columns are "hips.x" and "BONE.qx". */
extern const char *const jc_csv_axes[4];

#endif
