# Completion of TOOL for fish. Try it:  TOOL completion fish | source
# Keep it:  TOOL completion fish > ~/.config/fish/completions/TOOL.fish

function __TOOL_complete
	set -l words (commandline -opc)
	set -l typed (commandline -ct)
	set -l answer ($words[1] complete $words[2..] "$typed" 2>/dev/null)
	for line in $answer[2..]
		echo $line
	end
	switch $answer[1]
	case files
		__fish_complete_path "$typed"
	case dirs
		__fish_complete_directories "$typed"
	end
end

complete -c TOOL -f -a '(__TOOL_complete)'
