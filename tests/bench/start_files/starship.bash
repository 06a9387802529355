# A start file like those of prompts that another program draws: a DEBUG trap notes when a command begins, PROMPT_COMMAND asks
# the program for a new PS1 with the last status, all statuses of its pipeline, the jobs and the duration.
drawn_ready=
drawn_begin=

draw_prompt() {
  sh -c 'printf "\n\033[1;36m%s\033[0m took \033[33m%sms\033[0m jobs %s\n\033[1;3%sm❯\033[0m " "$PWD" "$2" "$3" "$(($1 ? 1 : 2))"' - "$@"
}

drawn_preexec() {
  local last=$1
  if [[ ${drawn_ready-} == yes ]]; then
    drawn_ready=
    drawn_begin=$(date +%s%3N)
  fi
  : "$last"
}

drawn_precmd() {
  local status=$? statuses=("${PIPESTATUS[@]}") took=0 count=0 job
  for job in $(jobs -p); do count=$((count + 1)); done
  if [[ -n ${drawn_begin-} ]]; then took=$(($(date +%s%3N) - drawn_begin)); fi
  PS1=$(draw_prompt "$status" "$took" "$count" "${statuses[*]}")
  PS1=${PS1//$'\033'/\\e}
  PS2='\[\e[90m\]∙\[\e[0m\] '
  drawn_begin=
  drawn_ready=yes
}

trap 'drawn_preexec "$_"' DEBUG
PROMPT_COMMAND="drawn_precmd${PROMPT_COMMAND:+;$PROMPT_COMMAND}"
