# fish completion for delassus: what may stand at the cursor comes from the program itself.
function __delassus_words
    set -l words (commandline -opc)
    set -l program $words[1]
    set -e words[1]
    set -l before (string match -r '.*,' -- (commandline -ct); or echo '')
    for word in ($program complete -- $words 2>/dev/null)
        # Of a list the part behind its last comma.
        printf "%s\n" $before$word
    end
end
complete -c delassus -a '(__delassus_words)'
