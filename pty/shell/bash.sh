# ptyd shell integration, bash 4.4 and later. Started as `bash --rcfile FILE`; bash itself reads the system's bashrc before it.
# The server puts two lines before this text:  __ptyd_n='NONCE'  __ptyd_f='/private/dir/c'
# Defined before the user's files are read: an alias of theirs would be expanded inside these bodies.
# Only builtins, by name of `builtin`; nothing exported; every marker is one write to /dev/tty, wherever fd 1 and 2 point.

# __ptyd_m FIELDS...: prints a marker.
__ptyd_m() { local IFS=';'; builtin printf '\e]6973;%s;%s\a' "$__ptyd_n" "$*" >/dev/tty; }

# Sets __ptyd_w to the directory, percent-encoded where it holds anything but plain path letters.
__ptyd_cwd() {
  local LC_ALL=C i c h; __ptyd_w=$PWD
  [[ $__ptyd_w == *[!A-Za-z0-9/._~@+,=-]* ]] || return 0
  local text=$__ptyd_w; __ptyd_w=
  for ((i = 0; i < ${#text}; i++)); do
    c=${text:i:1}
    case $c in [A-Za-z0-9/._~@+,=-]) ;; *) builtin printf -v h '%d' "'$c"; builtin printf -v c '%%%02X' $((h & 255)) ;; esac
    __ptyd_w+=$c
  done
}

# The prompt hook: first of PROMPT_COMMAND. Leaves $? as it was for those behind it.
__ptyd_p() {
  local s=$?
  { __ptyd_cwd; __ptyd_m P "$s" "$__ptyd_w"; } >/dev/null 2>&1
  [[ $- == *e* ]] && return 0
  return "$s"
}

# Puts the hook back where the user's command has put it away. Where the variable is readonly it stands in PS1.
__ptyd_hook() {
  if [[ ${PROMPT_COMMAND[0]+x} && ${PROMPT_COMMAND@a} == *r* ]]; then
    [[ ${PS1-} == *__ptyd_p* ]] || PS1='\[${__ptyd_n:+$(__ptyd_p)}\]'"${PS1-}"
  else
    [[ ${PROMPT_COMMAND[0]-} == '__ptyd_p'* ]] || PROMPT_COMMAND[0]="__ptyd_p${PROMPT_COMMAND[0]:+; ${PROMPT_COMMAND[0]}}"
    export -n PROMPT_COMMAND                     # a nested bash knows no __ptyd_p
  fi
  [[ ${HISTIGNORE-} == *__ptyd* ]] || HISTIGNORE="${HISTIGNORE:+$HISTIGNORE:}*__ptyd*"
}

# begin: reads "TOKEN\nTEXT" that the server has written, tells that it begins, and leaves $? as it was.
__ptyd_b() {
  local s=$? t= was; was=$s
  {
    __ptyd_c=
    if { IFS= builtin read -r t; IFS= builtin read -r -d '' __ptyd_c; } <"$__ptyd_f"; then s=$s; fi
    __ptyd_t=$t
    # Under errexit an eval that ends with 1, as of `! true`, would end the shell, which the text itself does not.
    if [[ $- == *e* && $__ptyd_c != *'<<'* && $__ptyd_c != *\\ ]]; then __ptyd_c+=$'\n__ptyd_e'; fi
    export -n __ptyd_c __ptyd_t __ptyd_w         # under `set -a` the text would be in every child's environment
    __ptyd_hook
    # Under errexit, or with a trap on ERR, what we return would be taken for the user's failure.
    # In POSIX mode a trap that is not set is shown as `-`, without quotes.
    if ((s)) && [[ $- == *e* || $(builtin trap -p ERR) == *\'* ]]; then s=0; fi
    __ptyd_m B "$t" "$was"
  } >/dev/null 2>&1
  return "$s"
}

# end: the way out of a command that was not interrupted.
__ptyd_e() {
  local s=$?
  { [[ -z ${__ptyd_t-} ]] || { __ptyd_cwd; __ptyd_m E "$__ptyd_t" "$s" "$__ptyd_w"; __ptyd_t=; }; } >/dev/null 2>&1
  [[ $- == *e* ]] && return 0
  return "$s"
}

# What is typed at the prompt is ` \builtin eval "$__ptyd"`: top level, so declare, set, traps and cd are as if typed.
__ptyd='__ptyd_b; \builtin eval "$__ptyd_c"; __ptyd_e'

[[ -f ~/.bashrc ]] && . ~/.bashrc
set +H
__ptyd_hook
