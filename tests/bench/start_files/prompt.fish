# A start file with prompts of its own, left and right, over two lines, a title, and handlers of events.
set -g fish_greeting welcome
set -g kept_count 0

function fish_prompt
    set -l last $status
    set -l statuses $pipestatus
    set -l branch (command git rev-parse --abbrev-ref HEAD 2>/dev/null)
    set_color cyan
    echo -n (prompt_pwd)
    set_color normal
    test -n "$branch"; and echo -n " on $branch"
    echo " took $CMD_DURATION ms, statuses $statuses"
    test $last -eq 0; and set_color green; or set_color red
    echo -n '❯ '
    set_color normal
end

function fish_right_prompt
    set -l last $status
    test $last -eq 0; or echo -n "$last ↵ "
    command date +%T
end

function fish_mode_prompt
end

function fish_title
    echo (status current-command) (prompt_pwd)
end

function count_before --on-event fish_preexec
    set -g kept_count (math $kept_count + 1)
    printf '\e]133;C\a'
end

function mark_after --on-event fish_postexec
    printf '\e]133;D;%s\a' $status
end

function mark_prompt --on-event fish_prompt
    printf '\e]133;A\a\e]7;file://%s%s\a' $hostname (string escape --style=url -- $PWD)
end

abbr -a -g gco git checkout
alias ll 'ls -l'
