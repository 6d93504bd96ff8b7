import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * What the Java client says, for record_frames.py to record: Clients topics|produce|large|fetch|values|groups|sasl|telemetry|
 * forwarded PORT. Client ids say which case a connection is.
 */
public class Clients {
    static final String[] CODECS = {"none", "gzip", "snappy", "lz4", "zstd"};
    static final long TIME = 1_700_000_000_000L;
    static String bootstrap;

    public static void main(String[] args) throws Exception {
        bootstrap = "127.0.0.1:" + args[1];
        switch (args[0]) {
            case "topics" -> topics();
            case "produce" -> produce();
            case "large" -> large();
            case "fetch" -> fetch();
            case "values" -> values();
            case "groups" -> groups();
            case "sasl" -> sasl();
            case "telemetry" -> telemetry();
            case "forwarded" -> forwarded();
            default -> throw new IllegalArgumentException(args[0]);
        }
    }

    static Properties properties(String clientId, String... more) {
        Properties properties = new Properties();
        properties.put("bootstrap.servers", bootstrap);
        properties.put("client.id", clientId);
        // Only the case of that name is about telemetry.
        properties.put("enable.metrics.push", "false");
        for (int i = 0; i < more.length; i += 2) {
            properties.put(more[i], more[i + 1]);
        }
        return properties;
    }

    static KafkaProducer<byte[], byte[]> producer(String clientId, String... more) {
        Properties properties = properties(clientId, more);
        // Long enough for all records of a case to meet in one batch.
        properties.put("linger.ms", "300");
        return new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
    }

    static KafkaConsumer<byte[], byte[]> consumer(Properties properties) {
        return new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static void topics() throws Exception {
        try (Admin admin = Admin.create(properties("shop-admin"))) {
            admin.createTopics(List.of(new NewTopic("orders", 5, (short) 1), new NewTopic("countries", 2, (short) 1)))
                    .all().get();
        }
    }

    static String order(int number, String country) {
        StringBuilder text = new StringBuilder("{\"order\":" + number + ",\"country\":\"" + country + "\",\"items\":[");
        for (int i = 1; i <= 4; i++) {
            text.append(i == 1 ? "" : ",").append("{\"article\":\"A-").append(100 + i).append("\",\"count\":").append(i).append('}');
        }
        return text.append("]}").toString();
    }

    static List<ProducerRecord<byte[], byte[]>> orders(int partition) {
        Headers web = new RecordHeaders().add("source", bytes("web")).add("attempt", new byte[] {1});
        Headers cancelled = new RecordHeaders().add("reason", bytes("cancelled")).add("note", null);
        return List.of(
                new ProducerRecord<>("orders", partition, TIME, bytes("order-1001"), bytes(order(1001, "DE")), web),
                new ProducerRecord<>("orders", partition, TIME + 20, bytes("order-1002"), bytes(order(1002, "FR")), null),
                new ProducerRecord<>("orders", partition, TIME + 35, bytes("order-1001"), null, cancelled),
                new ProducerRecord<>("orders", partition, TIME + 10, null, bytes(order(1003, "DE")), null));
    }

    /** Partition 0 gets records as they are, partition 1 with gzip and so on, by the codecs' numbers. */
    static void produce() throws Exception {
        for (int codec = 0; codec < CODECS.length; codec++) {
            try (var producer = producer("order-service-" + CODECS[codec], "compression.type", CODECS[codec])) {
                producer.partitionsFor("orders");
                orders(codec).forEach(producer::send);
            }
        }
        try (var producer = producer("order-service-acks-0", "acks", "0", "enable.idempotence", "false")) {
            producer.partitionsFor("orders");
            producer.send(orders(0).get(0));
            producer.flush();
            producer.send(orders(0).get(1));
        }
    }

    /** More than the 32 KiB of one Xerial block. */
    static void large() throws Exception {
        try (var producer = producer("order-service-large", "compression.type", "snappy", "batch.size", "200000")) {
            producer.partitionsFor("countries");
            for (int i = 0; i < 3; i++) {
                byte[] value = bytes((order(2001 + i, "IT") + "\n").repeat(225));
                producer.send(new ProducerRecord<>("countries", 0, TIME + i, bytes("order-" + (2001 + i)), value));
            }
        }
    }

    static void fetch() throws Exception {
        for (int codec = 0; codec < CODECS.length; codec++) {
            try (var consumer = consumer(properties("billing-service-" + CODECS[codec]))) {
                TopicPartition partition = new TopicPartition("orders", codec);
                consumer.assign(List.of(partition));
                consumer.seek(partition, 0);
                long end = System.currentTimeMillis() + 10_000;
                while (consumer.poll(Duration.ofMillis(200)).isEmpty() && System.currentTimeMillis() < end) {}
            }
        }
    }

    /** Values as serializers of a schema registry write them: the schema's id before the value, or its GUID in a header. */
    static void values() throws Exception {
        byte[] avro = {0x0c, 'D', 'E', '-', '1', '0', '1', 0x54};
        byte[] message = {0x0a, 0x02, 'D', 'E', 0x10, 0x2a};
        try (var producer = producer("order-service-schema-id")) {
            producer.partitionsFor("countries");
            byte[] key = prefixed(7, new byte[] {0x04, 'D', 'E'});
            producer.send(new ProducerRecord<>("countries", 0, TIME, key, prefixed(42, avro)));
            // Protobuf says which message of the schema it is: 0 alone stands for the first, else a count and indexes.
            producer.send(new ProducerRecord<>("countries", 0, TIME + 1, key, prefixed(43, joined(new byte[] {0}, message))));
            producer.send(new ProducerRecord<>("countries", 0, TIME + 2, key, prefixed(43, joined(new byte[] {4, 2, 0}, message))));
            producer.send(new ProducerRecord<>("countries", 0, TIME + 3, key, prefixed(44, bytes("{\"name\":\"DE-101\",\"count\":42}"))));
        }
        try (var producer = producer("order-service-schema-guid")) {
            producer.partitionsFor("countries");
            byte[] keyId = guid("7b1e0f52-43c1-4a0e-9d7c-1f6a5e3b2c10");
            byte[] valueId = guid("2f0c9f6e-8d4b-4c55-b7a1-90e6d3a4f521");
            Headers both = new RecordHeaders().add("__key_schema_id", keyId).add("__value_schema_id", valueId);
            producer.send(new ProducerRecord<>("countries", 1, TIME, new byte[] {0x04, 'D', 'E'}, avro, both));
            // After the GUID of a Protobuf schema stand the indexes of the message.
            Headers indexes = new RecordHeaders().add("__value_schema_id", joined(valueId, new byte[] {0}));
            producer.send(new ProducerRecord<>("countries", 1, TIME + 1, bytes("DE"), message, indexes));
        }
    }

    static byte[] prefixed(int id, byte[] payload) {
        return ByteBuffer.allocate(5 + payload.length).put((byte) 0).putInt(id).put(payload).array();
    }

    static byte[] guid(String text) {
        UUID id = UUID.fromString(text);
        return ByteBuffer.allocate(17).put((byte) 1)
                .putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits()).array();
    }

    static byte[] joined(byte[] first, byte[] second) {
        return ByteBuffer.allocate(first.length + second.length).put(first).put(second).array();
    }

    /** A consumer that polls until it is told to end, and says what it has. */
    static class Member extends Thread {
        final Properties properties;
        final Collection<String> topics;
        volatile Set<TopicPartition> assigned = Set.of();
        volatile boolean ended;

        Member(Properties properties, String... topics) {
            this.properties = properties;
            this.topics = List.of(topics);
            start();
        }

        @Override
        public void run() {
            try (var consumer = consumer(properties)) {
                consumer.subscribe(topics, new ConsumerRebalanceListener() {
                    @Override
                    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {}

                    @Override
                    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {}
                });
                while (!ended) {
                    consumer.poll(Duration.ofMillis(100));
                    assigned = Set.copyOf(consumer.assignment());
                }
            }
        }
    }

    /** One member, then a second one, so that the first has something to tell when it joins again. */
    static void group(String name, String assignor) throws Exception {
        List<Member> members = new ArrayList<>();
        int partitions = 7;
        for (int i = 1; i <= 2; i++) {
            Properties properties = properties("billing-service-" + name + "-" + i,
                    "group.id", "billing-" + name, "group.protocol", "classic", "client.rack", "rack-" + i,
                    "heartbeat.interval.ms", "500", "auto.offset.reset", "earliest",
                    "partition.assignment.strategy", "org.apache.kafka.clients.consumer." + assignor);
            members.add(new Member(properties, "orders", "countries"));
            long end = System.currentTimeMillis() + 20_000;
            while (System.currentTimeMillis() < end
                    && (members.stream().mapToInt(member -> member.assigned.size()).sum() != partitions
                            || members.stream().anyMatch(member -> member.assigned.isEmpty()))) {
                Thread.sleep(100);
            }
            Thread.sleep(700);
        }
        try (Admin admin = Admin.create(properties("shop-admin-" + name))) {
            admin.describeClassicGroups(Set.of("billing-" + name)).all().get();
        }
        for (Member member : members) {
            member.ended = true;
            member.join();
        }
    }

    static void groups() throws Exception {
        group("range", "RangeAssignor");
        group("sticky", "StickyAssignor");
        group("cooperative", "CooperativeStickyAssignor");
    }

    static void sasl() throws Exception {
        String module = "org.apache.kafka.common.security.";
        String user = " required username=\"alice\" password=\"alice-secret\";";
        login("plain", "PLAIN", module + "plain.PlainLoginModule" + user);
        login("plain-failed", "PLAIN", module + "plain.PlainLoginModule required username=\"alice\" password=\"wrong\";");
        login("scram", "SCRAM-SHA-256", module + "scram.ScramLoginModule" + user);
        login("oauthbearer", "OAUTHBEARER", module + "oauthbearer.OAuthBearerLoginModule required unsecuredLoginStringClaim_sub=\"alice\";",
                "sasl.login.callback.handler.class",
                module + "oauthbearer.internals.unsecured.OAuthBearerUnsecuredLoginCallbackHandler");
    }

    static void login(String name, String mechanism, String jaas, String... more) {
        Properties properties = properties("billing-service-" + name, more);
        properties.put("security.protocol", "SASL_PLAINTEXT");
        properties.put("sasl.mechanism", mechanism);
        properties.put("sasl.jaas.config", jaas);
        try (Admin admin = Admin.create(properties)) {
            System.out.println(name + " " + admin.describeCluster().clusterId().get(10, TimeUnit.SECONDS));
        } catch (Exception failed) {
            System.out.println(name + " " + failed);
        }
    }

    /** What a broker sends on to the controller in an Envelope, with the principal of the client. */
    static void forwarded() throws Exception {
        Properties properties = properties("shop-admin", "security.protocol", "SASL_PLAINTEXT", "sasl.mechanism", "PLAIN",
                "sasl.jaas.config", "org.apache.kafka.common.security.plain.PlainLoginModule required"
                        + " username=\"alice\" password=\"alice-secret\";");
        try (Admin admin = Admin.create(properties)) {
            NewTopic refunds = new NewTopic("refunds", 2, (short) 1).configs(Map.of("cleanup.policy", "compact"));
            admin.createTopics(List.of(refunds)).all().get();
            AlterConfigOp longer = new AlterConfigOp(new ConfigEntry("retention.ms", "604800000"), AlterConfigOp.OpType.SET);
            admin.incrementalAlterConfigs(Map.of(new ConfigResource(ConfigResource.Type.TOPIC, "refunds"), List.of(longer)))
                    .all().get();
        }
    }

    /** Asks for few metrics, and sends them once for each codec that the broker and the client have in common. */
    static void telemetry() throws Exception {
        try (Admin admin = Admin.create(properties("shop-admin-telemetry"))) {
            ConfigResource resource = new ConfigResource(ConfigResource.Type.CLIENT_METRICS, "connections");
            List<AlterConfigOp> operations = new ArrayList<>();
            Map<String, String> configs = Map.of(
                    "metrics", "org.apache.kafka.producer.connection.,org.apache.kafka.producer.node.request.latency.",
                    "interval.ms", "1000", "match", "client_id=order-service-.*");
            configs.forEach((name, value) ->
                    operations.add(new AlterConfigOp(new ConfigEntry(name, value), AlterConfigOp.OpType.SET)));
            admin.incrementalAlterConfigs(Collections.singletonMap(resource, operations)).all().get();
        }
        try (var producer = producer("order-service-telemetry", "enable.metrics.push", "true")) {
            producer.partitionsFor("countries");
            for (int i = 0; i < 8; i++) {
                producer.send(new ProducerRecord<>("countries", 0, TIME, bytes("DE"), bytes("Germany")));
                Thread.sleep(500);
            }
        }
    }
}
