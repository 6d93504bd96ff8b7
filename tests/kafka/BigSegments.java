import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * Writes a topic `big-CODEC` with one segment of some size for each codec. Arguments: address of the broker, MiB per segment.
 */
public class BigSegments {
    static final String[] STREETS = {"Mill Lane", "Harbour Road", "Oak Avenue", "Station Square", "Rue du Lac", "Gartenweg", "Via Nuova"};
    static final String[] GOODS = {"lamp", "kettle", "garden chair", "bicycle bell", "notebook", "tea towel", "umbrella", "desk fan"};
    static final String[] STATES = {"new", "paid", "packed", "sent", "delivered", "returned"};

    public static void main(String[] args) throws Exception {
        long size = Long.parseLong(args[1]) << 20;
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", args[0]))) {
            for (String codec : List.of("none", "gzip", "snappy", "lz4", "zstd")) {
                String topic = "big-" + codec;
                admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1).configs(Map.of("retention.ms", "-1")))).all().get();
                System.out.println(topic + ": " + fill(admin, args[0], topic, codec, size) + " records");
            }
        }
    }

    static long fill(Admin admin, String bootstrap, String topic, String codec, long size) throws Exception {
        Properties properties = new Properties();
        properties.put("bootstrap.servers", bootstrap);
        properties.put("key.serializer", StringSerializer.class.getName());
        properties.put("value.serializer", StringSerializer.class.getName());
        properties.put("compression.type", codec);
        properties.put("batch.size", "32768");
        properties.put("linger.ms", "50");
        Random random = new Random(4);
        long records = 0;
        try (KafkaProducer<String, String> producer = new KafkaProducer<>(properties)) {
            while (written(admin, topic) < size) {
                // Little enough that the last round does not go far beyond.
                for (long bytes = 0; bytes < 2 << 20; records++) {
                    String order = order(random, records);
                    bytes += order.length();
                    ProducerRecord<String, String> record = new ProducerRecord<>(topic, 0, 1_717_200_000_000L + records * 7,
                        "customer-" + random.nextInt(50_000), order);
                    if (random.nextInt(4) == 0) {
                        record.headers().add("trace", Long.toHexString(random.nextLong()).getBytes(StandardCharsets.UTF_8));
                    }
                    producer.send(record);
                }
                producer.flush();
            }
        }
        return records;
    }

    static long written(Admin admin, String topic) throws Exception {
        return admin.describeLogDirs(List.of(1)).allDescriptions().get().get(1).values().stream()
            .flatMap(directory -> directory.replicaInfos().entrySet().stream())
            .filter(replica -> replica.getKey().topic().equals(topic))
            .mapToLong(replica -> replica.getValue().size()).sum();
    }

    static String order(Random random, long number) {
        StringBuilder json = new StringBuilder("{\"order\":").append(number)
            .append(",\"reference\":\"").append(Long.toHexString(random.nextLong()))
            .append("\",\"state\":\"").append(STATES[random.nextInt(STATES.length)]).append('"');
        if (random.nextInt(3) > 0) {
            json.append(",\"address\":{\"street\":\"").append(STREETS[random.nextInt(STREETS.length)]).append(' ')
                .append(1 + random.nextInt(300)).append("\",\"postcode\":\"").append(10_000 + random.nextInt(90_000)).append("\"}");
        }
        int items = random.nextInt(8);
        json.append(",\"items\":[");
        for (int i = 0; i < items; i++) {
            json.append(i == 0 ? "" : ",").append("{\"sku\":\"").append(Integer.toHexString(random.nextInt()))
                .append("\",\"name\":\"").append(GOODS[random.nextInt(GOODS.length)])
                .append("\",\"quantity\":").append(1 + random.nextInt(9))
                .append(",\"price\":").append(random.nextInt(20_000) / 100.0).append('}');
        }
        return json.append("]}").toString();
    }
}
