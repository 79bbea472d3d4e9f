# SPDX-License-Identifier: Apache-2.0
# bash completion for tpuctl: asks `tpuctl __complete` and hands its answer to readline.

_tpuctl() {
  local line word directive=4 prefix='' cur
  local -a words=() reply=()

  # readline cuts words at = and :, the engine wants them whole. The part of the last word that readline keeps by
  # itself must be taken off the answers.
  local i count=0 joined=''
  local before="${COMP_LINE:0:COMP_POINT}"
  for ((i = 1; i <= COMP_CWORD; i++)); do
    word="${COMP_WORDS[i]}"
    if ((count > 0)) && { [[ $word == [=:]* ]] || [[ $joined == *[=:] ]]; } &&
      { [[ -n $word && $before == *"$joined$word"* ]] || [[ $before == *"$joined" ]]; }; then
      joined+="$word"
      words[count - 1]="$joined"
    else
      joined="$word"
      words[count]="$joined"
      count=$((count + 1))
    fi
  done
  cur="${words[count - 1]}"

  if [[ $cur == *[=:]* ]]; then
    if [[ $cur == *=* && ${COMP_WORDBREAKS} == *=* ]]; then prefix="${cur%"${cur##*=}"}"; fi
    if [[ $cur == *:* && ${COMP_WORDBREAKS} == *:* ]]; then
      local colon="${cur%"${cur##*:}"}"
      if ((${#colon} > ${#prefix})); then prefix="$colon"; fi
    fi
  fi

  while IFS= read -r line; do
    if [[ $line =~ ^:([0-9]+)$ ]]; then
      directive="${BASH_REMATCH[1]}"
    else
      word="${line%%$'\t'*}"
      reply+=("${word#"$prefix"}")
    fi
  done < <("${COMP_WORDS[0]}" __complete -- "${words[@]}" 2>/dev/null)

  COMPREPLY=("${reply[@]}")
  if ((directive & 2)); then compopt -o nospace 2>/dev/null; fi
  if ((directive & 32)); then compopt -o nosort 2>/dev/null; fi
  if ((${#COMPREPLY[@]} == 0 && (directive & 16))); then
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -d -- "${cur#"$prefix"}")
  elif ((${#COMPREPLY[@]} == 0 && !(directive & 4))); then
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "${cur#"$prefix"}")
  fi
}

complete -F _tpuctl tpuctl
