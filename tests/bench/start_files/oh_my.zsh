# A start file like that of a framework with a theme and plugins: options, hooks, widgets, completion, aliases, titles, and a git
# prompt that is made in the background. It sets no option that changes what a command's end is.
setopt prompt_subst long_list_jobs interactive_comments
setopt auto_pushd pushd_ignore_dups pushd_minus
setopt extended_history hist_expire_dups_first hist_ignore_dups hist_ignore_space hist_verify share_history
setopt always_to_end complete_in_word
unsetopt menu_complete flow_control
HISTFILE=$HOME/.zsh_history HISTSIZE=50000 SAVEHIST=10000

autoload -Uz add-zsh-hook compinit colors is-at-least
colors
compinit -u -d "$HOME/.zcompdump"
zstyle ':completion:*:*:*:*:*' menu select

title() { print -Pn "\e]2;${2:q}\a\e]1;${1:q}\a" }
title_precmd() { title '%15<..<%~%<<' '%n@%m:%~' }
title_preexec() {
  emulate -L zsh
  setopt extended_glob
  title "${1[(wr)^(*=*|sudo|ssh|-*)]:gs/%/%%}" "${${1:gs/%/%%}[1,100]}"
}
add-zsh-hook precmd title_precmd
add-zsh-hook preexec title_preexec

cwd_precmd() { print -Pn "\e]7;file://%m%d\e\\" }
add-zsh-hook precmd cwd_precmd

git_prompt_info() {
  local ref
  ref=$(command git symbolic-ref --short HEAD 2>/dev/null) || return 0
  print -r -- "%{$fg_bold[blue]%}git:(%{$fg[red]%}${ref:gs/%/%%}%{$fg[blue]%})%{$reset_color%} "
}

# Reads in a handler of the line editor what a process behind it has found out.
git_async_answer() {
  local fd=$1
  read -r -u $fd git_async
  zle -F $fd
  exec {fd}<&-
  zle .reset-prompt
}
git_async_precmd() {
  local fd
  exec {fd}< <(command git status --porcelain 2>/dev/null | wc -l)
  zle -F $fd git_async_answer
}
add-zsh-hook precmd git_async_precmd

if (( ${+terminfo[smkx]} && ${+terminfo[rmkx]} )); then
  zle-line-init() { echoti smkx }
  zle-line-finish() { echoti rmkx }
  zle -N zle-line-init
  zle -N zle-line-finish
fi
bindkey -e
autoload -U edit-command-line && zle -N edit-command-line && bindkey '\C-x\C-e' edit-command-line
autoload -Uz url-quote-magic bracketed-paste-magic
zle -N self-insert url-quote-magic
zle -N bracketed-paste bracketed-paste-magic

alias ls='ls --color=tty' grep='grep --color=auto' l='ls -lah' ..='cd ..' -- -='cd -'
alias -g ...='../..'
d() { dirs -v | head -n 10 }

PROMPT='%(?:%{$fg_bold[green]%}%1{➜%} :%{$fg_bold[red]%}%1{➜%} ) %{$fg[cyan]%}%c%{$reset_color%} $(git_prompt_info)'
RPROMPT='${git_async:+±$git_async} %(?..%{$fg[red]%}%? ↵%{$reset_color%})'
