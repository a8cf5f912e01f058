# bash completion for jointcastd
_jointcastd() {
	# shellcheck disable=SC2034 # _init_completion fills them
	local cur prev words cword
	_init_completion -n := || return
	case $prev in
	--listen)
		mapfile -t COMPREPLY < <(compgen -W '127.0.0.1:9871 [::1]:9871' -- "$cur")
		return
		;;
	--vmc-out)
		mapfile -t COMPREPLY < <(compgen -W '127.0.0.1:39539' -- "$cur")
		__ltrim_colon_completions "$cur"
		return
		;;
	--record | --state | --web)
		_filedir -d
		return
		;;
	--config)
		_filedir conf
		return
		;;
	--skeleton)
		_filedir '@(vrm|glb|gltf|json)'
		return
		;;
	--source)
		case $cur in
		file:*)
			cur=${cur#file:}
			_filedir '@(bvh|jsonl)'
			COMPREPLY=("${COMPREPLY[@]/#/file:}")
			;;
		*)
			compopt -o nospace
			mapfile -t COMPREPLY < <(compgen -W \
				'file: demo:walk demo:wave demo:sit demo:idle vmc:39539 openxr:' -- "$cur")
			;;
		esac
		__ltrim_colon_completions "$cur"
		return
		;;
	esac
	mapfile -t COMPREPLY < <(compgen -W \
		"--listen --source --vmc-out --record --skeleton --state --web --config --check-config --help --version" -- "$cur")
} && complete -F _jointcastd jointcastd
