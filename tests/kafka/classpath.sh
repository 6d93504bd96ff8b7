#!/usr/bin/env bash
# Prints the class path of pom.xml. Maven fetches what is missing, so callers ask once and pass it on in KAFKA_CLASSPATH.
set -euo pipefail

if [ -n "${KAFKA_CLASSPATH:-}" ]; then
    printf '%s\n' "$KAFKA_CLASSPATH"
    exit
fi
file=$(mktemp)
trap 'rm -f "$file"' EXIT
mvn -q -B -f "$(dirname "$0")/pom.xml" dependency:build-classpath -Dmdep.outputFile="$file" >&2
cat "$file"
echo
