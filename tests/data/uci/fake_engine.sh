#!/bin/sh
# A UCI engine for tests: answers every "go" with the move that is its first argument; "silent" does not answer,
# "dies" ends instead. "busy MOVE" works without end before it answers, until it is
# sent "stop". A second argument (with "busy" the third) is a file for what it is sent. $SCORE is what it says of its move.
if [ "$1" = busy ]; then busy=1 && shift; fi
while read -r word rest; do
  if [ -n "$2" ]; then echo "$word $rest" >> "$2"; fi
  case $word in
    uci)
      echo "id name fake"
      echo "option name UCI_Variant type combo default makruk var makruk var makyek"
      echo "option name Threads type spin default 4 min 1 max 8"
      echo "uciok" ;;
    isready) echo "readyok" ;;
    go)
      echo "info string asked for $rest"
      if [ -n "$SCORE" ]; then echo "info depth 1 score $SCORE nodes 1 pv $1"; fi
      if [ -n "$busy" ]; then (while :; do :; done) & workers="$workers $!"; continue; fi
      case $1 in
        silent) ;;
        dies) exit 3 ;;
        *) echo "bestmove $1 ponder a1a2" ;;
      esac ;;
    stop)
      kill -STOP $!
      echo "bestmove $1" ;;
    quit)
      if [ -n "$workers" ]; then kill -KILL $workers; fi
      exit ;;
  esac
done
