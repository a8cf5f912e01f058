# bash completion for jointcast
_jointcast()
{
	local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
	local command=${COMP_WORDS[1]} words=

	if [ "$COMP_CWORD" -eq 1 ]; then
		COMPREPLY=($(compgen -W "inspect retarget convert lint measure recover bench status calibrate play watch --help --version" -- "$word"))
		return
	fi
	case $before in
	--motion-index | --skeleton-index | --times | --fps | --iterations | --drop | --hips-scale | --twist | --to | --space | --name | --speed | --from | --until)
		COMPREPLY=()
		return
		;;
	esac
	if [ "$before" = --profile ]; then
		COMPREPLY=($(compgen -W "webxr-spec meta pico htc slimevr" -- "$word"))
		return
	fi
	if [ "$before" = --limits ]; then
		COMPREPLY=($(compgen -W "off count clamp" -- "$word"))
		return
	fi
	case $command in
	inspect) words="--json --descriptor --help" ;;
	retarget) words="--motion-index --skeleton-index --times --fps --loop --limits --as-tracked --mirror --hips-scale --twist --json --help" ;;
	convert) words="--motion-index --skeleton --profile --drop --as-tracked --mirror --twist --help" ;;
	lint) words="--json --fix --help" ;;
	measure) words="--motion-index --skeleton-index --fps --limits --as-tracked --mirror --hips-scale --twist --json --help" ;;
	recover) words="--output --json --help" ;;
	status) words="--json --help" ;;
	calibrate) words="--body --space --height --pose --countdown --undo --help" ;;
	watch) words="--space --json --help" ;;
	play) words="--to --space --name --speed --loop --from --until --motion-index --may-record --may-rebroadcast --help" ;;
	bench) words="--iterations --dump --subscribers --bodies --hz --seconds --stalled --credit --views --own-skeletons --rounds --daemon --peer --json --help" ;;
	esac
	if [[ $word == -* ]]; then
		COMPREPLY=($(compgen -W "$words" -- "$word"))
		return
	fi
	if [ "$command" = bench ] && [ "$COMP_CWORD" -eq 2 ]; then
		COMPREPLY=($(compgen -W "retarget codec fanout" -- "$word"))
		return
	fi
	if [ "$before" = --pose ]; then
		COMPREPLY=($(compgen -W "t i" -- "$word"))
		return
	fi
	if [ "$command" = status ] || [ "$command" = calibrate ] || [ "$command" = watch ]; then
		COMPREPLY=($(compgen -W "http://127.0.0.1:9871" -- "$word"))
		return
	fi
	# A colon parts words here: after "demo:" only the name is completed.
	if [ "$before" = : ]; then
		COMPREPLY=($(compgen -W "walk wave sit idle" -- "$word"))
		return
	fi
	if [ "$word" = : ]; then
		COMPREPLY=(walk wave sit idle)
		return
	fi
	COMPREPLY=($(compgen -W "humanoid demo:" -- "$word"))
	[[ ${COMPREPLY[0]} == demo: ]] && compopt -o nospace
	compopt -o filenames 2>/dev/null
	local IFS=$'\n'
	COMPREPLY+=($(compgen -f -- "$word"))
}
complete -F _jointcast jointcast
