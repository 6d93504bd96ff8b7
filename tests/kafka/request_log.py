#!/usr/bin/env python3
"""What the broker's request log says of the connections in a capture, as JSON on standard output.

    request_log.py CAPTURE LOG FROM PORT...

CAPTURE is a pcap of Ethernet and IPv4, LOG what `REQUEST_LOG=1 broker.sh` wrote, FROM the byte in it at which the capture began,
PORT those of the broker that were captured. On standard error: bytes, packets, connections and requests.
"""

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


def connections(data, ports):
    """Of each connection, the broker's port and the client's; and how many packets there are."""
    seen, opened, count = set(), set(), 0
    for packet in packets(data):
        count += 1
        tcp = 14 + (packet[14] & 15) * 4
        source, target = struct.unpack_from(">HH", packet, tcp)
        flags = packet[tcp + 13]
        both = (source, target) if source in ports else (target, source)
        seen.add(both)
        if flags & (SYN | ACK) == SYN:
            opened.add(both)
    # The log cannot tell which requests of such a one came before the capture.
    if seen - opened:
        sys.exit(f"request_log.py: connections from before the capture: {sorted(seen - opened)}")
    return seen, count


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


main()
