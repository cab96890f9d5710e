#!/usr/bin/env bash
# Prints the stacks of all threads of a process and of its descendants.
set -uo pipefail

descendants() {
  local child
  echo "$1"
  for child in $(pgrep -P "$1"); do descendants "$child"; done
}

for process in $(descendants "$1"); do
  name=$(ps -o comm= -p "$process") || continue
  case "$name" in bash | sleep | timeout | tee | make | swift-test | swift-build | postgres | initdb) continue ;; esac
  echo "== $name, process $process, $(ps -o nlwp= -p "$process" | tr -d ' ') threads"
  if [ "$(uname)" = Darwin ]; then
    sample "$process" 1 -mayDie 2> /dev/null
  elif command -v gdb > /dev/null; then
    timeout 60 gdb --batch --nx -p "$process" -ex 'set pagination off' -ex 'thread apply all backtrace 24' 2> /dev/null |
      grep -aE '^(Thread|#)' | cut -c 1-200
  else
    echo "gdb is not installed; where each thread waits in the kernel:"
    for thread in /proc/"$process"/task/*; do
      echo "${thread##*/} $(cat "$thread/comm" "$thread/wchan" 2> /dev/null | tr '\n' ' ')"
    done
  fi
done
