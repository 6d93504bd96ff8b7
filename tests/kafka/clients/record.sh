#!/usr/bin/env bash
# Makes samples/clients again: has each client talk to a broker through record_frames.py, and picks frames of what was said.
#
#   record.sh WORK OUT    works below WORK, and writes the picked frames to OUT
#
# Needs Java 17 with Maven, Python with venv, Go and Node.
set -euo pipefail

[ $# -eq 2 ] || { echo "usage: record.sh WORK OUT" >&2; exit 2; }
mkdir -p "$1" "$2"
work=$(cd "$1" && pwd)
out=$(cd "$2" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
kafka=$(dirname "$here")

# Where the proxy listens; broker.sh takes lower ones.
plaintext=31092 sasl=31093 controller=31094
proxy=

finish() {
    [ -z "$proxy" ] || kill "$proxy" 2>/dev/null || true
    "$kafka/broker.sh" stop "$work/broker" || true
}
trap finish EXIT

# --- programs

clients=$here
java_programs=(Clients.java TelemetryReceiver.java StreamsApp.java ConnectWorker.java)
old_programs=(OldMessageSets.java OldLogin.java)
older_programs=(OlderMessageSets.java)
. "$clients/programs.sh"
export KAFKA_CLASSPATH=$work/new:$jars

java() { command java -cp "$KAFKA_CLASSPATH" Clients "$@"; }
python() { "$work/venv/bin/python" "$here/clients.py" "$@"; }
franz() { "$work/franz-go" "$@"; }
node() { command node "$work/node/clients.mjs" "$@"; }

# --- recording and picking

start_proxy() { # FOLDER LISTEN:BROKER...
    rm -rf "$1"
    : >"$1.said"
    python3 "$kafka/record_frames.py" "$@" >"$1.said" 2>&1 &
    proxy=$!
    until grep -q ready "$1.said"; do sleep 0.1; done
}

stop_proxy() {
    sleep 0.5
    kill "$proxy"
    wait "$proxy" || true
    proxy=
}

record() { # NAME COMMAND...
    local name=$1
    shift
    echo "recording $name" >&2
    # shellcheck disable=SC1091
    . "$work/broker/ports"
    start_proxy "$work/$name" "$plaintext:$PLAINTEXT_PORT" "$sasl:$SASL_PORT"
    "$@" >"$work/$name.log" 2>&1 || echo "$name: exit status $?" >&2
    stop_proxy
}

# The request and the response of one exchange: the Nth of this client with this API key, or the last.
pick() { # FILE RECORDING CLIENT-ID KEY [N]
    local which
    which=$(awk -v client="$3" -v key="-k$4-v" '$2 == client && index($1, key) { print $1 }' "$work/$2/index.txt")
    if [ "${5:-1}" = last ]; then which=$(tail -n 1 <<<"$which"); else which=$(sed -n "${5:-1}p" <<<"$which"); fi
    [ -n "$which" ] || { echo "no frames for $1" >&2; exit 1; }
    cat "$work/$2/$which"-request.bin "$work/$2/$which"-response.bin >"$out/$1.bin"
}

# Some exchanges of the first connection of a client.
pick_connection() { # FILE RECORDING CLIENT-ID FROM TO
    local connection number
    connection=$(awk -v client="$3" '$2 == client { print $1 }' "$work/$2/index.txt" | sort | head -n 1 | cut -d/ -f1)
    for number in $(seq -f %03g "$4" "$5"); do
        cat "$work/$2/$connection/$number"-*-request.bin
        cat "$work/$2/$connection/$number"-*-response.bin 2>/dev/null || true
    done >"$out/$1.bin"
}

# --- old message sets, without a broker

command java -cp "$work/older:$older" OlderMessageSets "$work/sets" 2>/dev/null
command java -cp "$work/old:$old" OldMessageSets "$work/sets" 2>/dev/null
cp "$work"/sets/*.bin "$out"

# --- clients

EXTRA_PROPERTIES=metric.reporters=TelemetryReceiver ADVERTISED_PLAINTEXT_PORT=$plaintext ADVERTISED_SASL_PORT=$sasl \
    "$kafka/broker.sh" start "$work/broker"
record topics java topics $plaintext
record java-produce java produce $plaintext
record librdkafka-produce python produce $plaintext
record kafkajs-produce node produce $plaintext
record franz-go-produce franz produce $plaintext
record java-fetch java fetch $plaintext
record java-large java large $plaintext
record franz-go-large franz large $plaintext
record java-values java values $plaintext
for codec in none gzip snappy lz4 zstd; do
    for client in java librdkafka kafkajs franz-go; do
        pick "${client//-/_}_produce_$codec" $client-produce order-service-$codec 0
    done
    pick java_fetch_$codec java-fetch billing-service-$codec 1
done
pick java_produce_snappy_chunks java-large order-service-large 0
pick franz_go_produce_snappy_large franz-go-large order-service-large 0
pick java_produce_schema_id java-values order-service-schema-id 0
pick java_produce_schema_guid java-values order-service-schema-guid 0
for exchange in $(awk '$2 == "order-service-acks-0" && /-k0-/ { print $1 }' "$work/java-produce/index.txt"); do
    cat "$work/java-produce/$exchange-request.bin"
done >"$out/java_produce_acks_0.bin"

record java-groups java groups $plaintext
record librdkafka-groups python groups $plaintext
record franz-go-groups franz groups $plaintext
record kafkajs-groups node groups $plaintext
for assignor in range sticky cooperative; do
    name=$assignor
    [ $assignor != cooperative ] || name=cooperative_sticky
    pick java_describe_groups_$name java-groups shop-admin-$assignor 15
    pick java_sync_group_$name java-groups billing-service-$assignor-1 14 last
done
pick java_join_group_range java-groups billing-service-range-1 11 last
pick java_join_group_sticky java-groups billing-service-sticky-1 11 last
# After the one for a member id and the first: all partitions are its own, and some are to be given up.
pick java_join_group_cooperative_sticky java-groups billing-service-cooperative-1 11 3
pick librdkafka_join_group_cooperative_sticky librdkafka-groups shipping-service-cooperative-1 11 3
pick franz_go_join_group_cooperative_sticky franz-go-groups shipping-service-cooperative-1 11 3
pick librdkafka_sync_group_cooperative_sticky librdkafka-groups shipping-service-cooperative-1 14 last
pick franz_go_sync_group_cooperative_sticky franz-go-groups shipping-service-cooperative-1 14 last
pick librdkafka_join_group_range librdkafka-groups shipping-service-range-1 11 last
pick librdkafka_sync_group_range librdkafka-groups shipping-service-range-1 14 last
pick kafkajs_join_group_round_robin kafkajs-groups shipping-service-round-robin-1 11 last
pick kafkajs_sync_group_round_robin kafkajs-groups shipping-service-round-robin-1 14 last

rm -rf "$work/state"
record streams command java -cp "$KAFKA_CLASSPATH" StreamsApp $plaintext "$work/state"
leader=country-counts-1-StreamThread-1-consumer
pick streams_join_group streams $leader 11 3
pick streams_sync_group streams $leader 14 last
for protocol in eager compatible sessioned; do
    record connect-$protocol command java -cp "$KAFKA_CLASSPATH" ConnectWorker $plaintext $protocol
    pick connect_join_group_$protocol connect-$protocol feed-worker-$protocol-1 11 last
    pick connect_sync_group_$protocol connect-$protocol feed-worker-$protocol-1 14 last
done
# The one that takes a task away, and the one that first hands out the connector.
pick connect_sync_group_compatible_revoked connect-compatible feed-worker-compatible-1 14 4
pick connect_sync_group_sessioned_connector connect-sessioned feed-worker-sessioned-1 14 2

record java-sasl java sasl $sasl
record librdkafka-sasl python sasl $sasl
record java-0.10-sasl command java -cp "$work/old:$old" OldLogin $sasl
pick_connection java_sasl_plain java-sasl billing-service-plain 1 3
pick_connection java_sasl_plain_failed java-sasl billing-service-plain-failed 2 3
pick_connection java_sasl_scram java-sasl billing-service-scram 2 4
pick_connection java_sasl_oauthbearer java-sasl billing-service-oauthbearer 2 3
pick_connection librdkafka_sasl_plain librdkafka-sasl shipping-service-plain 2 3
pick_connection librdkafka_sasl_scram librdkafka-sasl shipping-service-scram 2 4
pick_connection librdkafka_sasl_oauthbearer librdkafka-sasl shipping-service-oauthbearer 2 3
pick_connection java_0_10_sasl_plain_tokens java-0.10-sasl billing-service-old-plain 1 5
pick_connection java_0_10_sasl_scram_tokens java-0.10-sasl billing-service-old-scram 1 4
pick_connection java_0_10_sasl_plain_tokens_failed java-0.10-sasl billing-service-old-failed 1 2

# A codec that is not on the class path is not used, and the client finds out by trying.
without() { tr : '\n' <<<"$KAFKA_CLASSPATH" | grep -Ev "$1" | paste -sd: -; }
record java-telemetry java telemetry $plaintext
record java-telemetry-lz4 command java -cp "$(without /zstd-jni)" Clients telemetry $plaintext
record java-telemetry-gzip command java -cp "$(without '/zstd-jni|/lz4-java')" Clients telemetry $plaintext
record librdkafka-telemetry python telemetry $plaintext
pick java_get_telemetry_subscriptions java-telemetry order-service-telemetry 71
pick java_push_telemetry_zstd java-telemetry order-service-telemetry 72
pick java_push_telemetry_none java-telemetry-lz4 order-service-telemetry 72
pick java_push_telemetry_lz4 java-telemetry-lz4 order-service-telemetry 72 2
pick java_push_telemetry_gzip java-telemetry-gzip order-service-telemetry 72 3
pick librdkafka_push_telemetry_zstd librdkafka-telemetry order-service-telemetry 72
pick librdkafka_push_telemetry_terminating librdkafka-telemetry order-service-telemetry 72 last
"$kafka/broker.sh" stop "$work/broker"

# --- a broker and its controller

# The proxy has to be there before the broker registers, and the broker's ports are known only once it has chosen them.
rm -rf "$work/broker"
EXTRA_PROPERTIES="advertised.listeners=PLAINTEXT://127.0.0.1:$plaintext,SASL_PLAINTEXT://127.0.0.1:$sasl,CONTROLLER://127.0.0.1:$controller" \
    "$kafka/broker.sh" start "$work/broker" &
starting=$!
until grep -q '^listeners=.*CONTROLLER' "$work/broker/server.properties" 2>/dev/null; do sleep 0.1; done
listeners=$(grep '^listeners=' "$work/broker/server.properties")
[[ $listeners =~ PLAINTEXT://127.0.0.1:([0-9]+),SASL_PLAINTEXT://127.0.0.1:([0-9]+),CONTROLLER://127.0.0.1:([0-9]+) ]]
start_proxy "$work/forwarded" "$plaintext:${BASH_REMATCH[1]}" "$sasl:${BASH_REMATCH[2]}" "$controller:${BASH_REMATCH[3]}"
wait $starting
java forwarded $sasl >"$work/forwarded.log" 2>&1
"$kafka/broker.sh" stop "$work/broker"
stop_proxy
pick broker_envelope_create_topics forwarded 1 58 1
pick broker_envelope_alter_configs forwarded 1 58 2
