# shellcheck shell=bash
# Shared by the parts of CI; read with `. .ci/lib.sh` from the root of the repository.
set -euo pipefail

say() { echo "--- $*"; }

# A part that can't run here prints the reason, and is not counted.
skip() {
  echo "SKIPPED: $*"
  exit 0
}

# Runs the command as root, or does nothing if that is not possible: `as_root apt-get update`.
as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo -n "$@"; fi
}

# The whole of CI has 90 minutes. A part that has not started within this many of them does not run: on a slow machine the earlier parts take
# twice as long.
begins_within() {
  local passed=$((($(date +%s) - ${CI_STARTED:-$(date +%s)}) / 60))
  [ "$passed" -lt "$1" ] || skip "$passed minutes of CI have passed, and this part begins within $1"
}

can_be_root() { [ "$(id -u)" -eq 0 ] || sudo -n true 2>/dev/null; }

# Runs the command as a user without privileges: root becomes `nobody`, any other user stays the same.
unprivileged() {
  if [ "$(id -u)" -eq 0 ]; then setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; else "$@"; fi
}

# A fresh folder that `unprivileged` may enter and own; removed at the end of the part.
fresh_folder() {
  local folder
  folder=$(mktemp -d "${TMPDIR:-/tmp}/millrace-ci-XXXXXX")
  chmod 755 "$folder"
  echo "$folder"
}

# Waits until the command succeeds: `wait_for 60 "the server" test -S socket`.
wait_for() {
  local seconds=$1 what=$2 until=$((SECONDS + $1))
  shift 2
  until "$@"; do
    if [ "$SECONDS" -ge "$until" ]; then
      echo "No sign of $what after $seconds s" >&2
      return 1
    fi
    sleep 0.2
  done
}

# The repository as a new user gets it, in that folder: only what is committed, with nothing installed and nothing built.
clone_to() {
  if [ -e .git ] && command -v git >/dev/null; then
    git -c safe.directory='*' clone --quiet --no-hardlinks . "$1"
  else
    mkdir -p "$1"
    tar --exclude=node_modules --exclude=.millrace --exclude=dist --exclude=.git -cf - . | tar -xf - -C "$1"
  fi
}

# Where everything was installed, nothing may be skipped: every level of the sandbox that root can have, and a real browser.
require_all() {
  [ "$(id -u)" -eq 0 ] || return 0
  export MILLRACE_TEST_LEVELS=bubblewrap,bubblewrap-as-root,unshare,own-uid,none
  export MILLRACE_TEST_REQUIRE=${MILLRACE_TEST_REQUIRE:+$MILLRACE_TEST_REQUIRE,}browser
}

# The tests of a script of package.json: `suite test packages/server/src`. If only a few files fail, they are run once more, alone: those that
# pass then are reported as FLAKY, which is a bug that the summary shows, but no reason to block a change that did not cause it. Files that
# fail twice fail.
suite() {
  local script=$1 folder status=0 failed=()
  shift
  folder=$(fresh_folder)
  npm run --silent "$script" -- "$@" --reporter=default --reporter=json --outputFile.json="$folder/report.json" || status=$?
  [ "$script" != test:long ] || [ ! -s "$folder/report.json" ] || node .ci/count-containers.mjs "$folder/report.json"
  if [ "$status" -ne 0 ] && [ -s "$folder/report.json" ]; then
    mapfile -t failed < <(node .ci/failed-files.mjs "$folder/report.json")
    if [ ${#failed[@]} -gt 0 ] && [ ${#failed[@]} -le 8 ]; then
      say "once more: ${failed[*]}"
      if npm run --silent "$script" -- "${failed[@]}"; then
        status=0
        echo "FLAKY: ${failed[*]}"
      fi
    fi
  fi
  rm -rf "$folder"
  return "$status"
}
