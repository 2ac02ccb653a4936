#!/bin/sh
# Runs the script beside it, "$0.body". Tests make links to this file: a script that was just written may still be open for
# writing in a process that another test has forked, and the system runs no such file ("Text file busy").
exec /bin/sh "$0.body" "$@"
