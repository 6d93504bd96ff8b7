#!/usr/bin/env bash
# Records what a real broker writes and what Kafka's dump tool prints of it, as OUT/<topic>-<partition>/<file> and <file>.dump.
#
#   record.sh OUT
#
# Folders of partitions that are in OUT already are replaced. KAFKA_CLASSPATH saves asking Maven (see classpath.sh).
set -euo pipefail

[ $# -eq 1 ] || { echo "usage: record.sh OUT" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
out=$(cd "$1" && pwd)
. "$here/scratch_broker.sh"

start_broker
run -Xmx256m -XX:+UseSerialGC "$here/WriteLogs.java" "127.0.0.1:$PLAINTEXT_PORT"
# Indexes are as long as what they hold only after a clean stop.
stop_broker

for old in "$out"/*/partition.metadata; do
    [ ! -e "$old" ] || rm -rf "$(dirname "$old")"
done
for partition in "$scratch"/data/*-[0-9]*/; do
    partition=${partition%/}
    # Topics that nothing was written to have nothing to show.
    [ -n "$(find "$partition" -name '*.log' -size +0)" ] || continue
    to=$out/${partition##*/}
    mkdir -p "$to"
    # An empty index belongs to a small segment, and the dump tool fails without it.
    cp "$partition"/*.log "$partition"/leader-epoch-checkpoint "$partition"/partition.metadata "$to/"
    find "$partition" \( -name '*.txnindex' -size +0 -o -name '*.snapshot' -o -name '*.checkpoint' -o -name quorum-state \) \
        -exec cp {} "$to/" \;
    # Those of the metadata log keep their 10 MiB.
    [ "${to##*/}" = __cluster_metadata-0 ] || cp "$partition"/*.index "$partition"/*.timeindex "$to/"
    chmod 644 "$to"/*
done

# In that folder, since the tool prints the path it is given.
cd "$out"
run -Xmx256m -XX:+UseSerialGC "$here/DumpLogs.java"
