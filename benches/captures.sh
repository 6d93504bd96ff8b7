#!/usr/bin/env bash
# How fast captures are read, beside tcpdump and tshark, in one run.
#
#   captures.sh [FILE [PORT]]    FILE is a capture of Kafka on PORT (9092); without it one of 100 MiB is made
#
# RUNS (3) says how often each command runs, and the best counts; SLOW_RUNS (1) is for tshark. SIZE (100M), SEED (1) and MAKE
# ("--mss 1448", "--topic-ids") say what is made; KDISSECT is the program to measure, which else is built. What is missing is
# skipped. Needs Python.
set -euo pipefail

here=$(cd "$(dirname "$0")/.." && pwd)
runs=${RUNS:-3} slow_runs=${SLOW_RUNS:-1}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

if [ -z "${KDISSECT:-}" ]; then
    cargo build --release --quiet --manifest-path "$here/Cargo.toml"
    KDISSECT=${CARGO_TARGET_DIR:-$here/target}/release/kdissect
fi
file=${1:-} port=${2:-9092}
if [ -z "$file" ]; then
    file=$scratch/made.pcap
    # shellcheck disable=SC2086
    cargo run --release --quiet --manifest-path "$here/Cargo.toml" --example make_capture -- \
        "${SIZE:-100M}" "$file" --seed "${SEED:-1}" ${MAKE:-}
fi
# From the cache for all.
cat "$file" >/dev/null

# Prints the best wall time in seconds and the largest peak of memory in MiB, or nothing if the command fails.
measure() { # RUNS COMMAND...
    python3 - "$@" <<'PYTHON'
import os, sys, time

best, peak = float("inf"), 0
# In KiB, or in bytes.
unit = 1 << 20 if sys.platform == "darwin" else 1 << 10
for _ in range(int(sys.argv[1])):
    start = time.perf_counter()
    child = os.posix_spawnp(
        sys.argv[2],
        sys.argv[2:],
        os.environ,
        file_actions=[(os.POSIX_SPAWN_OPEN, fd, "/dev/null", os.O_RDWR, 0) for fd in (0, 1, 2)],
    )
    _, status, used = os.wait4(child, 0)
    if status:
        sys.exit()
    best = min(best, time.perf_counter() - start)
    peak = max(peak, used.ru_maxrss / unit)
print(f"{best:.3f} {peak:.0f}")
PYTHON
}

declare -A seconds
row() { # NAME RUNS COMMAND...
    local name=$1 wall peak
    shift
    if ! command -v "$2" >/dev/null; then
        printf '%-28s skipped: %s is not here\n' "$name" "${2##*/}"
        return
    fi
    read -r wall peak <<<"$(measure "$@")" || true
    if [ -z "${wall:-}" ]; then
        printf '%-28s failed\n' "$name"
        return
    fi
    seconds[$name]=$wall
    awk -v name="$name" -v wall="$wall" -v peak="$peak" -v size="$size" \
        'BEGIN { printf "%-28s %9.3f s %9.1f MB/s %7d MiB\n", name, wall, size / wall / 1e6, peak }'
}

ratio() { # ABOVE BELOW GOAL
    local above=${seconds[$1]:-} below=${seconds[$2]:-}
    [ -n "$above" ] && [ -n "$below" ] || return 0
    awk -v above="$above" -v below="$below" -v names="$1 / $2" -v goal="$3" \
        'BEGIN { printf "%-52s %8.2f   (%s)\n", names, above / below, goal }'
}

size=$(wc -c <"$file")
for tool in tcpdump tshark; do
    ! command -v $tool >/dev/null || { $tool --version 2>/dev/null || true; } | sed -n '1{ s| *(Git.*||; p; }'
done
awk -v size="$size" 'BEGIN { printf "%.1f MB; wall time, speed, peak of memory\n\n", size / 1e6 }'
row "kdissect list" "$runs" "$KDISSECT" list "$file"
row "tcpdump -w" "$runs" tcpdump -r "$file" -w /dev/null
row "tshark -T fields" "$slow_runs" tshark -n -r "$file" -d "tcp.port==$port,kafka" -T fields -e kafka.api_key
row "kdissect --view tree" "$runs" "$KDISSECT" --view tree "$file"
row "tshark -V -O kafka" "$slow_runs" tshark -n -r "$file" -d "tcp.port==$port,kafka" -V -O kafka
echo
ratio "kdissect list" "tcpdump -w" "at most 2"
ratio "tshark -T fields" "kdissect list" "at least 30"
ratio "tshark -V -O kafka" "kdissect --view tree" "at least 10"
