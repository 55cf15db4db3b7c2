# Completion of TOOL for bash. Try it:  source <(TOOL completion bash)
# Keep it:  TOOL completion bash > ~/.local/share/bash-completion/completions/TOOL

_TOOL_complete() {
	# The words before the cursor as they were typed: bash itself would cut them at = and :.
	local line=${COMP_LINE:0:COMP_POINT} words typed='' answer word kind
	read -ra words <<<"$line"
	if [[ $line == *[[:space:]] ]]; then
		words+=('')
	fi
	typed=${words[${#words[@]} - 1]}
	answer=$("${words[0]}" complete "${words[@]:1}" 2>/dev/null) || return
	kind=${answer%%$'\n'*}
	COMPREPLY=()
	while IFS=$'\t' read -r word _; do
		[[ -n $word ]] && COMPREPLY+=("$word")
	done <<<"${answer#"$kind"}"
	# Bash replaces only what follows the last = or :.
	local head=${typed%"${typed##*[=:]}"}
	COMPREPLY=("${COMPREPLY[@]#"$head"}")
	case $kind in
	files) mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "${typed#"$head"}") && compopt -o filenames 2>/dev/null ;;
	dirs) mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -d -- "${typed#"$head"}") && compopt -o filenames 2>/dev/null ;;
	esac
	if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *[=:] ]]; then
		compopt -o nospace 2>/dev/null
	fi
}

complete -F _TOOL_complete TOOL
