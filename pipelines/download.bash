# The download of one feed with curl: its key, the request, and what is kept beside the file. A part of the script
# nightly, which sets the bounds (max_download_mb and so on) and refetch_days, and has json.
# shellcheck shell=bash disable=SC2154

# The URL $1 with the key of kind $2 for feed $3, as lines of a configuration of curl; fails where the key is missing.
# The key is in no list, in no log, and not among curl's arguments, which anyone may see.
address() {
    local url=$1 kind=$2 variable value
    [[ -n $kind ]] || { printf 'url = %s\n' "$(json "$url")" && return; }
    variable=$(key_variable "$3")
    value=${!variable-}
    [[ -n $value ]] || { echo "the server wants a key: set $variable" >&2 && return 1; }
    case $kind in
    query:*)
        value=$(encoded "$value")
        if [[ $url == *'?'* ]]; then url+="&${kind#query:}=$value"; else url+="?${kind#query:}=$value"; fi
        ;;
    header:*) printf 'header = %s\n' "$(json "${kind#header:}: $value")" ;;
    basic) printf 'user = %s\n' "$(json "$value")" ;;
    esac
    printf 'url = %s\n' "$(json "$url")"
}

# The name of the variable that holds the key of feed $1.
key_variable() {
    printf 'GTFS_KEY_%s' "$(printf '%s' "$1" | tr '[:lower:]' '[:upper:]' | tr -c 'A-Z0-9' _)"
}

# Whether the answer $1 is a text, not a feed, that repeats the key of feed $2 or a key within the URL $3. Servers that
# refuse a key may answer so, and the import would show the text's beginning in the log and on the report page.
repeats_key() {
    local start secret
    start=$(head -c 4096 "$1" | tr -d '\0')
    [[ $start != PK* ]] || return 1
    while IFS= read -r secret; do
        [[ -z $secret || $start != *"$secret"* ]] || return 0
    done < <(secrets "$2" "$3")
    return 1
}

# The key of feed $1 in each form that is sent, and what may be a key within the URL $2: the values of its query, and its
# password.
secrets() {
    local variable value part name user
    variable=$(key_variable "$1")
    value=${!variable-}
    if [[ -n $value ]]; then
        printf '%s\n' "$value" "${value#*:}" "$(encoded "$value")" "$(printf '%s' "$value" | base64 -w 0)"
    fi
    [[ $2 != *'?'* ]] || printf '%s' "${2#*\?}" | tr '&' '\n' | while IFS= read -r part || [[ -n $part ]]; do
        # A short value, such as format=zip, or the name of a file, is in many answers.
        name=${part%%=*} part=${part#*=}
        [[ ${#part} -lt 8 || (${part,,} == *.zip && ! ${name,,} =~ key|token|secret|pass|sig) ]] || printf '%s\n' "$part"
    done
    user=${2#*://}
    user=${user%%/*}
    [[ $user != *:*@* ]] || { user=${user%@*} && printf '%s\n' "${user#*:}"; }
}

# $1 as part of a URL's query (RFC 3986, 2.1): every byte but letters, digits, '.', '_', '~' and '-' as %XX.
encoded() {
    local LC_ALL=C text=$1 result='' byte index
    for ((index = 0; index < ${#text}; index++)); do
        byte=${text:index:1}
        case $byte in
        [A-Za-z0-9._~-]) result+=$byte ;;
        *) printf -v byte '%%%02X' "'$byte" && result+=%${byte: -2} ;;
        esac
    done
    printf '%s' "$result"
}

# Asks for the lines of curl's configuration $1, with the conditions behind it, into the file $2 and the headers into
# $3; prints the HTTP status. A URL may hold a key: curl gets it on standard input, where ps cannot see it. Its words
# never show the URL: without --globoff they would, where the URL has brackets or braces.
# curl itself tries again after an answer such as 503, but not after a connection that cannot be made (7, 16, 35), or that broke
# or was cut off. Its tries and their time count too; $3 has the headers of each such answer, so they can be counted.
request() {
    local part=$2 head=$3 status code tries=0 end=$((SECONDS + retry_seconds)) left=$retries seconds=$retry_seconds
    while true; do
        code=0
        status=$(request_once "$left" "$seconds" "$@") || code=$?
        tries=$((tries + $(grep -cE '^HTTP/[0-9.]+ (408|429|500|502|503|504)' "$head" || true)))
        case $code in
        7 | 16 | 18 | 35 | 52 | 55 | 56 | 92) [[ $tries -lt $retries && $((SECONDS + (1 << tries))) -lt $end ]] || break ;;
        *) break ;;
        esac
        (trap - INT TERM HUP && exec sleep "$((1 << tries))") || break # the run is stopped
        tries=$((tries + 1))
        left=$((retries - tries)) seconds=$((end > SECONDS ? end - SECONDS : 1))
        : >"$part"
    done
    printf '%s' "$status"
    return "$code"
}

# One request of curl's, with $1 further tries within $2 seconds. Cookies stay in its memory: some servers set one and redirect
# to the same address until it comes back. The shell bounds the file: curl before 8.4 does not, unless the server says the
# length.
request_once() {
    local tries=$1 seconds=$2 lines=$3 part=$4 head=$5 code=0
    shift 5
    printf '%s\n' "$lines" | (
        trap - INT TERM HUP
        unset "${!GTFS_KEY_@}"
        trap '' XFSZ # the write fails instead, and curl ends as it does when the disk is full
        ulimit -f "$((max_download_mb * 1024))"
        curl --config - --silent --show-error --fail --globoff --location --netrc-optional --cookie '' --proto '=http,https' --max-redirs 10 \
            --max-filesize "$((max_download_mb * 1048576))" --max-time "$max_download_seconds" \
            --retry "$tries" --retry-max-time "$seconds" --connect-timeout 30 \
            --speed-limit "$min_download_speed" --speed-time "$slow_seconds" \
            --remote-time --output "$part" --dump-header "$head" --write-out '%{http_code}' "$@"
    ) || code=$?
    # 63: the server said so. 23: the file cannot be written, which may have other causes.
    if [[ $code == 63 || ($code == 23 && $(stat -c %s "$part") -ge $((max_download_mb * 1048576))) ]]; then
        echo "the answer is larger than MAX_DOWNLOAD_MB ($max_download_mb MB)" >&2
    fi
    return "$code"
}

# The ETag among the headers $1, which may be those of several answers: after a redirect or a further try, the last one
# counts.
last_etag() {
    local line etag=''
    while IFS= read -r line; do
        line=${line%$'\r'}
        case ${line,,} in
        http/*) etag='' ;;
        etag:*) read -r etag <<<"${line#*:}" ;;
        esac
    done <"$1"
    printf '%s' "$etag"
}

# Brings cache file $1 up to date with URL $2, which wants a key of kind $3 for feed $4. Prints fetched or unchanged;
# fails with the cached file as it was, with a code above 128 if a signal ended curl.
# Three things make the request unconditional: another URL than last time, REFETCH_DAYS (servers err), a refused feed.
# Beside the file: .url, a digest of its URL, as old as the last whole download; .etag, where the server gave one.
# A server with ETags is never asked by date: a feed that was rolled back has a new ETag and an older date. Without
# ETag the date goes as a header of our own, because curl's --time-cond drops an answer that is older. By
# RFC 9110 (13.1.3), a server then says of an older file that it has not changed: it is fetched after REFETCH_DAYS.
download() {
    local file=$1 url=$2 address lines status code=0
    # A run that was killed may still have a curl of its own at work.
    local part=$file.$$.part head=$file.$$.head.part
    local -a conditions=()
    lines=$(address "$url" "$3" "$4") || return 1
    address=$(printf '%s' "$url" | sha256sum)
    if [[ -f $file && -f $file.url && $(<"$file.url") == "$address" ]] &&
        # A date in the future, written while the clock was ahead, counts as too old: else it would be new until then.
        [[ -z $(find "$file.url" \( -mtime +"$((refetch_days - 1))" -o -newermt '+1 day' \)) ]]; then
        if [[ -s $file.etag ]]; then
            conditions=(--etag-compare "$file.etag")
        else
            conditions=(--header "If-Modified-Since: $(LC_ALL=C date -u -r "$file" '+%a, %d %b %Y %H:%M:%S GMT')")
        fi
    fi
    : >"$part" && : >"$head" # curl makes no file for an empty answer
    status=$(request "$lines" "$part" "$head" --compressed "${conditions[@]}") || code=$?
    if [[ $code == 61 ]]; then # an encoding that curl does not know, such as "binary": the answer is taken as it is
        code=0
        : >"$part" # an empty answer would leave what the first one brought
        status=$(request "$lines" "$part" "$head" "${conditions[@]}") || code=$?
    fi
    if [[ $code == 0 && ${#conditions[@]} -gt 0 && $status == 304 ]]; then
        echo unchanged
    elif [[ $code == 0 && $status != 20[03] ]]; then
        echo "the server answered with status $status, which brings no feed" >&2
        code=1
    elif [[ $code == 0 ]] && repeats_key "$part" "$4" "$url"; then
        echo "the server answered with words that repeat the key, which it may have refused" >&2
        code=1
    elif [[ $code == 0 ]]; then
        keep_download "$file" "$part" "$head" "$address" && echo fetched || code=1
    fi
    rm -f "$part" "$head"
    return "$code"
}

# Puts a finished download in its place; the marks that allow conditions come last, so that a crash only costs a
# download.
# If the part is gone, this run was killed and another one has begun: that run's download counts.
keep_download() {
    local file=$1 part=$2 address=$4 etag
    [[ -e $part ]] || { echo 'another run has begun' >&2 && return 1; }
    etag=$(last_etag "$3") || return
    rm -f "$file.url" "$file.etag" || return
    mv "$part" "$file" || return
    # A longer one would make later requests longer than servers take.
    [[ -z $etag || ${#etag} -gt 1024 ]] || printf '%s\n' "$etag" >"$file.etag" || return
    printf '%s\n' "$address" >"$file.url"
}
