# bash completion for jointcast: its help is the list of commands and options
_jointcast()
{
	local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
	local tool=${COMP_WORDS[0]/#\~\//$HOME/} command=${COMP_WORDS[1]} words

	if [ "$COMP_CWORD" -eq 1 ]; then
		words=$("$tool" --help 2>/dev/null | sed -n '/^commands:/,/^$/s/^  \([a-z-]*\).*/\1/p')
		mapfile -t COMPREPLY < <(compgen -W "$words --help --version" -- "$word")
		return
	fi
	if [ "$command $before" = 'invite --role' ]; then
		words="watch publish"
		before=
	fi
	if [ "$command $before" = 'watch --skeleton' ]; then
		words="humanoid own"
		before=
	fi
	case $before in
	--profile) words="webxr-spec meta pico htc slimevr" ;;
	--bone-axes) words="anatomic child" ;;
	--limits) words="off count clamp" ;;
	--contacts) words="on off" ;;
	--algorithm) words="HS256 RS256 ES256" ;;
	--role) words="watch publish record moderate administer" ;;
	--pose) words="t i" ;;
	--to) words="ws://127.0.0.1:9871" ;;
	-o | --output | --fix | --skeleton | --avatar | --bones | --skeleton-bones | --ca | --token-file | --dump | --daemon | --peer | --new-key)
		compopt -o filenames 2>/dev/null
		mapfile -t COMPREPLY < <(compgen -f -- "$word")
		return
		;;
	--json | --cluster | --draft | --poses | --positions | --scene | --loop | --mirror | --as-tracked | --descriptor | --bones-template | --undo | --list | --pair | --qr | --no-qr | --credit | --own-skeletons | --viewpoints | --tls | --may-*) ;;
	--*)
		# No suggestions for the value.
		COMPREPLY=()
		return
		;;
	esac
	if [ -n "$words" ]; then
		mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
		return
	fi
	if [[ $word == -* ]]; then
		words=$("$tool" "$command" --help 2>/dev/null | grep -oE -e '--[a-z][a-z-]*')
		mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word" | sort -u)
		return
	fi
	case $command:$COMP_CWORD in
	bench:2) words="retarget codec fanout" ;;
	status:*) words="http://127.0.0.1:9872" ;;
	register:3 | calibrate:* | invite:* | watch:* | record:*) words="http://127.0.0.1:9871" ;;
	esac
	if [ -n "$words" ]; then
		mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
		return
	fi
	# A colon parts words here: after "demo:" only the name is completed.
	if [ "$before" = : ] || [ "$word" = : ]; then
		mapfile -t COMPREPLY < <(compgen -W "walk wave sit idle" -- "${word#:}")
		return
	fi
	mapfile -t COMPREPLY < <(compgen -W "humanoid demo:" -- "$word")
	[[ ${COMPREPLY[0]} == demo: ]] && compopt -o nospace
	compopt -o filenames 2>/dev/null
	mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$word")
}
complete -F _jointcast jointcast
