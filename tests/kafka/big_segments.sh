#!/usr/bin/env bash
# Makes one large segment for each codec, to measure with: DIR/<codec>/00000000000000000000.log. Prints how long Kafka's dump tool
# takes on each, start of Java included.
#
#   big_segments.sh DIR [MIB]     MIB per segment, 64 unless told
#
# KAFKA_CLASSPATH saves asking Maven (see classpath.sh).
set -euo pipefail

[ $# -ge 1 ] || { echo "usage: big_segments.sh DIR [MIB]" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
out=$(cd "$1" && pwd)
. "$here/scratch_broker.sh"

seconds() {
    local from to
    from=$(date +%s%N)
    "$@" >/dev/null
    to=$(date +%s%N)
    printf '%d.%02d' $(((to - from) / 1000000000)) $(((to - from) / 10000000 % 100))
}

start_broker
run -Xmx512m "$here/BigSegments.java" "127.0.0.1:$PLAINTEXT_PORT" "${2:-64}"
stop_broker

codecs="none gzip snappy lz4 zstd"
for codec in $codecs; do
    mkdir -p "$out/$codec"
    cp "$scratch/data/big-$codec-0/00000000000000000000.log" "$out/$codec/"
done

printf '%-7s %10s %18s %18s\n' codec bytes --deep-iteration --print-data-log
for codec in $codecs; do
    log=$out/$codec/00000000000000000000.log
    deep=$(seconds run -Xmx512m org.apache.kafka.tools.DumpLogSegments --deep-iteration --files "$log")
    print=$(seconds run -Xmx512m org.apache.kafka.tools.DumpLogSegments --deep-iteration --print-data-log --files "$log")
    printf '%-7s %10s %16s s %16s s\n' "$codec" "$(wc -c <"$log")" "$deep" "$print"
done
