#!/usr/bin/env python3
"""What librdkafka says, for record_frames.py and record_captures.sh to record.

clients.py produce|groups|sasl|telemetry|codecs|consumer-group|sasl-plain|sasl-scram PORT
"""

import sys
import threading
import time

from clients_orders import CODECS, TIME, order
from confluent_kafka import Consumer, KafkaException, Producer, TopicPartition
from confluent_kafka.admin import AdminClient


def produce(bootstrap):
    for partition, codec in enumerate(CODECS):
        producer = Producer(
            {
                "bootstrap.servers": bootstrap,
                "client.id": f"order-service-{codec}",
                "compression.type": codec,
                # Long enough for all records to meet in one batch.
                "linger.ms": 300,
            }
        )
        records = [
            ("order-1001", order(1001, "DE"), [("source", "web"), ("attempt", b"\x01")], 0),
            ("order-1002", order(1002, "FR"), [], 20),
            ("order-1001", None, [("reason", "cancelled"), ("note", None)], 35),
            (None, order(1003, "DE"), [], 10),
        ]
        for key, value, headers, later in records:
            producer.produce("orders", value, key, partition, timestamp=TIME + later, headers=headers)
        producer.flush(10)


def consume(bootstrap, codec, partition, settings):
    consumer = Consumer(
        {
            "bootstrap.servers": bootstrap,
            "client.id": f"billing-service-{codec}",
            # It has to have one, but commits nothing.
            "group.id": "billing",
            "enable.auto.commit": False,
            **settings,
        }
    )
    consumer.assign([TopicPartition("orders", partition, 0)])
    end = time.time() + 10
    while time.time() < end and consumer.poll(0.2) is None:
        pass
    consumer.close()


def codecs(bootstrap):
    produce(bootstrap)
    for partition, codec in enumerate(CODECS):
        consume(bootstrap, codec, partition, {})


class Member(threading.Thread):
    def __init__(self, settings, topics):
        super().__init__()
        self.consumer = Consumer(settings)
        self.consumer.subscribe(topics)
        self.ended = False
        self.assigned = 0
        self.start()

    def run(self):
        while not self.ended:
            self.consumer.poll(0.1)
            self.assigned = len(self.consumer.assignment())
        self.consumer.close()


def groups(bootstrap):
    for name, strategy in (("cooperative", "cooperative-sticky"), ("range", "range")):
        members = []
        for number in (1, 2):
            settings = {
                "bootstrap.servers": bootstrap,
                "client.id": f"shipping-service-{name}-{number}",
                "client.rack": f"rack-{number}",
                "group.id": f"shipping-{name}",
                "partition.assignment.strategy": strategy,
                "heartbeat.interval.ms": 500,
                "auto.offset.reset": "earliest",
            }
            members.append(Member(settings, ["orders", "countries"]))
            end = time.time() + 20
            while time.time() < end:
                counts = [member.assigned for member in members]
                if sum(counts) == 7 and all(counts):
                    break
                time.sleep(0.1)
            time.sleep(1)
        for member in members:
            member.ended = True
            member.join()


def consumer_group(bootstrap):
    """Two members, the second after the first, in the protocol of KIP-848."""
    members = []
    for number in (1, 2):
        settings = {
            "bootstrap.servers": bootstrap,
            "client.id": f"shipping-service-{number}",
            "client.rack": f"rack-{number}",
            "group.id": "shipping",
            "group.protocol": "consumer",
            "auto.offset.reset": "earliest",
        }
        members.append(Member(settings, ["orders", "countries"]))
        end = time.time() + 20
        while time.time() < end:
            counts = [member.assigned for member in members]
            if sum(counts) == 7 and all(counts):
                break
            time.sleep(0.1)
        time.sleep(0.7)
    for member in members:
        member.ended = True
        member.join()


def login(bootstrap, name, settings):
    admin = AdminClient(
        {
            "bootstrap.servers": bootstrap,
            "client.id": f"shipping-service-{name}",
            "security.protocol": "sasl_plaintext",
            **settings,
        }
    )
    try:
        print(name, admin.list_topics(timeout=5).cluster_id)
    except KafkaException as failed:
        print(name, failed)


def sasl(bootstrap):
    alice = {"sasl.username": "alice", "sasl.password": "alice-secret"}
    login(bootstrap, "plain", {"sasl.mechanism": "PLAIN", **alice})
    login(bootstrap, "scram", {"sasl.mechanism": "SCRAM-SHA-256", **alice})
    unsecured = {"enable.sasl.oauthbearer.unsecure.jwt": True, "sasl.oauthbearer.config": "principal=alice"}
    login(bootstrap, "oauthbearer", {"sasl.mechanism": "OAUTHBEARER", **unsecured})


def logged_in(bootstrap, mechanism):
    """Writes and reads: authentication comes before anything else on each connection."""
    settings = {
        "security.protocol": "sasl_plaintext",
        "sasl.mechanism": mechanism,
        "sasl.username": "alice",
        "sasl.password": "alice-secret",
    }
    producer = Producer({"bootstrap.servers": bootstrap, "client.id": "order-service", **settings})
    producer.produce("orders", order(1001, "DE"), "order-1001", 0, timestamp=TIME)
    producer.flush(10)
    consume(bootstrap, "none", 0, settings)


def telemetry(bootstrap):
    """Pushes the metrics that `Clients.java telemetry` had the broker ask for."""
    producer = Producer({"bootstrap.servers": bootstrap, "client.id": "order-service-telemetry"})
    end = time.time() + 5
    while time.time() < end:
        producer.produce("countries", "Germany", "DE", 0, timestamp=TIME)
        producer.flush(1)
        time.sleep(0.5)


CASES = {
    "produce": produce,
    "groups": groups,
    "sasl": sasl,
    "telemetry": telemetry,
    "codecs": codecs,
    "consumer-group": consumer_group,
    "sasl-plain": lambda bootstrap: logged_in(bootstrap, "PLAIN"),
    "sasl-scram": lambda bootstrap: logged_in(bootstrap, "SCRAM-SHA-256"),
}

if __name__ == "__main__":
    CASES[sys.argv[1]](f"127.0.0.1:{sys.argv[2]}")
