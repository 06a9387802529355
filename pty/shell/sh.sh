# ptyd shell integration, dash and other POSIX shells (busybox ash, bash as sh): named by ENV, so only interactive ones read it.
# The server puts before this text:  __ptyd_n='NONCE'  __ptyd_f='/private/dir/c', and ENV='USER ENV' __ptyd_v="USER ENV", or unset ENV.
# The command file is a script here, and its first line calls __ptyd_b. It is read with `.`, since these shells cannot read a file
# into a variable fast; `return` then ends the file, where under eval it would end the shell. Where its last line cannot run into it,
# it calls __ptyd_e: else under errexit a `.` that ends with 1, as of `! true`, would end the shell, which the text itself does not.

# __ptyd_m FIELDS: prints a marker. `command` finds the builtin where the user has a function of that name.
__ptyd_m() { command printf '\033]6973;%s;%s\007' "$__ptyd_n" "$1" >/dev/tty; }

# Sets __ptyd_w to the directory, percent-encoded where it holds anything but plain path letters.
__ptyd_cwd() {
  __ptyd_w=$PWD
  case $__ptyd_w in *[!A-Za-z0-9/._~@+,=-]*) ;; *) return 0 ;; esac
  __ptyd_w=$(LC_ALL=C; IFS=; while [ -n "$__ptyd_w" ]; do
      r=${__ptyd_w#?}; c=${__ptyd_w%"$r"}; __ptyd_w=$r
      case $c in [A-Za-z0-9/._~@+,=-]) command printf %s "$c" ;; *) h=$(command printf %d "'$c"); command printf '%%%02X' $((h & 255)) ;; esac
    done)
}

# There is no hook, so it stands inside PS1, which is expanded at each prompt: in a subshell, so $? stays. A nested shell that inherits
# PS1 has no __ptyd_n; `echo "$PS1"` prints no marker.
__ptyd_p() {
  case ${__ptyd_s-} in '') ;; *) set -- "$__ptyd_s" ;; esac
  __ptyd_cwd; __ptyd_m "P;$1;$__ptyd_w"
}
__ptyd_hook() {
  case ${PS1-} in *__ptyd_p*) ;; *) PS1='${__ptyd_n:+$(__ptyd_p $? 2>/dev/null)}'"${PS1-}" ;; esac
}

# begin TOKEN STATUS: tells that the text begins, and leaves $? as it was. Under `set -a` what is set here would be exported.
__ptyd_b() {
  local was="$2" a=; case $- in *a*) a=y; set +a ;; esac
  case ${__ptyd_s-} in '') ;; *) was=$__ptyd_s ;; esac
  __ptyd_t=$1 __ptyd_s=; __ptyd_hook; __ptyd_m "B;$1;$was"
  case $a in y) set -a ;; esac
  return "$was"
}

# end STATUS: the way out of a command that was not interrupted. A failure that would end the shell under errexit is hidden until the
# next command.
__ptyd_e() {
  local s="$1" a=; case $- in *a*) a=y; set +a ;; esac
  case ${__ptyd_t-} in '') ;; *)
    __ptyd_cwd; __ptyd_m "E;$__ptyd_t;$s;$__ptyd_w"; __ptyd_t= __ptyd_s=
    case $s$- in 0*) ;; *e*) __ptyd_s=$s ;; esac ;;
  esac
  case $a in y) set -a ;; esac
  case ${__ptyd_s-} in '') return "$s" ;; esac
  return 0
}

__ptyd='. "$__ptyd_f"; { __ptyd_e "$?" && :; } 2>/dev/null'
if [ -n "$__ptyd_v" ] && [ -r "$__ptyd_v" ]; then . "$__ptyd_v"; fi
__ptyd_hook
