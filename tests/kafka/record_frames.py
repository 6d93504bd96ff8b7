#!/usr/bin/env python3
"""Records what Kafka clients and a broker say to each other, frame by frame.

    record_frames.py FOLDER LISTEN:BROKER [LISTEN:BROKER ...]

Listens on the ports LISTEN of 127.0.0.1 and passes everything on to the ports BROKER there, until it gets SIGTERM or SIGINT.
The broker has to advertise the ports LISTEN, or clients leave the proxy after their first metadata.

FOLDER then has

    c0001.bin                        the first connection: each request followed by its response
    c0001/003-k0-v13-request.bin     its third exchange: API key 0 (Produce), version 13
    c0001/003-k0-v13-response.bin    not there if the request has no response (acks=0, or the connection ended)
    c0001/004-token-request.bin      a SASL token without a header, as after SaslHandshake v0
    index.txt                        a line for each exchange: file, client id, sizes of request and response
"""

import os
import signal
import socket
import struct
import sys
import threading

SASL_HANDSHAKE = 17


class Exchange:
    def __init__(self, number, frame, key=None, version=None, correlation=None, client=""):
        self.number = number
        self.request = frame
        self.response = None
        self.key, self.version, self.correlation, self.client = key, version, correlation, client

    def name(self):
        what = "token" if self.key is None else f"k{self.key}-v{self.version}"
        return f"{self.number:03}-{what}"


def header(frame):
    """Key, version, correlation id and client id of a request frame, or None if that is not what it begins with."""
    if len(frame) < 14:
        return None
    key, version, correlation, length = struct.unpack_from(">hhih", frame, 4)
    if not 0 <= key <= 127 or not 0 <= version <= 31 or not -1 <= length <= len(frame) - 14:
        return None
    client = frame[14 : 14 + max(length, 0)].decode("utf-8", "replace")
    return key, version, correlation, client


class Connection:
    """Pairs the frames of one connection. Responses come in the order of their requests."""

    def __init__(self, folder, number):
        self.folder = folder
        self.name = f"c{number:04}"
        self.lock = threading.Lock()
        self.exchanges = []
        self.answered = 0
        # Tokens have no header, and nothing but what came before tells that one is due.
        self.tokens = False

    def request(self, frame):
        with self.lock:
            number = len(self.exchanges) + 1
            known = header(frame)
            if self.tokens and known is None:
                self.exchanges.append(Exchange(number, frame))
                return
            self.tokens = False
            if known is None:
                self.exchanges.append(Exchange(number, frame, -1, -1))
                return
            exchange = Exchange(number, frame, *known)
            self.tokens = exchange.key == SASL_HANDSHAKE and exchange.version == 0
            self.exchanges.append(exchange)

    def response(self, frame):
        with self.lock:
            correlation = struct.unpack_from(">i", frame, 4)[0] if len(frame) >= 8 else None
            for at in range(self.answered, len(self.exchanges)):
                exchange = self.exchanges[at]
                # A response that is another's means that this request got none: acks=0.
                if exchange.correlation is None or exchange.correlation == correlation:
                    exchange.response = frame
                    self.answered = at + 1
                    return
            print(f"{self.name}: a response to nothing, {len(frame)} bytes", file=sys.stderr)

    def write(self, index):
        with self.lock:
            if not self.exchanges:
                return
            os.makedirs(os.path.join(self.folder, self.name), exist_ok=True)
            with open(os.path.join(self.folder, self.name + ".bin"), "wb") as conversation:
                for exchange in self.exchanges:
                    for direction, frame in (("request", exchange.request), ("response", exchange.response)):
                        if frame is None:
                            continue
                        conversation.write(frame)
                        path = os.path.join(self.folder, self.name, f"{exchange.name()}-{direction}.bin")
                        with open(path, "wb") as file:
                            file.write(frame)
                    answer = len(exchange.response) if exchange.response else "-"
                    client = exchange.client or "-"
                    print(f"{self.name}/{exchange.name()} {client} {len(exchange.request)} {answer}", file=index)
            index.flush()


def frames(received, take):
    """Hands each whole frame of what was received to `take`; returns the rest."""
    while len(received) >= 4:
        size = 4 + struct.unpack_from(">i", received)[0]
        if size < 4:
            raise ValueError("a frame of negative size")
        if len(received) < size:
            break
        take(bytes(received[:size]))
        del received[:size]
    return received


def pump(source, target, take):
    received = bytearray()
    try:
        while True:
            data = source.recv(65536)
            if not data:
                break
            # Noted before it is passed on, so that a response never overtakes its request.
            received += data
            frames(received, take)
            target.sendall(data)
    except (OSError, ValueError):
        pass
    # Either side may end a connection unasked; the other then sees its end too.
    for end in (source, target):
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


class Recorder:
    def __init__(self, folder):
        os.makedirs(folder, exist_ok=True)
        self.folder = folder
        self.index = open(os.path.join(folder, "index.txt"), "w")
        self.lock = threading.Lock()
        self.connections = 0
        self.open = {}

    def serve(self, client, broker_port):
        with self.lock:
            self.connections += 1
            connection = Connection(self.folder, self.connections)
            self.open[connection.name] = connection
        try:
            broker = socket.create_connection(("127.0.0.1", broker_port))
        except OSError:
            client.close()
            return
        for end in (client, broker):
            end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        back = threading.Thread(target=pump, args=(broker, client, connection.response), daemon=True)
        back.start()
        pump(client, broker, connection.request)
        back.join()
        client.close()
        broker.close()
        self.finish(connection)

    def finish(self, connection):
        with self.lock:
            if self.open.pop(connection.name, None):
                connection.write(self.index)

    def listen(self, port, broker_port):
        listener = socket.socket()
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", port))
        listener.listen(64)

        def accept():
            while True:
                client, _ = listener.accept()
                threading.Thread(target=self.serve, args=(client, broker_port), daemon=True).start()

        threading.Thread(target=accept, daemon=True).start()


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    recorder = Recorder(sys.argv[1])
    for pair in sys.argv[2:]:
        listen, broker = pair.split(":")
        recorder.listen(int(listen), int(broker))
    ended = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: ended.set())
    print("ready", flush=True)
    ended.wait()
    for connection in list(recorder.open.values()):
        recorder.finish(connection)


if __name__ == "__main__":
    main()
