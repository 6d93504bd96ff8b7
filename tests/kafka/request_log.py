#!/usr/bin/env python3
"""What the broker's request log says of the connections in a capture, as JSON on standard output.

    request_log.py CAPTURE LOG FROM PORT...

CAPTURE is a pcap of Ethernet and IPv4, LOG what `REQUEST_LOG=1 broker.sh` wrote, FROM the byte in it at which the capture began,
PORT those of the broker that were captured. On standard error: bytes, packets, connections and requests, and where the log and the
capture differ: the broker does not log what comes before a login is through, nor what it cannot read.
"""

import collections
import json
import re
import struct
import sys

# "connection" of an entry: HOST:PORT-HOST:PORT and two numbers of the broker's own.
CONNECTION = re.compile(r"127\.0\.0\.1:(\d+)-127\.0\.0\.1:(\d+)-")
ENTRY = "kafka.request.logger - Completed request:"
SYN, ACK = 0x02, 0x10


def packets(data):
    magic = data[:4]
    order = "<" if magic in (b"\xd4\xc3\xb2\xa1", b"\x4d\x3c\xb2\xa1") else ">"
    at = 24
    while at + 16 <= len(data):
        (length, original) = struct.unpack_from(order + "II", data, at + 8)
        if length != original:
            sys.exit("request_log.py: a packet was cut off")
        yield data[at + 16 : at + 16 + length]
        at += 16 + length


class Connection:
    """What the client sent. On loopback nothing is lost or out of order, but it may be sent again."""

    def __init__(self):
        self.next = None
        self.sent = bytearray()

    def take(self, sequence, payload):
        again = (self.next - sequence) & 0xFFFFFFFF
        if again < len(payload):
            self.sent += payload[again:]
            self.next = (sequence + len(payload)) & 0xFFFFFFFF

    def requests(self):
        at = 0
        # Nothing to see in TLS.
        while at + 12 <= len(self.sent) and self.sent[0] == 0:
            (size, key, version, correlation) = struct.unpack_from(">ihhi", self.sent, at)
            # SaslHandshake v0 is followed by tokens without a header.
            if 0 <= key < 100 and 0 <= version < 30 and size >= 10:
                (length,) = struct.unpack_from(">h", self.sent, at + 12)
                client = None if length < 0 else self.sent[at + 14 : at + 14 + length].decode()
                yield key, version, correlation, client
            at += 4 + size


def connections(data, ports):
    """The connections by the broker's port and the client's, and how many packets there are."""
    found, count = {}, 0
    for packet in packets(data):
        count += 1
        tcp = 14 + (packet[14] & 15) * 4
        (total,) = struct.unpack_from(">H", packet, 16)
        source, target, sequence = struct.unpack_from(">HHI", packet, tcp)
        flags = packet[tcp + 13]
        both = (source, target) if source in ports else (target, source)
        if flags & (SYN | ACK) == SYN:
            found[both] = Connection()
            found[both].next = (sequence + 1) & 0xFFFFFFFF
        elif both not in found:
            # The log cannot tell which requests of such a one came before the capture.
            sys.exit(f"request_log.py: a connection from before the capture: {both}")
        elif target == both[0]:
            found[both].take(sequence, packet[tcp + (packet[tcp + 12] >> 4) * 4 : 14 + total])
    return found, count


def tell_differences(seen, rows):
    names = {17: "SASL_HANDSHAKE", 18: "API_VERSIONS", 36: "SASL_AUTHENTICATE"}
    names.update((row["apiKey"], row["apiName"]) for row in rows)
    logged = collections.Counter(
        (row["apiKey"], row["apiVersion"], row["correlationId"], row["clientId"])
        for row in rows
        if seen[row["brokerPort"], row["clientPort"]].sent[0] == 0
    )
    captured = collections.Counter(request for one in seen.values() for request in one.requests())
    for what, difference in (("not logged", captured - logged), ("not captured", logged - captured)):
        count = collections.Counter()
        for (key, version, _, _), times in difference.items():
            count[f"{names.get(key, key)} v{version}"] += times
        for name, times in sorted(count.items()):
            print(f"    {what}: {times} of {name}", file=sys.stderr)


def main():
    capture, log, start, *ports = sys.argv[1:]
    with open(capture, "rb") as file:
        data = file.read()
    seen, count = connections(data, {int(port) for port in ports})
    rows = []
    with open(log, "rb") as file:
        file.seek(int(start))
        for line in file:
            text = line.decode()
            if ENTRY not in text:
                continue
            entry = json.loads(text.split(ENTRY, 1)[1])
            broker, client = map(int, CONNECTION.match(entry["connection"]).groups())
            if (broker, client) not in seen:
                continue
            header = entry["requestHeader"]
            rows.append(
                {
                    "apiKey": header["requestApiKey"],
                    "apiName": header["requestApiKeyName"],
                    "apiVersion": header["requestApiVersion"],
                    "correlationId": header["correlationId"],
                    "clientId": header["clientId"],
                    "clientPort": client,
                    "brokerPort": broker,
                }
            )
    print("[\n" + ",\n".join(map(json.dumps, rows)) + "\n]")
    print(f"{len(data)} bytes, {count} packets, {len(seen)} connections, {len(rows)} requests", file=sys.stderr)
    tell_differences(seen, rows)


main()
