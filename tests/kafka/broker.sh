#!/usr/bin/env bash
# One Kafka broker, which is its own controller, on loopback.
#
#   broker.sh start DIR    formats storage below DIR (a new one), starts, and returns when the broker answers
#   broker.sh stop DIR     stops it cleanly, so that indexes are trimmed and producer snapshots written
#
# DIR/ports then has PLAINTEXT_PORT, SASL_PORT, CONTROLLER_PORT and, with TLS_KEYSTORE, SSL_PORT, DIR/pid the process, DIR/data the log directories,
# DIR/broker.log what it said, and DIR/server.properties its configuration.
#
# ADVERTISED_PLAINTEXT_PORT and ADVERTISED_SASL_PORT say where clients are sent instead, for a proxy before the broker; the
# broker also reaches itself that way when it writes transaction markers and share state. EXTRA_PROPERTIES are lines appended to
# the configuration. KAFKA_CLASSPATH saves asking Maven (see classpath.sh).
#
# PORTS="PLAINTEXT SASL CONTROLLER SSL" are used instead of free ones. TLS_KEYSTORE, a PKCS #12 file with password made-up-secret,
# adds a listener for TLS. REQUEST_LOG=1 has the broker write each request it has answered to DIR/broker.log, as JSON.
#
# Users over SASL: alice, with password alice-secret (PLAIN and SCRAM-SHA-256), or with an unsigned token (OAUTHBEARER).
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)

usage() {
    echo "usage: broker.sh start|stop DIR" >&2
    exit 2
}

answers() {
    (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null
}

# Below the range that systems take ports for outgoing connections from.
free_ports() {
    local port found=()
    while [ ${#found[@]} -lt "$1" ]; do
        port=$((15000 + RANDOM % 15000))
        [[ " ${found[*]:-} " == *" $port "* ]] && continue
        answers "$port" || found+=("$port")
    done
    echo "${found[@]}"
}

alive() {
    kill -0 "$1" 2>/dev/null || return 1
    # One that nobody has waited for still has its number.
    [ ! -r "/proc/$1/stat" ] || ! grep -q ') Z ' "/proc/$1/stat"
}

write_properties() {
    local module=org.apache.kafka.common.security tls_map='' tls_listener=''
    if [ -n "${TLS_KEYSTORE:-}" ]; then
        tls_map=,SSL:SSL
        tls_listener=,SSL://127.0.0.1:$SSL_PORT
    fi
    cat <<PROPERTIES
process.roles=broker,controller
node.id=1
log.dirs=$dir/data
controller.quorum.bootstrap.servers=127.0.0.1:$CONTROLLER_PORT
controller.listener.names=CONTROLLER
inter.broker.listener.name=PLAINTEXT
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,SASL_PLAINTEXT:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT$tls_map
listeners=PLAINTEXT://127.0.0.1:$PLAINTEXT_PORT,SASL_PLAINTEXT://127.0.0.1:$SASL_PORT,CONTROLLER://127.0.0.1:$CONTROLLER_PORT$tls_listener
advertised.listeners=PLAINTEXT://127.0.0.1:${ADVERTISED_PLAINTEXT_PORT:-$PLAINTEXT_PORT},SASL_PLAINTEXT://127.0.0.1:${ADVERTISED_SASL_PORT:-$SASL_PORT},CONTROLLER://127.0.0.1:$CONTROLLER_PORT$tls_listener
sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-256,OAUTHBEARER
listener.name.sasl_plaintext.plain.sasl.jaas.config=$module.plain.PlainLoginModule required user_alice="alice-secret";
listener.name.sasl_plaintext.scram-sha-256.sasl.jaas.config=$module.scram.ScramLoginModule required;
listener.name.sasl_plaintext.oauthbearer.sasl.jaas.config=$module.oauthbearer.OAuthBearerLoginModule required unsecuredLoginStringClaim_sub="broker";
listener.name.sasl_plaintext.oauthbearer.sasl.login.callback.handler.class=$module.oauthbearer.internals.unsecured.OAuthBearerUnsecuredLoginCallbackHandler
listener.name.sasl_plaintext.oauthbearer.sasl.server.callback.handler.class=$module.oauthbearer.internals.unsecured.OAuthBearerUnsecuredValidatorCallbackHandler
authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
allow.everyone.if.no.acl.found=true
super.users=User:ANONYMOUS
num.partitions=1
default.replication.factor=1
min.insync.replicas=1
offsets.topic.num.partitions=1
offsets.topic.replication.factor=1
transaction.state.log.num.partitions=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
share.coordinator.state.topic.num.partitions=1
share.coordinator.state.topic.replication.factor=1
share.coordinator.state.topic.min.isr=1
share.coordinator.snapshot.update.records.per.snapshot=3
group.initial.rebalance.delay.ms=0
group.consumer.min.heartbeat.interval.ms=500
group.consumer.heartbeat.interval.ms=500
group.share.min.heartbeat.interval.ms=500
group.share.heartbeat.interval.ms=500
group.streams.min.heartbeat.interval.ms=500
group.streams.heartbeat.interval.ms=500
group.streams.initial.rebalance.delay.ms=0
log.cleaner.dedupe.buffer.size=4194304
log.cleaner.backoff.ms=200
metadata.max.idle.interval.ms=5000
metadata.log.max.record.bytes.between.snapshots=7000
num.network.threads=2
num.io.threads=2
${TLS_KEYSTORE:+ssl.keystore.type=PKCS12
ssl.keystore.location=$TLS_KEYSTORE
ssl.keystore.password=made-up-secret}
${EXTRA_PROPERTIES:-}
PROPERTIES
}

start() {
    mkdir -p "$dir"
    if [ -e "$dir/pid" ] && alive "$(cat "$dir/pid")"; then
        echo "broker.sh: already running in $dir" >&2
        exit 1
    fi
    local KAFKA_CLASSPATH deadline
    KAFKA_CLASSPATH=$("$here/classpath.sh")
    read -r PLAINTEXT_PORT SASL_PORT CONTROLLER_PORT SSL_PORT <<<"${PORTS:-$(free_ports 4)}"
    write_properties >"$dir/server.properties"
    java -Xmx256m -cp "$KAFKA_CLASSPATH" kafka.tools.StorageTool format --config "$dir/server.properties" --standalone \
        --cluster-id kdissectTestCluster000 \
        --add-scram 'SCRAM-SHA-256=[name=alice,password=alice-secret]' >"$dir/format.log" 2>&1 || {
        cat "$dir/format.log" >&2
        exit 1
    }
    # A session of its own, so that an interrupt of the caller does not end it before `stop`.
    : >"$dir/broker.log"
    local detach=nohup
    command -v setsid >/dev/null && detach=setsid
    local log_requests=()
    # At trace it would also have the records, which nobody reads.
    [ -z "${REQUEST_LOG:-}" ] || log_requests=(-Dorg.slf4j.simpleLogger.log.kafka.request.logger=debug)
    $detach java -Xmx512m "${log_requests[@]}" -cp "$KAFKA_CLASSPATH" kafka.Kafka "$dir/server.properties" \
        </dev/null >>"$dir/broker.log" 2>&1 &
    echo $! >"$dir/pid"
    disown
    deadline=$((SECONDS + 90))
    until grep -q 'Kafka Server started' "$dir/broker.log" && answers "$PLAINTEXT_PORT" && answers "$SASL_PORT"; do
        if ! alive "$(cat "$dir/pid")" || [ $SECONDS -gt $deadline ]; then
            echo "broker.sh: the broker did not start:" >&2
            tail -n 30 "$dir/broker.log" >&2
            stop
            exit 1
        fi
        sleep 0.3
    done
    printf 'PLAINTEXT_PORT=%s\nSASL_PORT=%s\nCONTROLLER_PORT=%s\n' \
        "$PLAINTEXT_PORT" "$SASL_PORT" "$CONTROLLER_PORT" >"$dir/ports"
    [ -z "${TLS_KEYSTORE:-}" ] || echo "SSL_PORT=$SSL_PORT" >>"$dir/ports"
}

stop() {
    [ -e "$dir/pid" ] || return 0
    local pid deadline=$((SECONDS + 60))
    pid=$(cat "$dir/pid")
    kill -TERM "$pid" 2>/dev/null || true
    while alive "$pid"; do
        if [ $SECONDS -gt $deadline ]; then
            kill -KILL "$pid" 2>/dev/null || true
            echo "broker.sh: the broker had to be killed" >&2
            rm -f "$dir/pid"
            return 1
        fi
        sleep 0.2
    done
    rm -f "$dir/pid" "$dir/ports"
}

[ $# -eq 2 ] || usage
mkdir -p "$2"
dir=$(cd "$2" && pwd)
case $1 in
start) start ;;
stop) stop ;;
*) usage ;;
esac
