#!/usr/bin/env bash
# Makes samples/captures again: tcpdump on loopback while real clients talk to a real broker, and what the broker's request log
# says of the same connections.
#
#   record_captures.sh WORK OUT [NAME...]    works below WORK, and writes all captures, or those named, to OUT
#
# Needs Java 17 with Maven, Python with venv, Go, Node, tcpdump (and the right to capture: root, or CAP_NET_RAW).
set -euo pipefail

[ $# -ge 2 ] || { echo "usage: record_captures.sh WORK OUT [NAME...]" >&2; exit 2; }
command -v tcpdump >/dev/null || { echo "record_captures.sh: tcpdump is missing (Debian: apt-get install tcpdump)" >&2; exit 1; }
mkdir -p "$1" "$2"
work=$(cd "$1" && pwd)
out=$(cd "$2" && pwd)
shift 2
wanted=("$@")
here=$(cd "$(dirname "$0")" && pwd)
clients=$here/clients

# The same each time, so that what is written about the captures stays true.
plaintext=19092 controller=19093 sasl=19094 tls=19095
tcpdump=

finish() {
    [ -z "$tcpdump" ] || kill "$tcpdump" 2>/dev/null || true
    "$here/broker.sh" stop "$work/broker" || true
}
trap finish EXIT

# --- programs

java_programs=(Clients.java Captures.java)
old_programs=(OldLogin.java)
older_programs=(OldProduce.java)
. "$clients/programs.sh"

# Nothing here takes a minute, so one that does hangs.
java() { timeout 60 java -XX:+UseSerialGC -cp "$work/new:$jars" Captures "$@"; }
librdkafka() { timeout 60 "$work/venv/bin/python" "$clients/clients.py" "$@"; }
kafka_python() { timeout 60 "$work/venv/bin/python" "$clients/clients_kafka_python.py" "$@"; }
franz() { timeout 60 "$work/franz-go" "$@"; }
node() { timeout 60 node "$work/node/clients.mjs" "$@"; }

# --- capturing

is_wanted() {
    [ ${#wanted[@]} -eq 0 ] || [[ " ${wanted[*]} " == *" $1 "* ]]
}

# Until connections of clients that have ended are closed on both sides, so that the next capture has nothing of them.
settle() {
    local ports
    ports=$(printf ':(%04X|%04X|%04X)$' $plaintext $sasl $tls)
    # FIN_WAIT1, FIN_WAIT2, CLOSE_WAIT, LAST_ACK, CLOSING
    while [ -n "$(awk -v ports="$ports" '$4 ~ /^(04|05|08|09|0B)$/ && ($2 ~ ports || $3 ~ ports)' /proc/net/tcp /proc/net/tcp6)" ]; do
        sleep 0.1
    done
}

capture() { # NAME COMMAND...
    local name=$1 start said=$work/$1.tcpdump
    shift
    is_wanted "$name" || return 0
    java reset $plaintext >"$work/reset.log" 2>&1
    settle
    : >"$said"
    start=$(wc -c <"$work/broker/broker.log")
    # Written by the shell, since tcpdump gives up root before it opens files.
    tcpdump -i lo -n -s 0 -U --immediate-mode -B 16384 -w - \
        "tcp port $plaintext or tcp port $sasl or tcp port $tls" >"$out/$name.pcap" 2>"$said" &
    tcpdump=$!
    until grep -q 'listening on' "$said"; do
        kill -0 $tcpdump 2>/dev/null || { cat "$said" >&2; exit 1; }
        sleep 0.1
    done
    "$@" >"$work/$name.log" 2>&1 || echo "$name: exit status $?" >&2
    # A fetch that waits for records is answered, and logged, after its client has gone.
    sleep 1
    kill -INT $tcpdump
    wait $tcpdump || true
    tcpdump=
    grep -q '^0 packets dropped by kernel' "$said" || { echo "$name: packets were lost" >&2; cat "$said" >&2; exit 1; }
    echo -n "$name: " >&2
    python3 "$here/request_log.py" "$out/$name.pcap" "$work/broker/broker.log" "$start" $plaintext $sasl $tls \
        >"$out/$name.requests.json"
}

codecs_and_tls() {
    capture java_codecs java codecs $plaintext
    capture librdkafka_codecs librdkafka codecs $plaintext
    capture franz_go_codecs franz codecs $plaintext
    capture kafkajs_codecs node codecs $plaintext
    capture kafka_python_codecs kafka_python codecs $plaintext
    rm -f "$work/keys"
    capture kafka_python_tls kafka_python tls $tls "$work/broker.pem" "$work/keys"
    ! is_wanted kafka_python_tls || cp "$work/keys" "$out/kafka_python_tls.keys"
}

groups() {
    capture java_classic_group java classic-group $plaintext
    capture java_consumer_group java consumer-group $plaintext
    capture librdkafka_consumer_group librdkafka consumer-group $plaintext
    # In these two the broker talks to itself on its listener for clients. It opens such a connection once, and keeps it.
    capture java_share_group java share-group $plaintext
    capture java_transactions java transactions $plaintext
}

logins() {
    local mechanism
    for mechanism in plain scram; do
        capture java_sasl_$mechanism java sasl-$mechanism $sasl
        capture librdkafka_sasl_$mechanism librdkafka sasl-$mechanism $sasl
    done
    capture java_0_10_sasl_tokens timeout 60 java -cp "$work/old:$old" OldLogin $sasl
}

others() {
    capture java_admin java admin $plaintext
    capture java_errors java errors $plaintext $sasl
    capture java_0_9_unsupported_version timeout 60 java -cp "$work/older:$older" OldProduce $plaintext
}

start_broker() {
    "$here/broker.sh" stop "$work/broker"
    rm -rf "$work/broker"
    PORTS="$plaintext $sasl $controller $tls" TLS_KEYSTORE=$work/broker.p12 REQUEST_LOG=1 "$here/broker.sh" start "$work/broker"
}

rm -f "$work/broker.p12"
keytool -genkeypair -alias broker -keyalg EC -groupname secp256r1 -dname CN=broker.example -ext san=ip:127.0.0.1 \
    -validity 36500 -storetype PKCS12 -keystore "$work/broker.p12" -storepass made-up-secret 2>/dev/null
keytool -exportcert -rfc -alias broker -keystore "$work/broker.p12" -storepass made-up-secret >"$work/broker.pem" 2>/dev/null
export KAFKA_CLASSPATH=$jars
start_broker
codecs_and_tls
groups
# There is a transaction among the errors, too.
start_broker
logins
others
