# Completion of tauflex for bash: verbs, their options as the program lists them, examples and files.
_tauflex() {
  local word=${COMP_WORDS[COMP_CWORD]} verb=${COMP_WORDS[1]-}
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "$(tauflex --help | sed -n '/^Subcommands/,$s/^  \([a-z]\+\) .*/\1/p') help --help --version" -- "$word"))
  elif [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "$(tauflex "$verb" --help 2>/dev/null | grep -o -- '--\?[a-z][a-z-]*')" -- "$word"))
  elif [ "$verb" = examples ]; then
    COMPREPLY=($(compgen -W "$(tauflex examples | cut -d' ' -f1)" -- "$word"))
  else
    COMPREPLY=($(compgen -f -- "$word"))
    compopt -o filenames 2>/dev/null
  fi
}
complete -F _tauflex tauflex
