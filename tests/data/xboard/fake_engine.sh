#!/bin/sh
# An XBoard engine for tests: answers every "go" with the move that is its first argument; "silent" does not answer,
# "dies" ends instead, "resigns" gives the game up, "refuses" calls every move illegal. A second argument is a file
# for what it is sent, a third says whether it takes positions (1).
moves=
while read -r word rest; do
  if [ -n "$2" ]; then echo "$word $rest" >> "$2"; fi
  case $word in
    protover)
      echo "feature ping=1 setboard=${3:-0} done=0"
      echo 'feature variants="normal,makruk,makyek"'
      echo 'feature done=1' ;;
    new) moves= ;;
    ping) echo "pong $rest" ;;
    [a-h][1-8]*)
      moves="$moves $word"
      if [ "$1" = refuses ]; then echo "Illegal move: $word"; fi ;;
    go)
      echo "# thinks after$moves"
      case $1 in
        silent) ;;
        dies) exit 3 ;;
        resigns) echo "resign" ;;
        *) echo "move $1" ;;
      esac ;;
    quit) exit ;;
  esac
done
