#compdef TOOL
# Completion of TOOL for zsh. Try it:  source <(TOOL completion zsh)
# Keep it:  TOOL completion zsh > a file _TOOL in a directory of $fpath

_TOOL() {
	local -a answer found
	local text kind line
	text=$("${words[1]}" complete "${(@)words[2,CURRENT]}" 2>/dev/null) || return
	answer=("${(@f)text}")
	kind=$answer[1]
	for line in $answer[2,-1]; do
		# _describe parts a word from what it means at a colon.
		found+=("${${line%%$'\t'*}//:/\\:}${${(M)line%%$'\t'*}:+:${line#*$'\t'}}")
	done
	((${#found})) && _describe -V 'TOOL' found
	case $kind in
	files) _files ;;
	dirs) _files -/ ;;
	esac
}

if [[ $funcstack[1] == _TOOL ]]; then
	_TOOL "$@"
else
	compdef _TOOL TOOL
fi
