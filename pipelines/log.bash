# What a run says: the lines of the log, and the summary for people. A part of the script nightly, which sets the folders
# and has run_feed leave what there is to say in $work/<name>.{json,err,code}.
# shellcheck shell=bash disable=SC2154

# A JSON string; control characters become spaces.
json() {
    local text=${1//[[:cntrl:]]/ }
    text=${text//\\/\\\\}
    printf '"%s"' "${text//\"/\\\"}"
}

# The value of the string member $1 of the report in file $2, with its JSON escapes. Quotes within strings are escaped, so
# the pattern cannot match inside one.
member() {
    sed -nE 's/.*"'"$1"'" *: *"(([^"\\]|\\.)*)".*/\1/p' "$2"
}

# The warnings of the report of feed $1, such as a command of --after that failed, in one line; empty without any.
warnings_of() {
    local warnings
    warnings=$(sed -nE 's/.*"warnings" *: *\["(([^"\\]|\\.|", *")*)"\].*/\1/p' "$work/$1.json" 2>/dev/null || true)
    warnings=${warnings//'","'/; }
    printf '%s' "${warnings//\\\"/\"}"
}

# Why the feed $1 ended as it did: the message of its report, or else the last line on standard error.
words_of() {
    local words
    words=$(member message "$work/$1.json" 2>/dev/null || true)
    words=${words//\\\"/\"}
    [[ -n $words ]] || words=$(tail -n 1 "$work/$1.err" 2>/dev/null || true)
    printf '%s' "$words"
}

# Says that program $1 was ended by a signal: its exit code $2 is 128 and the signal's number.
say_signal() {
    local hint=''
    # Linux kills a program when memory runs out; if the system refuses memory, Swift ends the program itself.
    case $(($2 - 128)) in 4 | 5 | 6 | 9) hint='; perhaps the system ran out of memory' ;; esac
    printf '%s was ended by signal %s%s\n' "$1" "$(($2 - 128))" "$hint"
}

# Writes the page and the metrics of feed $1, which ended with code $2, if the program has not: after a failed download,
# wrong options or a signal. The program writes both if a feed cannot be opened, so it is called for a feed that does not
# exist and whose name is the reason of the failure. $3 and the following are the options for page and metrics. The store
# stays as it is.
show_failure() {
    local name=$1 words kind
    case $2 in
    download) kind='no download' ;;
    64) kind='wrong options' ;;
    130 | 143) return 0 ;; # it has written them: a signal asked it to stop
    129 | 1[3-9]? | 2??) kind='import failed' ;;
    *) return 0 ;;
    esac
    shift 2
    [[ $# -gt 0 ]] || return 0
    words=$(words_of "$name")
    words="$name ($kind: ${words:0:160})"
    # In a session of its own, which the signals of a run that is stopped do not reach.
    setsid --wait "$program" "${words//#/ }" "$stores/$name.sqlite" "$@" --quiet </dev/null >/dev/null 2>&1 || true
}

# The end of what feed $1 said on standard error. A command of --after may write bytes of any encoding, and as many as it
# likes.
said_by() {
    tail -n 20 "$work/$1.err" 2>/dev/null | tail -c 8192 | iconv -c -f UTF-8 -t UTF-8 || true
}

# Whether feed $1 has a store. A folder in its place is none.
has_store() {
    [[ -f $stores/$1.sqlite && -s $stores/$1.sqlite ]]
}

# One line of JSON: what this script knows, and the program's own report.
log_feed() {
    local name=$1 code=$2 fetch=$3 report=null exit_code=$2 store=null line
    # A program that was killed may leave half an object.
    [[ ! -s $work/$name.json || ! $(<"$work/$name.json") =~ ^\ *\{.*\}\ *$ ]] || report=$(<"$work/$name.json")
    [[ $code != download ]] || exit_code=null
    ! has_store "$name" || store=$(date -u -r "$stores/$name.sqlite" '+"%Y-%m-%dT%H:%M:%SZ"')
    printf -v line '{"time": "%s", "name": %s, "fetch": "%s", "exit_code": %s, "words": %s, "store": %s, "report": %s}' \
        "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$(json "$name")" "$fetch" "$exit_code" \
        "$(json "$(said_by "$name")")" "$store" "$report"
    {
        flock 7
        # A standard stream that is a file is not opened anew: the summary would be written over the lines.
        case $log in
        /dev/stdout) printf '%s\n' "$line" ;;
        /dev/stderr) printf '%s\n' "$line" >&2 ;;
        *) add_line "$line" 9>>"$log" ;;
        esac
    } 7>>"$work/lock"
}

# Adds the line $1 to the file 9, the log.
add_line() {
    # Runs over other lists may share the log, and a long line takes several writes. Where nothing can be locked, or someone
    # holds the lock for long, the lines must be written nevertheless, and only the first one waits.
    [[ -e $work/unlocked ]] || flock --timeout 10 9 2>/dev/null || { : >"$work/unlocked"; } 2>/dev/null || true
    # The end of a line that did not fit on a full disk.
    [[ ! -f $log || -z $(tail -c 1 "$log") ]] || echo >&9
    printf '%s\n' "$1" >&9
}

# Removes old logs whose number is above LOG_KEEP, which was lowered. LOG_KEEP is at most 999, so a date is no such number.
remove_old_logs() {
    local file number
    [[ $log != /dev/std* ]] || return 0
    for file in "$log".*; do
        number=${file#"$log."}
        [[ $number =~ ^[1-9][0-9]{0,2}$ && -f $file && $number -gt $log_keep ]] || continue
        rm -f "$file" || echo "nightly: warning: an old log cannot be removed: $file" >&2
    done
}

# Whether the log is to be moved.
is_large_log() {
    local size
    [[ -f $log && $log != /dev/std* ]] && size=$(stat -c %s "$log" 2>/dev/null) && [[ $size -gt $((log_mb * 1048576)) ]]
}

# Moves a log that has grown large to $log.1, and older ones one number on. If it cannot be moved, it goes on growing: that
# is no reason to leave the feeds as they are.
rotate_log() {
    local words
    is_large_log || return 0
    words=$(
        # Another run that shares the log may be moving it, and has moved it once the lock is free.
        if { exec 9>>"$log" || exec 9<"$log"; } 2>/dev/null; then flock --timeout 10 9 2>/dev/null; fi
        ! is_large_log || move_logs 2>&1
    ) || echo "nightly: warning: $log is larger than LOG_MB and cannot be moved: ${words##*$'\n'}" >&2
}

# The work of rotate_log. Each step says whether it succeeded, because its caller goes on after a failure.
move_logs() {
    local number
    for ((number = log_keep; number > 1; number--)); do
        [[ ! -e $log.$((number - 1)) ]] || mv -f "$log.$((number - 1))" "$log.$number" || return
    done
    if [[ $log_keep -gt 0 ]]; then mv -f "$log" "$log.1"; else rm -f "$log"; fi
}

# One line for people, and the feed's part in the exit code: 0 or 1. Counts a feed with warnings in with_warnings.
summarize() {
    local name=$1 code result='' words warnings kept='no store yet'
    code=$(cat "$work/$name.code" 2>/dev/null || true)
    ! has_store "$name" || kept="store of $(date -r "$stores/$name.sqlite" '+%Y-%m-%d %H:%M') stays"
    words=$(words_of "$name")
    [[ -n $words ]] || words="it said nothing; is the disk of $cache full?"
    case $code in
    0) result=$(member status "$work/$name.json") ;;
    # The full disk has lost what the import said, and perhaps it has published the store.
    '') result=unknown code=lost words="cannot write in $cache; is the disk full? The log may tell what became of it" ;;
    unlogged) result='not logged' words="the log cannot be written: $log; $words [$kept]" ;;
    65) result=refused words="$words [$kept]" ;;
    75) result=locked words="$words [$kept]" ;;
    download) result='no download' words="$words [$kept]" ;;
    74) # Without its report an import may have published: then its words end so.
        [[ $words == *'the store is current' ]] || words="$words [$kept]"
        result='failed (74)'
        ;;
    *) result="failed ($code)" words="$words [$kept]" ;;
    esac
    # Another program, or an option such as --version, makes no report.
    [[ -n $result ]] || { result='failed (0)' code=lost words="import-gtfs made no report: see its options [$kept]"; }
    warnings=$(warnings_of "$name")
    [[ -z $warnings ]] || { words="with warnings: $warnings; $words" && with_warnings=$((with_warnings + 1)); }
    printf '%-24s %-12s %s\n' "$name" "$result" "$words"
    # A refused feed is no failure if its store is there and sound.
    case $code in
    0 | 75) ;;
    65) has_store "$name" && [[ $warnings != *' is damaged and stays as it is'* ]] ;;
    *) return 1 ;;
    esac
}
