# A broker in a folder of its own, both of which go when the script ends. To be sourced by scripts in this folder, with their folder in `here`.
#
# Sets scratch, the folder, and KAFKA_CLASSPATH, which saves asking Maven if it is set before. `start_broker` starts the broker and sets its
# ports, `stop_broker` stops it, and `run` runs a Java program with Kafka on its class path.

KAFKA_CLASSPATH=$("$here/classpath.sh")
export KAFKA_CLASSPATH
scratch=$(mktemp -d)

finish() {
    stop_broker || true
    rm -rf "$scratch"
}
trap finish EXIT

start_broker() {
    "$here/broker.sh" start "$scratch"
    # shellcheck disable=SC1091
    . "$scratch/ports"
}

stop_broker() {
    "$here/broker.sh" stop "$scratch"
}

run() { # ARGUMENT...
    # Names and values are UTF-8 whatever the locale.
    java -Dfile.encoding=UTF-8 -Dorg.slf4j.simpleLogger.defaultLogLevel=error -cp "$KAFKA_CLASSPATH" "$@"
}
