#!/bin/sh
# A UCI engine for tests: answers every "go" with the move that is its first argument; "silent" does not answer,
# "dies" ends instead. A second argument is a file for what it is sent.
while read -r word rest; do
  if [ -n "$2" ]; then echo "$word $rest" >> "$2"; fi
  case $word in
    uci)
      echo "id name fake"
      echo "option name UCI_Variant type combo default makruk var makruk var makyek"
      echo "uciok" ;;
    isready) echo "readyok" ;;
    go)
      echo "info string asked for $rest"
      case $1 in
        silent) ;;
        dies) exit 3 ;;
        *) echo "bestmove $1 ponder a1a2" ;;
      esac ;;
    quit) exit ;;
  esac
done
