import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.Callable;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsSpec;
import org.apache.kafka.clients.admin.ListShareGroupOffsetsSpec;
import org.apache.kafka.clients.admin.NewPartitionReassignment;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialDeletion;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.TopicCollection;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.apache.kafka.common.quota.ClientQuotaFilter;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** What the Java client says, for record_captures.sh to capture: Captures CASE PORT [SASL-PORT], with the helpers of Clients. */
public class Captures {
    static final String ALICE = " required username=\"alice\" password=\"alice-secret\";";
    static final String MODULE = "org.apache.kafka.common.security.";
    static final TopicPartition ORDERS = new TopicPartition("orders", 0);

    public static void main(String[] args) throws Exception {
        Clients.bootstrap = "127.0.0.1:" + args[1];
        switch (args[0]) {
            case "reset" -> reset();
            case "codecs" -> codecs();
            case "classic-group" -> Clients.group("cooperative", "CooperativeStickyAssignor");
            case "consumer-group" -> consumerGroup();
            case "transactions" -> transactions();
            case "share-group" -> shareGroup();
            case "admin" -> admin();
            case "sasl-plain" -> login("plain", "PLAIN", "plain.PlainLoginModule" + ALICE);
            case "sasl-scram" -> login("scram", "SCRAM-SHA-256", "scram.ScramLoginModule" + ALICE);
            case "errors" -> errors("127.0.0.1:" + args[2]);
            default -> throw new IllegalArgumentException(args[0]);
        }
    }

    /** What a client is refused, and anything else that goes wrong, is told and does not end the rest. */
    static void tell(String what, Callable<?> call) {
        try {
            System.out.println(what + ": " + call.call());
        } catch (Exception failed) {
            System.out.println(what + ": " + failed);
        }
    }

    /** Each capture starts with topics that are new. */
    static void reset() throws Exception {
        try (Admin admin = Admin.create(Clients.properties("shop-admin"))) {
            admin.deleteTopics(admin.listTopics().names().get()).all().get();
        }
        Clients.topics();
    }

    static void codecs() throws Exception {
        for (int codec = 0; codec < Clients.CODECS.length; codec++) {
            String name = Clients.CODECS[codec];
            try (var producer = Clients.producer("order-service-" + name, "compression.type", name)) {
                producer.partitionsFor("orders");
                Clients.orders(codec).forEach(producer::send);
            }
        }
        Clients.fetch();
    }

    /** One member, then a second one, in the protocol of KIP-848. */
    static void consumerGroup() throws Exception {
        List<Clients.Member> members = new ArrayList<>();
        for (int i = 1; i <= 2; i++) {
            Properties properties = Clients.properties("billing-service-" + i, "group.id", "billing",
                    "group.protocol", "consumer", "client.rack", "rack-" + i, "auto.offset.reset", "earliest");
            members.add(new Clients.Member(properties, "orders", "countries"));
            long end = System.currentTimeMillis() + 20_000;
            while (System.currentTimeMillis() < end
                    && (members.stream().mapToInt(member -> member.assigned.size()).sum() != 7
                            || members.stream().anyMatch(member -> member.assigned.isEmpty()))) {
                Thread.sleep(100);
            }
            Thread.sleep(700);
        }
        try (Admin admin = Admin.create(Clients.properties("shop-admin"))) {
            admin.describeConsumerGroups(Set.of("billing")).all().get();
        }
        for (Clients.Member member : members) {
            member.ended = true;
            member.join();
        }
    }

    static ProducerRecord<byte[], byte[]> order(int number, String country) {
        return new ProducerRecord<>("orders", 0, Clients.TIME + number, Clients.bytes("order-" + number),
                Clients.bytes(Clients.order(number, country)));
    }

    /** Reads from partition 0 of orders until there was nothing for a while. */
    static int read(String... more) {
        int count = 0;
        try (var consumer = Clients.consumer(Clients.properties("billing-service", more))) {
            consumer.assign(List.of(ORDERS));
            consumer.seek(ORDERS, 0);
            for (int empty = 0; empty < 2;) {
                int got = consumer.poll(Duration.ofMillis(300)).count();
                count += got;
                empty = got == 0 ? empty + 1 : 0;
            }
        }
        return count;
    }

    static void transactions() {
        try (var producer = Clients.producer("payment-service", "transactional.id", "payments", "compression.type", "lz4")) {
            producer.initTransactions();
            producer.beginTransaction();
            producer.send(order(1001, "DE"));
            producer.send(order(1002, "FR"));
            producer.sendOffsetsToTransaction(Map.of(new TopicPartition("countries", 0), new OffsetAndMetadata(12, "read")),
                    new ConsumerGroupMetadata("payments"));
            producer.commitTransaction();
            producer.beginTransaction();
            producer.send(order(1003, "IT"));
            producer.flush();
            producer.abortTransaction();
        }
        tell("committed", () -> read("isolation.level", "read_committed"));
    }

    static void shareGroup() throws Exception {
        try (Admin admin = Admin.create(Clients.properties("shop-admin"))) {
            set(admin, ConfigResource.Type.GROUP, "packing", "share.auto.offset.reset", "earliest");
        }
        try (var producer = Clients.producer("order-service")) {
            for (int i = 1; i <= 4; i++) {
                producer.send(order(1000 + i, "DE"));
            }
        }
        Properties properties = Clients.properties("packing-service", "group.id", "packing", "share.acknowledgement.mode", "explicit");
        AcknowledgeType[] answers = {AcknowledgeType.ACCEPT, AcknowledgeType.RELEASE, AcknowledgeType.REJECT, AcknowledgeType.ACCEPT};
        try (var consumer = new KafkaShareConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.subscribe(List.of("orders"));
            long end = System.currentTimeMillis() + 20_000;
            // The one that is released comes again.
            for (int seen = 0; seen < 5 && System.currentTimeMillis() < end;) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(500))) {
                    consumer.acknowledge(record, seen < 4 ? answers[seen] : AcknowledgeType.ACCEPT);
                    seen++;
                }
                consumer.commitSync();
            }
            try (Admin admin = Admin.create(Clients.properties("shop-admin"))) {
                tell("group", () -> admin.describeShareGroups(Set.of("packing")).all().get());
                tell("offsets", () -> admin.listShareGroupOffsets(Map.of("packing", new ListShareGroupOffsetsSpec())).all().get());
            }
        }
    }

    static void set(Admin admin, ConfigResource.Type type, String resource, String name, String value) throws Exception {
        AlterConfigOp operation = new AlterConfigOp(new ConfigEntry(name, value), AlterConfigOp.OpType.SET);
        admin.incrementalAlterConfigs(Map.of(new ConfigResource(type, resource), List.of(operation))).all().get();
    }

    static AclBinding acl(String topic, AclOperation operation, AclPermissionType permission) {
        return new AclBinding(new ResourcePattern(ResourceType.TOPIC, topic, PatternType.LITERAL),
                new AccessControlEntry("User:alice", "*", operation, permission));
    }

    /** Nothing here asks for a broker's log directories, nor for all its settings: both have the paths of this machine. */
    static void admin() throws Exception {
        TopicPartition refunds = new TopicPartition("refunds", 0);
        ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, "refunds");
        try (Admin admin = Admin.create(Clients.properties("shop-admin"))) {
            tell("cluster", () -> admin.describeCluster().nodes().get());
            tell("features", () -> admin.describeFeatures().featureMetadata().get());
            tell("quorum", () -> admin.describeMetadataQuorum().quorumInfo().get());
            tell("create topic", () -> admin.createTopics(List.of(
                    new NewTopic("refunds", 2, (short) 1).configs(Map.of("cleanup.policy", "compact,delete")))).all().get());
            tell("topics", () -> admin.listTopics().names().get());
            tell("topic", () -> admin.describeTopics(TopicCollection.ofTopicNames(List.of("refunds"))).allTopicNames().get());
            tell("partitions", () -> admin.createPartitions(Map.of("refunds", NewPartitions.increaseTo(3))).all().get());
            tell("set", () -> {
                set(admin, ConfigResource.Type.TOPIC, "refunds", "retention.ms", "604800000");
                return null;
            });
            tell("configs", () -> admin.describeConfigs(List.of(topic)).all().get().size());
            tell("config resources", () -> admin.listConfigResources().all().get());
            try (var producer = Clients.producer("order-service")) {
                for (int i = 0; i < 3; i++) {
                    producer.send(new ProducerRecord<>("refunds", 0, Clients.TIME + i, Clients.bytes("order-" + i), Clients.bytes("7.50")));
                }
            }
            tell("offsets", () -> admin.listOffsets(Map.of(refunds, OffsetSpec.latest())).all().get());
            tell("delete records", () -> admin.deleteRecords(Map.of(refunds, RecordsToDelete.beforeOffset(2))).all().get());
            tell("producers", () -> admin.describeProducers(List.of(refunds)).all().get());
            tell("transactions", () -> admin.listTransactions().all().get());
            tell("alter group offsets", () ->
                    admin.alterConsumerGroupOffsets("refunding", Map.of(refunds, new OffsetAndMetadata(2, "by hand"))).all().get());
            tell("group offsets", () -> admin.listConsumerGroupOffsets(
                    Map.of("refunding", new ListConsumerGroupOffsetsSpec())).all().get());
            tell("groups", () -> admin.listGroups().all().get());
            tell("group", () -> admin.describeClassicGroups(Set.of("refunding")).all().get());
            tell("delete group offsets", () -> admin.deleteConsumerGroupOffsets("refunding", Set.of(refunds)).all().get());
            tell("delete group", () -> admin.deleteConsumerGroups(Set.of("refunding")).all().get());
            tell("create acl", () -> admin.createAcls(
                    List.of(acl("refunds", AclOperation.READ, AclPermissionType.ALLOW))).all().get());
            tell("acls", () -> admin.describeAcls(AclBindingFilter.ANY).values().get());
            tell("delete acls", () -> admin.deleteAcls(List.of(AclBindingFilter.ANY)).all().get());
            ClientQuotaEntity everyone = new ClientQuotaEntity(Map.of(ClientQuotaEntity.CLIENT_ID, "order-service"));
            tell("alter quota", () -> admin.alterClientQuotas(List.of(new ClientQuotaAlteration(everyone,
                    List.of(new ClientQuotaAlteration.Op("producer_byte_rate", 1_048_576.0))))).all().get());
            tell("quotas", () -> admin.describeClientQuotas(ClientQuotaFilter.all()).entities().get());
            tell("remove quota", () -> admin.alterClientQuotas(List.of(new ClientQuotaAlteration(everyone,
                    List.of(new ClientQuotaAlteration.Op("producer_byte_rate", null))))).all().get());
            tell("create user", () -> admin.alterUserScramCredentials(List.of(new UserScramCredentialUpsertion("bob",
                    new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_256, 4096), "bob-secret"))).all().get());
            tell("users", () -> admin.describeUserScramCredentials().all().get());
            tell("delete user", () -> admin.alterUserScramCredentials(
                    List.of(new UserScramCredentialDeletion("bob", ScramMechanism.SCRAM_SHA_256))).all().get());
            tell("elect", () -> admin.electLeaders(ElectionType.PREFERRED, Set.of(refunds)).partitions().get());
            tell("reassign", () -> admin.alterPartitionReassignments(
                    Map.of(refunds, Optional.of(new NewPartitionReassignment(List.of(1))))).all().get());
            tell("reassignments", () -> admin.listPartitionReassignments().reassignments().get());
            tell("tokens", () -> admin.describeDelegationToken().delegationTokens().get());
            tell("delete topic", () -> admin.deleteTopics(List.of("refunds")).all().get());
        }
    }

    static String[] as(String mechanism, String login) {
        return new String[] {"security.protocol", "SASL_PLAINTEXT", "sasl.mechanism", mechanism, "sasl.jaas.config", MODULE + login};
    }

    /** Logs in, writes and reads: authentication comes before anything else on each connection. */
    static void login(String name, String mechanism, String login) {
        String[] settings = as(mechanism, login);
        try (var producer = Clients.producer("order-service-" + name, settings)) {
            producer.send(order(1001, "DE"));
        }
        tell("read", () -> read(settings));
    }

    static void errors(String sasl) throws Exception {
        try (Admin admin = Admin.create(Clients.properties("shop-admin"))) {
            tell("unknown topic", () -> admin.describeTopics(List.of("no-such-topic")).allTopicNames().get());
            tell("topic exists", () -> admin.createTopics(List.of(new NewTopic("orders", 1, (short) 1))).all().get());
            tell("too many replicas", () -> admin.createTopics(List.of(new NewTopic("refunds", 1, (short) 3))).all().get());
            tell("unknown setting", () -> {
                set(admin, ConfigResource.Type.TOPIC, "orders", "no.such.setting", "1");
                return null;
            });
            set(admin, ConfigResource.Type.TOPIC, "countries", "max.message.bytes", "100");
            // Without the first, the topic would be withheld already in Metadata.
            admin.createAcls(List.of(acl("orders", AclOperation.DESCRIBE, AclPermissionType.ALLOW),
                    acl("orders", AclOperation.WRITE, AclPermissionType.DENY))).all().get();
        }
        try (var producer = Clients.producer("order-service")) {
            tell("too large", () ->
                    producer.send(new ProducerRecord<>("countries", 0, Clients.TIME, null, Clients.bytes("Germany ".repeat(30)))).get());
        }
        try (var producer = Clients.producer("order-service-acks-0", "acks", "0", "enable.idempotence", "false")) {
            producer.send(order(1001, "DE")).get();
            // The broker cannot tell, so it ends the connection.
            producer.send(new ProducerRecord<>("countries", 0, Clients.TIME, null, Clients.bytes("Germany ".repeat(30)))).get();
            Thread.sleep(500);
        }
        try (var consumer = Clients.consumer(Clients.properties("billing-service", "auto.offset.reset", "none"))) {
            consumer.assign(List.of(ORDERS));
            consumer.seek(ORDERS, 1_000_000);
            tell("offset out of range", () -> consumer.poll(Duration.ofSeconds(5)).count());
        }
        wrongGeneration();
        Clients.bootstrap = sasl;
        try (var producer = Clients.producer("order-service-alice", as("PLAIN", "plain.PlainLoginModule" + ALICE))) {
            tell("not authorized", () -> producer.send(order(1002, "DE")).get());
        }
        Clients.login("wrong-password", "PLAIN", MODULE + "plain.PlainLoginModule required username=\"alice\" password=\"wrong\";");
    }

    /** A member's id is right, but not the generation of the group. */
    static void wrongGeneration() {
        Properties properties = Clients.properties("billing-service-group", "group.id", "billing-errors", "group.protocol", "classic");
        try (var consumer = Clients.consumer(properties);
                var producer = Clients.producer("payment-service", "transactional.id", "refunding")) {
            consumer.subscribe(List.of("countries"));
            long end = System.currentTimeMillis() + 10_000;
            while (consumer.assignment().isEmpty() && System.currentTimeMillis() < end) {
                consumer.poll(Duration.ofMillis(100));
            }
            ConsumerGroupMetadata group = consumer.groupMetadata();
            producer.initTransactions();
            producer.beginTransaction();
            tell("wrong generation", () -> {
                producer.sendOffsetsToTransaction(Map.of(new TopicPartition("countries", 0), new OffsetAndMetadata(1)),
                        new ConsumerGroupMetadata(group.groupId(), group.generationId() + 7, group.memberId(), Optional.empty()));
                return null;
            });
            producer.abortTransaction();
        }
    }
}
