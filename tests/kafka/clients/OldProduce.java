import java.nio.charset.StandardCharsets;
import java.util.Properties;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A producer from before ApiVersions, which cannot know that the broker no longer takes its Produce v1. Compiled against
 * kafka-clients 0.9.0.1: OldProduce PORT.
 */
public class OldProduce {
    public static void main(String[] args) throws Exception {
        Properties properties = new Properties();
        properties.put("bootstrap.servers", "127.0.0.1:" + args[0]);
        properties.put("client.id", "order-service-old");
        properties.put("retries", "1");
        properties.put("request.timeout.ms", "2000");
        ByteArraySerializer bytes = new ByteArraySerializer();
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(properties, bytes, bytes)) {
            byte[] value = "{\"order\":1001}".getBytes(StandardCharsets.UTF_8);
            System.out.println(producer.send(new ProducerRecord<>("orders", 0, null, value)).get());
        } catch (Exception failed) {
            System.out.println(failed);
        }
    }
}
