import java.util.Properties;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * How clients before Kafka 1.0 log in: SaslHandshake v0, then tokens without a header. Compiled against kafka-clients 0.10.2.1:
 * OldLogin PORT. SCRAM needs jaxb-api on the class path, which Java itself had at that time.
 */
public class OldLogin {
    public static void main(String[] args) throws Exception {
        String module = "org.apache.kafka.common.security.";
        String user = " required username=\"alice\" password=\"alice-secret\";";
        login(args[0], "plain", "PLAIN", module + "plain.PlainLoginModule" + user);
        login(args[0], "scram", "SCRAM-SHA-256", module + "scram.ScramLoginModule" + user);
        login(args[0], "failed", "PLAIN", module + "plain.PlainLoginModule required username=\"alice\" password=\"wrong\";");
    }

    static void login(String port, String name, String mechanism, String jaas) throws Exception {
        Properties properties = new Properties();
        properties.put("bootstrap.servers", "127.0.0.1:" + port);
        properties.put("client.id", "billing-service-old-" + name);
        properties.put("group.id", "billing-old");
        properties.put("security.protocol", "SASL_PLAINTEXT");
        properties.put("sasl.mechanism", mechanism);
        properties.put("sasl.jaas.config", jaas);
        // A login that fails looks like a lost connection here, and is tried again for ever.
        Thread attempt = new Thread(() -> {
            ByteArrayDeserializer bytes = new ByteArrayDeserializer();
            try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(properties, bytes, bytes)) {
                System.out.println(name + " " + consumer.listTopics().keySet());
            } catch (RuntimeException failed) {
                System.out.println(name + " " + failed);
            }
        });
        attempt.setDaemon(true);
        attempt.start();
        attempt.join(4000);
    }
}
