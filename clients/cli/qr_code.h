/* Prints QR codes on terminals. */
#ifndef JC_CLI_QR_CODE_H
#define JC_CLI_QR_CODE_H

#include <stdio.h>

/* Prints the QR code of a text with half blocks, black on white on any terminal of 256 colours,
 * with the border of four modules that readers need (ISO/IEC 18004). Returns 0, JC_ERROR_LIMIT if
 * the text is too long for a QR code, or JC_ERROR_MEMORY. */
int jc_qr_code_print(FILE *stream, const char *text);

#endif
