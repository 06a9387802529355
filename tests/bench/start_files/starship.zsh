# A start file like those of prompts that another program draws: hooks note status and duration, and both prompts are
# substitutions that run the program for each line.
autoload -Uz add-zsh-hook
zmodload zsh/datetime zsh/mathfunc
setopt prompt_subst

drawn_status=0 drawn_took=0

draw_prompt() {
  sh -c 'printf "\n%%{\033[1;36m%%}%s%%{\033[0m%%} took %sms jobs %s\n%%{\033[1;3%sm%%}❯%%{\033[0m%%} " "$PWD" "$2" "$3" "$(($1 ? 1 : 2))"' - "$@"
}

drawn_precmd() {
  drawn_status=$? drawn_statuses=(${pipestatus[@]})
  if (( ${+drawn_begin} )); then
    drawn_took=$(( int((EPOCHREALTIME - drawn_begin) * 1000) ))
    unset drawn_begin
  fi
  drawn_jobs=${(%):-%j}
}
drawn_preexec() { typeset -g drawn_begin=$EPOCHREALTIME }

add-zsh-hook precmd drawn_precmd
add-zsh-hook preexec drawn_preexec

drawn_redraw() { zle .reset-prompt }
zle-keymap-select() { drawn_redraw }
zle -N zle-keymap-select

PROMPT='$(draw_prompt "${drawn_status:-0}" "${drawn_took:-0}" "${drawn_jobs:-0}")'
RPROMPT='$(sh -c "printf %s right; exit 9")'
PROMPT2='%F{8}∙%f '
