# Completion of referee's arguments in fish.
function __referee_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l candidates (referee complete $words[2..-1] 2>/dev/null)
    if test (count $candidates) -gt 0
        printf '%s\n' $candidates
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c referee -f -a '(__referee_complete)'
