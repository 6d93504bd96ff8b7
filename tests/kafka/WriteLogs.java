import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.FeatureUpdate;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UpdateFeaturesOptions;
import org.apache.kafka.clients.admin.UserScramCredentialDeletion;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.SubscriptionPattern;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Grouped;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.kstream.Produced;
import org.apache.kafka.streams.state.Stores;

/**
 * Makes a broker write a bit of everything that can stand in its log files. All names and data are made up. Argument: the
 * address of a fresh broker of broker.sh.
 */
public class WriteLogs {
    // Records carry times of their own: they roll segments at the same places in every run.
    static final long START = 1_717_200_000_000L;
    static final long HOUR = 3_600_000L;
    static final String[] CODECS = {"none", "gzip", "snappy", "lz4", "zstd"};

    static String bootstrap;
    static Admin admin;

    public static void main(String[] args) throws Exception {
        bootstrap = args[0];
        admin = Admin.create(clientProperties("admin"));
        step("topics", WriteLogs::topics);
        step("customers", WriteLogs::customers);
        step("orders", WriteLogs::orders);
        step("payments", WriteLogs::payments);
        step("metadata", WriteLogs::metadata);
        step("classic groups", WriteLogs::classicGroups);
        step("consumer groups", WriteLogs::consumerGroups);
        step("share groups", WriteLogs::shareGroups);
        step("streams group", WriteLogs::streamsGroup);
        step("cleaning", WriteLogs::awaitCleaning);
        admin.close();
    }

    interface Step {
        void run() throws Exception;
    }

    static void step(String name, Step step) throws Exception {
        long from = System.nanoTime();
        step.run();
        System.out.printf("%-16s %5d ms%n", name, (System.nanoTime() - from) / 1_000_000);
    }

    // ---- topics and plain records

    static void topics() throws Exception {
        List<NewTopic> topics = new ArrayList<>();
        for (String codec : CODECS) {
            // Index entries closer than usual, so that small segments have some.
            topics.add(topic("orders-" + codec, 1, "index.interval.bytes", "300"));
        }
        topics.add(topic("orders-appendtime", 1, "message.timestamp.type", "LogAppendTime"));
        topics.add(topic("payments", 1, "index.interval.bytes", "200"));
        topics.add(topic("countries", 2));
        topics.add(topic("country-counts", 1));
        topics.add(topic("customers", 1, "cleanup.policy", "compact", "segment.ms", "60000",
            "min.cleanable.dirty.ratio", "0.01", "index.interval.bytes", "200"));
        admin.createTopics(topics).all().get();
    }

    static NewTopic topic(String name, int partitions, String... configs) {
        Map<String, String> map = new HashMap<>();
        map.put("retention.ms", "-1");
        for (int i = 0; i < configs.length; i += 2) {
            map.put(configs[i], configs[i + 1]);
        }
        return new NewTopic(name, partitions, (short) 1).configs(map);
    }

    static void orders() throws Exception {
        for (String codec : CODECS) {
            String topic = "orders-" + codec;
            try (KafkaProducer<byte[], byte[]> producer = producer(codec, topic)) {
                plainBatches(producer, topic);
                if (codec.equals("snappy") || codec.equals("lz4") || codec.equals("zstd")) {
                    // More than two blocks of snappy (32 KiB) and one of lz4 (64 KiB). Most of it is in headers, whose values
                    // Kafka's dump tool does not print.
                    String line = "shelf A-17, box 4, second row from the top; ";
                    for (int i = 0; i < 3; i++) {
                        send(producer, topic, 4 * HOUR + i, "big-" + i, order(1010 + i),
                            header("places", text(line.repeat(24_000 / line.length()))));
                    }
                    producer.flush();
                }
            }
        }
        try (KafkaProducer<byte[], byte[]> producer = producer("gzip", "orders-appendtime")) {
            plainBatches(producer, "orders-appendtime");
        }
        // No producer id and no sequence numbers in these batches.
        Properties properties = producerProperties("none", "not-idempotent");
        properties.put("enable.idempotence", "false");
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(properties)) {
            for (int partition = 0; partition < 2; partition++) {
                for (String country : List.of("Österreich", "Perú", "日本", "Côte d'Ivoire")) {
                    producer.send(new ProducerRecord<>("countries", partition, START, text(country), text("{\"visits\":1}")));
                }
            }
        }
    }

    static void plainBatches(KafkaProducer<byte[], byte[]> producer, String topic) {
        for (int i = 0; i < 4; i++) {
            send(producer, topic, i, "order-" + (1000 + i), order(1000 + i));
        }
        producer.flush();

        send(producer, topic, HOUR, null, order(1004));
        send(producer, topic, HOUR + 1, "order-1000", null);
        send(producer, topic, HOUR + 2, "order-1001", new byte[0]);
        send(producer, topic, HOUR + 3, null, null);
        send(producer, topic, HOUR + 4, "", text("an empty key"));
        send(producer, topic, HOUR + 5, "order-1005", text("Zürich, Łódź, São Paulo, 東京, Αθήνα, 🦉"));
        // No line ends among them: Kafka's dump tool prints values as they are.
        send(producer, topic, HOUR + 6, "order-1006", new byte[] {0, 1, 2, (byte) 0x80, (byte) 0xfe, (byte) 0xff, 9, 'x', 0});
        producer.flush();

        send(producer, topic, 2 * HOUR, "order-1007", order(1007),
            header("source", text("web")), header("trace", new byte[] {(byte) 0xde, (byte) 0xad, 0, 7}),
            header("coupon", null), header("note", new byte[0]));
        // Times within a batch may go back.
        send(producer, topic, HOUR, "order-1008", order(1008),
            header("hop", text("shop")), header("hop", text("stock")), header("hop", text("Köln")), header("", text("no name")));
        producer.flush();

        send(producer, topic, 3 * HOUR, "order-1009", order(1009));
        producer.flush();
    }

    static byte[] order(int number) {
        String[] goods = {"lamp", "kettle", "garden chair", "bicycle bell"};
        StringBuilder items = new StringBuilder();
        for (int i = 0; i <= number % 3 + 1; i++) {
            items.append(i == 0 ? "" : ",").append("{\"sku\":\"SKU-").append(7000 + number * 3 % 17 + i)
                .append("\",\"name\":\"").append(goods[(number + i) % goods.length])
                .append("\",\"quantity\":").append(i + 1).append(",\"price\":{\"amount\":").append(1995 + 100 * i)
                .append(",\"currency\":\"EUR\"}}");
        }
        return text("{\"order\":" + number + ",\"customer\":\"c-" + number % 7 + "\",\"items\":[" + items + "],\"gift\":false}");
    }

    // ---- compaction

    static void customers() throws Exception {
        String topic = "customers";
        // Each batch an hour after the last: each begins a segment, since segment.ms is a minute.
        try (KafkaProducer<byte[], byte[]> first = producer("zstd", "customers-first");
             KafkaProducer<byte[], byte[]> second = producer("none", "customers-second")) {
            for (int i = 1; i <= 6; i++) {
                send(first, topic, i, "customer-" + i, text("{\"name\":\"Customer " + i + "\",\"level\":\"new\"}"));
            }
            first.flush();
            for (int i = 7; i <= 9; i++) {
                send(first, topic, HOUR + i, "customer-" + i, text("{\"name\":\"Customer " + i + "\",\"level\":\"new\"}"));
            }
            first.flush();
            // All of the last batch is replaced. The cleaner keeps it without records, for its producer's sequence number.
            for (int i : new int[] {1, 4, 7, 8, 9}) {
                send(second, topic, 2 * HOUR + i, "customer-" + i, text("{\"name\":\"Customer " + i + "\",\"level\":\"gold\"}"));
            }
            second.flush();
            send(second, topic, 3 * HOUR, "customer-2", null);
            send(second, topic, 3 * HOUR + 1, "customer-10", text("{\"name\":\"Customer 10\",\"level\":\"new\"}"));
            second.flush();
        }
        // What was aborted goes too, its marker stays.
        try (KafkaProducer<byte[], byte[]> producer = transactional("customers-import")) {
            producer.initTransactions();
            producer.beginTransaction();
            send(producer, topic, 4 * HOUR, "customer-4", text("{\"name\":\"never\"}"));
            end(producer, topic, false);
        }
        // The marker is of today, so segments roll only for later times.
        long today = System.currentTimeMillis() - START;
        try (KafkaProducer<byte[], byte[]> producer = producer("none", "customers-last")) {
            send(producer, topic, today + HOUR / 6, "customer-11", text("{\"name\":\"Customer 11\",\"level\":\"new\"}"));
            producer.flush();
            send(producer, topic, today + HOUR / 3, "customer-11", text("{\"name\":\"Customer 11\",\"level\":\"gold\"}"));
            producer.flush();
            // The cleaner leaves the segment that is being written to alone.
            send(producer, topic, today + HOUR / 2, "customer-12", text("{\"name\":\"Customer 12\",\"level\":\"new\"}"));
        }
    }

    static void awaitCleaning() throws Exception {
        TopicPartition partition = new TopicPartition("customers", 0);
        Set<String> rest = null;
        for (int i = 0; i < 100; i++) {
            List<String> keys = new ArrayList<>();
            Properties properties = consumerProperties("customers-check", null);
            properties.put("isolation.level", "read_committed");
            try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(properties)) {
                consumer.assign(List.of(partition));
                consumer.seekToBeginning(List.of(partition));
                long end = consumer.endOffsets(List.of(partition)).get(partition);
                while (consumer.position(partition) < end) {
                    consumer.poll(Duration.ofMillis(200)).forEach(record -> keys.add(new String(record.key(), StandardCharsets.UTF_8)));
                }
            }
            rest = new HashSet<>(keys);
            if (keys.size() == rest.size()) {
                return;
            }
            Thread.sleep(300);
        }
        throw new IllegalStateException("not cleaned, left are " + rest);
    }

    // ---- transactions

    static void payments() throws Exception {
        String topic = "payments";
        try (KafkaProducer<byte[], byte[]> north = transactional("payments-north");
             KafkaProducer<byte[], byte[]> south = transactional("payments-south")) {
            north.initTransactions();
            south.initTransactions();
            for (int round = 0; round < 3; round++) {
                north.beginTransaction();
                south.beginTransaction();
                for (int i = 0; i < 2; i++) {
                    send(north, topic, round * HOUR + i, "north-" + round, text("{\"amount\":" + (100 + i) + "}"));
                    north.flush();
                    send(south, topic, round * HOUR + i, "south-" + round, text("{\"amount\":" + (200 + i) + "}"));
                    south.flush();
                }
                end(north, topic, round == 1);
                send(south, topic, round * HOUR + 5, "south-late", text("{\"amount\":7}"));
                end(south, topic, round != 1);
            }
            // Offsets within a transaction: one kept, one not.
            Map<TopicPartition, OffsetAndMetadata> offsets = offsets("orders-none", 5, "with a payment");
            ConsumerGroupMetadata group;
            try (KafkaConsumer<byte[], byte[]> payer = new KafkaConsumer<>(consumerProperties("payers", "classic"))) {
                group = payer.groupMetadata();
            }
            for (boolean commit : new boolean[] {true, false}) {
                north.beginTransaction();
                send(north, topic, 4 * HOUR, "north-offsets", text("{\"amount\":1}"));
                north.sendOffsetsToTransaction(offsets, group);
                end(north, topic, commit);
            }
        }
        try (KafkaProducer<byte[], byte[]> plain = producer("none", "payments-plain")) {
            send(plain, topic, 5 * HOUR, "cash", text("{\"amount\":3}"));
        }
        // A second producer of the same name ends what the first one left open.
        try (KafkaProducer<byte[], byte[]> lost = transactional("payments-lost");
             KafkaProducer<byte[], byte[]> found = transactional("payments-lost")) {
            lost.initTransactions();
            lost.beginTransaction();
            send(lost, topic, 6 * HOUR, "lost", text("{\"amount\":9}"));
            lost.flush();
            found.initTransactions();
        }
    }

    /** Also waits for the marker, which may come after the producer is told: what follows it is then the same in every run. */
    static void end(KafkaProducer<byte[], byte[]> producer, String topic, boolean commit) throws Exception {
        producer.flush();
        long before = endOffset(topic);
        if (commit) {
            producer.commitTransaction();
        } else {
            producer.abortTransaction();
        }
        await("marker", () -> endOffset(topic) > before);
    }

    static long endOffset(String topic) throws Exception {
        TopicPartition partition = new TopicPartition(topic, 0);
        return admin.listOffsets(Map.of(partition, OffsetSpec.latest())).partitionResult(partition).get().offset();
    }

    // ---- groups

    static void classicGroups() throws Exception {
        Properties range = consumerProperties("shop", "classic");
        range.put("partition.assignment.strategy", "org.apache.kafka.clients.consumer.RangeAssignor");
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(range)) {
            consumer.subscribe(List.of("orders-none", "countries"));
            read(consumer, 4);
            consumer.commitSync(offsets("orders-none", 4, "packed up to here, größtenteils"));
            consumer.commitSync(offsets("countries", 1, ""));
        }
        Properties fixed = consumerProperties("stock", "classic");
        fixed.put("group.instance.id", "stock-1");
        // It does not leave when closed; the group forgets it before the next step is over.
        fixed.put("session.timeout.ms", "6000");
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(fixed)) {
            consumer.subscribe(List.of("orders-gzip"));
            read(consumer, 1);
            consumer.commitSync();
        }
        Properties gone = consumerProperties("short-lived", "classic");
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(gone)) {
            consumer.subscribe(List.of("countries"));
            read(consumer, 1);
            consumer.commitSync();
        }
        admin.deleteConsumerGroups(List.of("short-lived")).all().get();
        admin.alterConsumerGroupOffsets("by-hand", offsets("orders-gzip", 2, "by hand")).all().get();
        admin.alterConsumerGroupOffsets("by-hand", offsets("orders-lz4", 3, "")).all().get();
        admin.deleteConsumerGroupOffsets("by-hand", Set.of(new TopicPartition("orders-lz4", 0))).all().get();
    }

    static void consumerGroups() throws Exception {
        try (KafkaConsumer<byte[], byte[]> one = new KafkaConsumer<>(consumerProperties("dispatch", "consumer"));
             KafkaConsumer<byte[], byte[]> two = new KafkaConsumer<>(consumerProperties("dispatch", "consumer"))) {
            one.subscribe(List.of("countries"));
            read(one, 1);
            two.subscribe(List.of("countries"));
            // Both partitions go to the first member; one moves when the second has joined.
            await("two members share", () -> {
                one.poll(Duration.ofMillis(100));
                two.poll(Duration.ofMillis(100));
                return one.assignment().size() == 1 && two.assignment().size() == 1;
            });
            one.commitSync(offsets("countries", one.assignment().iterator().next().partition(), 2, "from dispatch"));
        }
        Properties fixed = consumerProperties("dispatch-pattern", "consumer");
        fixed.put("group.instance.id", "dispatch-7");
        fixed.put("client.rack", "rack-1");
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(fixed)) {
            consumer.subscribe(new SubscriptionPattern("orders-(gzip|lz4)"));
            read(consumer, 1);
            consumer.commitSync();
        }
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(consumerProperties("dispatch-gone", "consumer"))) {
            consumer.subscribe(List.of("countries"));
            read(consumer, 1);
            consumer.commitSync();
        }
        admin.deleteConsumerGroups(List.of("dispatch-gone")).all().get();
    }

    static void shareGroups() throws Exception {
        for (String group : List.of("couriers", "couriers-gone")) {
            setConfig(ConfigResource.Type.GROUP, group, "share.auto.offset.reset", "earliest");
        }
        Properties properties = consumerProperties("couriers", null);
        properties.remove("auto.offset.reset");
        properties.remove("enable.auto.commit");
        properties.put("share.acknowledgement.mode", "explicit");
        // A few at a time: the state is then written several times, and now and then as a whole.
        properties.put("share.acquire.mode", "record_limit");
        properties.put("max.poll.records", "4");
        try (KafkaShareConsumer<byte[], byte[]> consumer = new KafkaShareConsumer<>(properties)) {
            consumer.subscribe(List.of("orders-none"));
            AtomicInteger seen = new AtomicInteger();
            await("records of the share group", () -> {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(200))) {
                    boolean again = record.deliveryCount().orElse((short) 1) > 1;
                    consumer.acknowledge(record, again ? AcknowledgeType.ACCEPT : switch ((int) record.offset() % 4) {
                        case 1 -> AcknowledgeType.RELEASE;
                        case 3 -> AcknowledgeType.REJECT;
                        default -> AcknowledgeType.ACCEPT;
                    });
                    seen.incrementAndGet();
                }
                consumer.commitSync();
                // 14 records, and those of offsets 1, 5, 9 and 13 once more.
                return seen.get() >= 18;
            });
        }
        properties.put("group.id", "couriers-gone");
        properties.put("client.id", "couriers-gone");
        try (KafkaShareConsumer<byte[], byte[]> consumer = new KafkaShareConsumer<>(properties)) {
            consumer.subscribe(List.of("countries"));
            AtomicInteger seen = new AtomicInteger();
            await("records of the other share group", () -> {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(200))) {
                    consumer.acknowledge(record, AcknowledgeType.ACCEPT);
                    seen.incrementAndGet();
                }
                consumer.commitSync();
                return seen.get() >= 4;
            });
        }
        admin.deleteShareGroups(List.of("couriers-gone")).all().get();
        setConfig(ConfigResource.Type.GROUP, "couriers-gone", "share.auto.offset.reset", null);
    }

    static void streamsGroup() throws Exception {
        Path state = Files.createTempDirectory("streams");
        Properties properties = clientProperties("counter");
        properties.put("application.id", "country-counter");
        properties.put("group.protocol", "streams");
        properties.put("state.dir", state.toString());
        properties.put("commit.interval.ms", "200");
        properties.put("auto.offset.reset", "earliest");
        StreamsBuilder builder = new StreamsBuilder();
        builder.stream("countries", Consumed.with(Serdes.String(), Serdes.String()))
            .groupBy((country, visits) -> country.substring(0, 1), Grouped.with("initials", Serdes.String(), Serdes.String()))
            .count(Materialized.<String, Long>as(Stores.inMemoryKeyValueStore("counts"))
                .withKeySerde(Serdes.String()).withValueSerde(Serdes.Long()))
            .toStream().to("country-counts", Produced.with(Serdes.String(), Serdes.Long()));
        try (KafkaStreams streams = new KafkaStreams(builder.build(), properties);
             KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(consumerProperties("counts-check", null))) {
            streams.start();
            consumer.assign(List.of(new TopicPartition("country-counts", 0)));
            consumer.seekToBeginning(consumer.assignment());
            read(consumer, 4);
            streams.close(Duration.ofSeconds(20));
        }
        try (Stream<Path> files = Files.walk(state)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    // ---- cluster metadata

    static void metadata() throws Exception {
        admin.createTopics(List.of(topic("returns", 1), topic("returns-old", 2))).all().get();
        admin.deleteTopics(List.of("returns-old")).all().get();
        admin.createPartitions(Map.of("returns", NewPartitions.increaseTo(3))).all().get();
        setConfig(ConfigResource.Type.TOPIC, "returns", "retention.ms", "86400000");
        setConfig(ConfigResource.Type.TOPIC, "returns", "max.message.bytes", "65536");
        setConfig(ConfigResource.Type.TOPIC, "returns", "max.message.bytes", null);
        setConfig(ConfigResource.Type.BROKER, "", "log.cleaner.threads", "2");
        setConfig(ConfigResource.Type.BROKER, "1", "log.cleaner.io.buffer.size", "262144");
        // Made up; secrets stand in this log as they are.
        setConfig(ConfigResource.Type.BROKER, "1", "listener.name.shop.ssl.keystore.password", "not-a-real-secret");
        setConfig(ConfigResource.Type.CLIENT_METRICS, "shop-metrics", "interval.ms", "60000");
        setConfig(ConfigResource.Type.CLIENT_METRICS, "shop-metrics", "metrics", "org.apache.kafka.producer.");
        admin.deleteRecords(Map.of(new TopicPartition("countries", 1), RecordsToDelete.beforeOffset(2))).all().get();

        List<ClientQuotaAlteration> quotas = new ArrayList<>();
        quotas.add(quota(Map.of("user", "alice"), "producer_byte_rate", 1048576.0));
        quotas.add(quota(Map.of("user", "alice", "client-id", "web"), "request_percentage", 12.5));
        quotas.add(quota(Map.of("ip", "127.0.0.9"), "connection_creation_rate", 50.0));
        Map<String, String> everyone = new HashMap<>();
        everyone.put("user", null);
        quotas.add(quota(everyone, "consumer_byte_rate", 2097152.0));
        admin.alterClientQuotas(quotas).all().get();
        admin.alterClientQuotas(List.of(quota(Map.of("ip", "127.0.0.9"), "connection_creation_rate", null))).all().get();

        AclBinding deny = acl(ResourceType.GROUP, "returns-", PatternType.PREFIXED, AclOperation.READ, AclPermissionType.DENY);
        admin.createAcls(List.of(
            acl(ResourceType.TOPIC, "returns", PatternType.LITERAL, AclOperation.WRITE, AclPermissionType.ALLOW),
            acl(ResourceType.CLUSTER, "kafka-cluster", PatternType.LITERAL, AclOperation.DESCRIBE, AclPermissionType.ALLOW),
            deny)).all().get();
        admin.deleteAcls(List.of(deny.toFilter())).all().get();

        admin.alterUserScramCredentials(List.of(
            new UserScramCredentialUpsertion("bob", new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_512, 4096), "bob-secret"),
            new UserScramCredentialUpsertion("carol", new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_256, 4096), "carol-secret")
        )).all().get();
        admin.alterUserScramCredentials(List.of(
            new UserScramCredentialDeletion("carol", ScramMechanism.SCRAM_SHA_256))).all().get();

        feature("transaction.version", 1, FeatureUpdate.UpgradeType.SAFE_DOWNGRADE);
        feature("transaction.version", 2, FeatureUpdate.UpgradeType.UPGRADE);
    }

    static void feature(String name, int level, FeatureUpdate.UpgradeType type) throws Exception {
        admin.updateFeatures(Map.of(name, new FeatureUpdate((short) level, type)), new UpdateFeaturesOptions()).all().get();
    }

    static ClientQuotaAlteration quota(Map<String, String> entity, String key, Double value) {
        return new ClientQuotaAlteration(new ClientQuotaEntity(entity), List.of(new ClientQuotaAlteration.Op(key, value)));
    }

    static AclBinding acl(ResourceType type, String name, PatternType pattern, AclOperation operation, AclPermissionType permission) {
        return new AclBinding(new ResourcePattern(type, name, pattern),
            new AccessControlEntry("User:dora", "*", operation, permission));
    }

    static void setConfig(ConfigResource.Type type, String resource, String key, String value) throws Exception {
        AlterConfigOp.OpType what = value == null ? AlterConfigOp.OpType.DELETE : AlterConfigOp.OpType.SET;
        Collection<AlterConfigOp> ops = List.of(new AlterConfigOp(new ConfigEntry(key, value == null ? "" : value), what));
        admin.incrementalAlterConfigs(Map.of(new ConfigResource(type, resource), ops)).all().get(20, TimeUnit.SECONDS);
    }

    // ---- clients

    static Properties clientProperties(String clientId) {
        Properties properties = new Properties();
        properties.put("bootstrap.servers", bootstrap);
        properties.put("client.id", clientId);
        return properties;
    }

    /** Batches end where `flush` is called. */
    static Properties producerProperties(String codec, String clientId) {
        Properties properties = clientProperties(clientId);
        properties.put("key.serializer", ByteArraySerializer.class.getName());
        properties.put("value.serializer", ByteArraySerializer.class.getName());
        properties.put("compression.type", codec);
        properties.put("linger.ms", "10000");
        properties.put("batch.size", "500000");
        return properties;
    }

    static KafkaProducer<byte[], byte[]> producer(String codec, String clientId) {
        return new KafkaProducer<>(producerProperties(codec, clientId));
    }

    static KafkaProducer<byte[], byte[]> transactional(String id) {
        Properties properties = producerProperties("none", id);
        properties.put("transactional.id", id);
        return new KafkaProducer<>(properties);
    }

    static Properties consumerProperties(String group, String protocol) {
        Properties properties = clientProperties(group);
        properties.put("key.deserializer", ByteArrayDeserializer.class.getName());
        properties.put("value.deserializer", ByteArrayDeserializer.class.getName());
        properties.put("group.id", group);
        properties.put("auto.offset.reset", "earliest");
        properties.put("enable.auto.commit", "false");
        if (protocol != null) {
            properties.put("group.protocol", protocol);
        }
        return properties;
    }

    static void send(KafkaProducer<byte[], byte[]> producer, String topic, long after, String key, byte[] value, Header... headers) {
        byte[] keyBytes = key == null ? null : text(key);
        producer.send(new ProducerRecord<>(topic, 0, START + after, keyBytes, value, Arrays.asList(headers)), (metadata, error) -> {
            // What is aborted may fail.
            if (error != null && !topic.equals("customers") && !topic.equals("payments")) {
                error.printStackTrace();
            }
        });
    }

    static void read(KafkaConsumer<byte[], byte[]> consumer, int atLeast) throws Exception {
        AtomicInteger seen = new AtomicInteger();
        await("records", () -> seen.addAndGet(consumer.poll(Duration.ofMillis(200)).count()) >= atLeast);
    }

    interface Condition {
        boolean holds() throws Exception;
    }

    static void await(String what, Condition condition) throws Exception {
        long end = System.nanoTime() + Duration.ofSeconds(40).toNanos();
        while (!condition.holds()) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("waited in vain: " + what);
            }
        }
    }

    static Map<TopicPartition, OffsetAndMetadata> offsets(String topic, long offset, String metadata) {
        return offsets(topic, 0, offset, metadata);
    }

    static Map<TopicPartition, OffsetAndMetadata> offsets(String topic, int partition, long offset, String metadata) {
        return Map.of(new TopicPartition(topic, partition), new OffsetAndMetadata(offset, metadata));
    }

    static Header header(String key, byte[] value) {
        return new RecordHeader(key, value);
    }

    static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
