/* Lists the programs that send motion to this machine (--list-senders). */
#ifndef JC_LIST_SENDERS_H
#define JC_LIST_SENDERS_H

#include <stdbool.h>

/* Listens for some seconds on the ports that motion capture programs use by default, and prints
 * what arrives: port, sender, packets per second, and the form of the packets with the first OSC
 * address. is_remote: also on the other addresses of the machine. A port that another program uses
 * is listed as such. Returns 0, or 3 if no port can be opened. */
int jc_list_senders(bool is_remote);

#endif
