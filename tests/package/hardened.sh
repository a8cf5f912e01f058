#!/bin/sh
# Programs and libraries are hardened, as far as a file shows it.
#
# usage: hardened.sh FILE…        programs and shared libraries
#        hardened.sh --objects ARCHIVE…      what they are linked from
#        hardened.sh --commands FILE         compile_commands.json, which compiles all of it; the
#                                            C++ test program stands for programs of users
set -eu
failed=0
complain() {
	echo "$*" >&2
	failed=1
}

# Whether a start file of the C library has that mark: without it the linker gives it to no
# program.
start_file_has() {
	readelf -nW "$(cc -print-file-name=crti.o)" | grep -q "x86 feature:.*$1"
}

judge_file() {
	header=$(readelf -hW "$1")
	segments=$(readelf -lW "$1")
	dynamic=$(readelf -dW "$1")
	symbols=$(readelf --dyn-syms -W "$1")

	case "$header" in *"DYN ("*) ;; *) complain "$1: is not position-independent" ;; esac
	case "$dynamic" in
	*"(SONAME)"*) ;;
	*FLAGS_1*PIE*) ;;
	*) complain "$1: is no PIE" ;;
	esac
	case "$dynamic" in *FLAGS*NOW*) ;; *) complain "$1: binds lazily" ;; esac
	case "$dynamic" in *TEXTREL*) complain "$1: has text relocations" ;; esac
	case "$segments" in *GNU_RELRO*) ;; *) complain "$1: no RELRO" ;; esac
	echo "$segments" | grep -q 'GNU_STACK.* RW  *0x' || complain "$1: an executable stack"
	if echo "$segments" | grep -q 'LOAD.* RWE '; then
		complain "$1: memory that can be written and executed"
	fi
	echo "$symbols" | grep -q ' UND __stack_chk_fail' || complain "$1: no stack protector"
	echo "$symbols" | grep -q ' UND __[a-z]*_chk' || complain "$1: no checked calls (_FORTIFY_SOURCE)"
	case "$header" in *X86-64*)
		notes=$(readelf -nW "$1")
		echo "$notes" | grep -q 'x86 feature:.*SHSTK' || complain "$1: not marked for shadow stacks"
		if start_file_has IBT; then
			echo "$notes" | grep -q 'x86 feature:.*IBT' || complain "$1: not marked for IBT"
		fi
		;;
	esac
}

# Each object has the marks of CET, on x86, or of BTI and PAC, on arm64.
judge_objects() {
	case "$(readelf -hW "$1")" in
	*X86-64*) wanted='x86 feature:.*IBT.*SHSTK' ;;
	*AArch64*) wanted='AArch64 feature:.*BTI.*PAC' ;;
	*) return ;;
	esac
	count=$(ar t "$1" | wc -l)
	marked=$(readelf -nW "$1" | grep -c "$wanted" || true)
	[ "$count" -gt 0 ] && [ "$marked" = "$count" ] ||
		complain "$1: $marked of $count objects are marked '$wanted'"
}

# Whether the compiler of a command has an option.
has_option() {
	echo 'int main(void) { return 0; }' | "$1" -Werror "$2" -x c -c -o /dev/null - 2>/dev/null
}

judge_commands() {
	commands=$(sed -n 's/^ *"command": "//p' "$1" | grep -v '\.cpp"')
	compiler=$(echo "$commands" | tr ' ' '\n' | grep -m 1 -E '/([a-z0-9_-]+-)?(cc|gcc|clang)(-[0-9.]+)?$')
	for option in -fstack-protector-strong -fstack-clash-protection -fcf-protection=full \
		-mbranch-protection=standard; do
		without=$(echo "$commands" | grep -cvF -e " $option " || true)
		if has_option "$compiler" "$option" && [ "$without" != 0 ]; then
			complain "$1: $without commands without $option"
		fi
	done
	case "$commands" in
	*-fsanitize=* | *" -g -"*) ;;
	*)
		# The last definition counts.
		without=$(echo "$commands" | grep -cvE -e '-D_FORTIFY_SOURCE=[23] ' || true)
		[ "$without" = 0 ] || complain "$1: $without commands without _FORTIFY_SOURCE"
		;;
	esac
}

judge=judge_file
case "${1:-}" in
--objects) judge=judge_objects && shift ;;
--commands) judge=judge_commands && shift ;;
esac
[ $# -gt 0 ] || complain "no file to judge"
for file; do
	if [ -f "$file" ]; then
		$judge "$file"
	else
		complain "$file: no such file"
	fi
done
exit $failed
