# bash completion for jointcastd: its help is the list of options
_jointcastd() {
	# shellcheck disable=SC2034 # _init_completion fills them
	local cur prev words cword
	_init_completion -n := || return
	case $prev in
	--listen | --tls-listen | --proxy-listen | --admin)
		mapfile -t COMPREPLY < <(compgen -W '127.0.0.1: [::1]:' -- "$cur")
		compopt -o nospace
		return
		;;
	--vmc-out)
		mapfile -t COMPREPLY < <(compgen -W '127.0.0.1:39539' -- "$cur")
		__ltrim_colon_completions "$cur"
		return
		;;
	--osc-out)
		mapfile -t COMPREPLY < <(compgen -W '127.0.0.1:9000' -- "$cur")
		__ltrim_colon_completions "$cur"
		return
		;;
	--edge | --nats-origin)
		mapfile -t COMPREPLY < <(compgen -W 'nats://127.0.0.1:4222' -- "$cur")
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
	--certificate | --key)
		_filedir
		return
		;;
	--skeleton)
		_filedir '@(vrm|gltf|glb|wrl|x3d|x3dv|json)'
		return
		;;
	--source)
		case $cur in
		file:* | replay:*)
			local scheme=${cur%%:*}
			cur=${cur#*:}
			_filedir
			COMPREPLY=("${COMPREPLY[@]/#/$scheme:}")
			;;
		*)
			compopt -o nospace
			mapfile -t COMPREPLY < <(compgen -W \
				'file: replay: demo:walk demo:wave demo:sit demo:idle vmc:39539 osc-trackers:9010 mocopi:12351 ifacialmocap:49983 facemotion3d:49993 openxr:' -- "$cur")
			;;
		esac
		__ltrim_colon_completions "$cur"
		return
		;;
	esac
	mapfile -t COMPREPLY < <(compgen -W \
		"$("${COMP_WORDS[0]/#\~\//$HOME/}" --help 2>/dev/null | grep -oE -e "--[a-z][a-z-]*" | sort -u)" -- "$cur")
} && complete -F _jointcastd jointcastd
