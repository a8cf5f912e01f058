/* What each unit test includes: cmocka, and the headers that cmocka.h needs before it. */
#ifndef JC_UNIT_TEST_H
#define JC_UNIT_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
