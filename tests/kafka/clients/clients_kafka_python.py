#!/usr/bin/env python3
"""What kafka-python says, for record_captures.sh to capture: clients_kafka_python.py codecs|tls PORT [CERTIFICATE KEY-LOG]."""

import ssl
import sys
import time

from clients_orders import CODECS, TIME, order
from kafka import KafkaConsumer, KafkaProducer, TopicPartition


def produce(bootstrap, codec, partition, **settings):
    producer = KafkaProducer(
        bootstrap_servers=bootstrap,
        client_id=f"order-service-{codec}",
        compression_type=None if codec == "none" else codec,
        # Long enough for all records to meet in one batch.
        linger_ms=300,
        **settings,
    )
    records = [
        (b"order-1001", order(1001, "DE"), [("source", b"web"), ("attempt", b"\x01")], 0),
        (b"order-1002", order(1002, "FR"), [], 20),
        (b"order-1001", None, [("reason", b"cancelled")], 35),
        (None, order(1003, "DE"), [], 10),
    ]
    for key, value, headers, later in records:
        producer.send("orders", value and value.encode(), key, headers, partition, TIME + later)
    producer.flush(10)
    producer.close(5)


def consume(bootstrap, codec, partition, **settings):
    consumer = KafkaConsumer(bootstrap_servers=bootstrap, client_id=f"billing-service-{codec}", **settings)
    one = TopicPartition("orders", partition)
    consumer.assign([one])
    consumer.seek(one, 0)
    end = time.time() + 10
    while time.time() < end and not consumer.poll(timeout_ms=200):
        pass
    consumer.close(autocommit=False)


def codecs(bootstrap):
    for partition, codec in enumerate(CODECS):
        produce(bootstrap, codec, partition)
    for partition, codec in enumerate(CODECS):
        consume(bootstrap, codec, partition)


def tls(bootstrap, certificate, key_log):
    """What is said in the clear is in `codecs`; here it is only written and read once."""
    context = ssl.create_default_context(cafile=certificate)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.keylog_filename = key_log
    settings = {"security_protocol": "SSL", "ssl_context": context}
    produce(bootstrap, "gzip", 0, **settings)
    consume(bootstrap, "gzip", 0, **settings)


CASES = {"codecs": codecs, "tls": tls}

if __name__ == "__main__":
    CASES[sys.argv[1]](f"127.0.0.1:{sys.argv[2]}", *sys.argv[3:])
