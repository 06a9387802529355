# A start file like bash-preexec's, as terminals and history tools bring it along: arrays of functions that a DEBUG trap and two
# parts of PROMPT_COMMAND call, and marks of the command's end for another terminal.
preexec_functions=(mark_begin note_begin)
precmd_functions=(mark_end note_end title)
__pre_interactive=

mark_begin() { printf '\033]133;C\007'; }
note_begin() { noted=$1; }
mark_end() { printf '\033]133;D;%s\007\033]133;A\007' "$__pre_status"; }
note_end() { noted_before=${noted-}; }
title() { printf '\033]0;%s@%s: %s\007' "${USER-}" "${HOSTNAME-}" "${PWD/#$HOME/\~}"; }

__pre_precmd() {
  __pre_status=$?
  local each
  for each in "${precmd_functions[@]}"; do "$each"; done
}

__pre_ready() { __pre_interactive=on; }

__pre_invoke() {
  [[ -n ${COMP_LINE-} || -z ${__pre_interactive-} ]] && return 0
  __pre_interactive=
  local line each
  line=$(HISTTIMEFORMAT='' builtin history 1)
  for each in "${preexec_functions[@]}"; do "$each" "$line"; done
  return 0
}

shopt -s checkwinsize histappend
HISTCONTROL=ignoreboth
PS1='\[\033]133;A\007\]\u@\h:\w $(sh -c "exit 3")\$ \[\033]133;B\007\]'
PROMPT_COMMAND=$'__pre_precmd\nhistory -a\n__pre_ready'
trap '__pre_invoke "$_"' DEBUG
