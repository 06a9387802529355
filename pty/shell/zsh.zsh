# ptyd shell integration, zsh 5.x: the .zshenv of a private ZDOTDIR. It gives ZDOTDIR back first, so that zsh itself goes on with the
# user's own .zprofile, .zshrc and .zlogin.
# The server puts before this text:  __ptyd_n='NONCE'  __ptyd_f='/private/dir/c'  and, if there was one, __ptyd_z='USER ZDOTDIR'
if (( ${+__ptyd_z} )); then ZDOTDIR=$__ptyd_z; else unset ZDOTDIR; fi
unset __ptyd_z

# __ptyd_m FIELDS...: prints a marker, as one write to /dev/tty, wherever fd 1 and 2 point.
__ptyd_m() { builtin printf '\e]6973;%s;%s\a' "$__ptyd_n" "${(j:;:)@}" >/dev/tty }

# Sets __ptyd_w to the directory, percent-encoded where it holds anything but plain path letters.
__ptyd_cwd() {
  builtin emulate -L zsh -o extendedglob -o no_multibyte
  local MATCH MBEGIN MEND
  __ptyd_w=${PWD//(#m)[^A-Za-z0-9\/._~@+,=-]/%${(l:2::0:)$(( [##16] #MATCH & 255 ))}}
}

# The prompt hook: first of precmd_functions. Leaves $? as it was for those behind it.
__ptyd_p() {
  local s=$?
  {
    [[ -z ${__ptyd_s-} ]] || s=$__ptyd_s
    __ptyd_cwd
    __ptyd_m P $s "$__ptyd_w"
  } >/dev/null 2>&1
  if (( s )) && __ptyd_x; then return 0; fi
  return $s
}

# The answer to zshaddhistory: our line is kept nowhere. What fails before && is no failure to errexit.
__ptyd_h() { [[ $1 != *__ptyd* ]] && : }

# Puts the hooks back where the user's command has put them away. PROMPT_EOL_MARK would stand in the output of what was interrupted.
__ptyd_hook() {
  builtin emulate -L zsh
  builtin typeset -ga precmd_functions zshaddhistory_functions
  [[ ${precmd_functions[1]-} == __ptyd_p ]] || precmd_functions=(__ptyd_p ${precmd_functions:#__ptyd_p})
  [[ ${zshaddhistory_functions[1]-} == __ptyd_h ]] || zshaddhistory_functions=(__ptyd_h ${zshaddhistory_functions:#__ptyd_h})
  PROMPT_EOL_MARK=
}

# Whether a failure sets something off: under errexit or errreturn, or with a trap on ZERR.
__ptyd_x() { [[ -o errexit || -o errreturn || -n ${functions[TRAPZERR]-} || -n ${functions[TRAPERR]-} || "$(builtin trap)" == *ERR* ]] }

# begin STATUS: reads "TOKEN\nTEXT" that the server has written, tells that it begins, and leaves $? as it was.
__ptyd_b() {
  local was=$1
  {
    __ptyd_c=$(<$__ptyd_f)                       # no fork; read -d '' would take a second per megabyte
    __ptyd_t=${__ptyd_c%%$'\n'*} __ptyd_c=${__ptyd_c#*$'\n'}  # subscripts begin with 0 under ksh_arrays
    [[ -z ${__ptyd_s-} ]] || was=$__ptyd_s
    __ptyd_s=
    # An eval that fails fails once more than its text: a trap would run again, and under errexit `! true` would end the shell. So
    # the end is told within the text, where that matters and the last line cannot run into it.
    if __ptyd_x || [[ $__ptyd_c == *ERR* || $__ptyd_c == *'set -'* || $__ptyd_c == *errexit* || $__ptyd_c == *errreturn* ]]; then
      [[ $__ptyd_c == *'<<'* || $__ptyd_c == *[\\\|] || $__ptyd_c == *[\&\|]\& ]] || __ptyd_c+=$'\n'$__ptyd_y
    fi
    # Under `set -a` they would be in every child's environment.
    builtin typeset -g +x __ptyd_c __ptyd_t __ptyd_w __ptyd_r __ptyd_s
    __ptyd_hook
    __ptyd_m B $__ptyd_t $was
  } >/dev/null 2>&1
  return $was
}

# end STATUS: the way out of a command that was not interrupted. What it has put on the next line with print -z is taken off, for
# the next command is typed there. A failure that would set something off is hidden until the next command or prompt.
__ptyd_e() {
  [[ -n ${__ptyd_t-} ]] || return $1
  {
    while builtin read -z __ptyd_w; do :; done
    __ptyd_cwd
    __ptyd_m E "$__ptyd_t" $1 "$__ptyd_w"
    __ptyd_t= __ptyd_s=
    if (( $1 )) && __ptyd_x; then __ptyd_s=$1; fi
  } >/dev/null 2>&1
  [[ -z $__ptyd_s ]] || return 0
  return $1
}

# The line behind the text. What fails before && sets no trap off, nor does it end the shell.
__ptyd_y='__ptyd_r=$?; { __ptyd_e $__ptyd_r && :; } 2>/dev/null'

# The text typed at the prompt is ` \builtin \eval "$__ptyd"`: no alias, no word that zsh corrects, and top level, so that
# typeset, setopt, traps and cd are as if typed.
# A brace alone ends no group in other emulations. Within groups nothing is traced: `set -x` shows the eval, and nothing else of ours.
__ptyd='{ __ptyd_r=$?; __ptyd_b $__ptyd_r && :; } 2>/dev/null; \builtin eval "$__ptyd_c"; { '$__ptyd_y'; } 2>/dev/null'

[[ -r ${ZDOTDIR:-$HOME}/.zshenv ]] && builtin source -- "${ZDOTDIR:-$HOME}/.zshenv"
__ptyd_hook
