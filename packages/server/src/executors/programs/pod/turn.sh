#!/bin/sh
# shellcheck shell=dash # busybox runs it, whose shell is nearest to this one
# Decides in a pod whether a step starts, and gives it what it takes from earlier steps. Run by collect.sh when it is the turn of a step
# that has conditions or takes values. No process of an earlier step is left then, but the files that they wrote may contain anything.
#
#   turn FILE FOLDER
#
# FILE is from the Secret, written for this step by kubernetes/pod/turn-file.ts: calls of the functions below, with every text of a user as
# a quoted word. FOLDER receives the values: 1, 2, … It prints nothing if the step starts; otherwise `skip`, or `refuse VALUE WHY` with the
# number of the value, where WHY is missing, large or long. All rules are those of executors/steps/step-turn.ts, which decides in the other
# executors.
set -u
folder=$2 all=0
# The file of the step sets these limits: bytes of one value, of one text with values in it, and of all such texts.
most=0 most_of_text=0 most_of_all=0

refuse() {
  echo "refuse $1 $2"
  exit 0
}

# Invalid UTF-8 and NUL become U+FFFD, as in all results: one for each part that can't be continued. Written as escapes for printf, since a
# shell can't store NUL.
replace_others() {
  od -An -v -tu1 | awk '
    function put(byte) { printf "\\0%o", byte }
    function put_pending(  i) { for (i = 0; i < count; i++) put(pending[i]); count = 0 }
    function replace() { printf "\\0357\\0277\\0275"; count = 0; wanted = 0 }
    function begin(byte) {
      low = 128; high = 191; wanted = 0
      if (byte == 0) replace()
      else if (byte < 128) put(byte)
      else if (byte >= 194 && byte <= 223) wanted = 1
      else if (byte >= 224 && byte <= 239) { wanted = 2; if (byte == 224) low = 160; if (byte == 237) high = 159 }
      else if (byte >= 240 && byte <= 244) { wanted = 3; if (byte == 240) low = 144; if (byte == 244) high = 143 }
      else replace()
      if (wanted) pending[count++] = byte
    }
    { for (place = 1; place <= NF; place++) {
        byte = $place + 0
        if (!wanted) { begin(byte); continue }
        if (byte < low || byte > high) { replace(); begin(byte); continue }
        pending[count++] = byte; low = 128; high = 191
        if (--wanted == 0) put_pending()
    } }
    END { if (wanted) replace() }'
}

# Arguments: NUMBER FILE. Reads its text, and its size in bytes.
value() {
  from=./$2 to=$folder/$1
  if [ -L "$from" ] || [ ! -f "$from" ] || [ ! -r "$from" ]; then refuse "$1" missing; fi
  [ "$(stat -c %s "$from")" -le "$most" ] || refuse "$1" large
  head -c "$most" "$from" > "$to.raw" || exit 71
  if [ "$(tr -d '\001-\177' < "$to.raw" | wc -c)" -gt 0 ]; then
    printf %b "$(replace_others < "$to.raw")" > "$to" || exit 71
    rm "$to.raw"
  else
    mv "$to.raw" "$to"
  fi
  size=$(stat -c %s "$to")
  [ "$size" -le "$most" ] || refuse "$1" large
  text=$(cat "$to"; echo x)
  text=${text%x}
}

# Arguments: OPERATOR INPUT VALUE… They are compared literally: none is a pattern, and none an operator of `[`.
when() {
  operator=$1 input=$2
  shift 2
  found=
  for word in "$@"; do
    [ "x$word" != "x$input" ] || found=1
  done
  case $operator$found in
  in1 | notin) ;;
  *)
    echo skip
    exit 0
    ;;
  esac
}

# Arguments: BYTES… of an argument or a variable: of its fixed text, and of its values.
fits() {
  sum=0
  for part in "$@"; do sum=$((sum+part)); done
  all=$((all+sum))
  if [ "$sum" -gt "$most_of_text" ] || [ "$all" -gt "$most_of_all" ]; then refuse 0 long; fi
}

# A step may have replaced the folder with anything.
if [ -L /task/results ] || ! cd /task/results 2>/dev/null; then cd "$folder" || exit 71; fi
# shellcheck disable=SC1090 # it is another one for each step
. "$1"
