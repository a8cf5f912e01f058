# What makes a defect in our code harder to use: each of these for every target, as far as
# the compiler and the linker have it.
include(CheckCCompilerFlag)
include(CheckCSourceCompiles)
include(CheckLinkerFlag)
include(CheckPIESupported)
check_pie_supported()

# jc_harden(FLAG NAME): an option of the compiler; JC_HAS_NAME says whether there is one.
function(jc_harden flag name)
	set(CMAKE_REQUIRED_FLAGS -Werror) # clang only warns of those for other processors
	check_c_compiler_flag(${flag} JC_HAS_${name})
	if(JC_HAS_${name})
		target_compile_options(jc_options INTERFACE ${flag})
	endif()
endfunction()
jc_harden(-fstack-protector-strong STACK_PROTECTOR)
jc_harden(-fstack-clash-protection STACK_CLASH_PROTECTION)
# Jumps and returns go where they may: x86 (CET), and arm64 (BTI and PAC).
jc_harden(-fcf-protection=full CF_PROTECTION)
jc_harden(-mbranch-protection=standard BRANCH_PROTECTION)

foreach(option relro now noexecstack)
	target_link_options(jc_options INTERFACE LINKER:-z,${option})
endforeach()
# The linker marks a program for shadow stacks when all of its objects are marked. Debian's
# start files (crt1.o, crti.o, crtn.o) are not, although they keep to the rule; they lack
# the landing pads of IBT, so that mark is left to the linker.
check_linker_flag(C LINKER:-z,shstk JC_HAS_SHSTK)
if(JC_HAS_CF_PROTECTION AND JC_HAS_SHSTK)
	target_link_options(jc_options INTERFACE LINKER:-z,shstk)
endif()

# Calls of the C library that know how large their buffer is. Level 3 takes gcc 12 or clang
# and glibc 2.35; a level that a distribution's flags set is replaced. It takes optimisation,
# and sanitizers check the same calls themselves.
set(CMAKE_REQUIRED_FLAGS "-O2 -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3")
check_c_source_compiles("#include <stdio.h>
#if __USE_FORTIFY_LEVEL < 3
#error less
#endif
int main(void) { return 0; }" JC_HAS_FORTIFY_3)
unset(CMAKE_REQUIRED_FLAGS)
set(level $<IF:$<BOOL:${JC_HAS_FORTIFY_3}>,3,2>)
if(NOT JC_SANITIZE)
	target_compile_options(jc_options INTERFACE
		$<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE> $<$<NOT:$<CONFIG:Debug>>:-D_FORTIFY_SOURCE=${level}>)
endif()
