import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.ThreadMetadata;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.state.Stores;

/** Two instances that count the records of each country, in two tasks with a standby each: StreamsApp PORT FOLDER. */
public class StreamsApp {
    public static void main(String[] args) throws Exception {
        StreamsBuilder builder = new StreamsBuilder();
        builder.<byte[], byte[]>stream("countries").groupByKey()
                .count(Materialized.as(Stores.inMemoryKeyValueStore("per-country")));
        List<KafkaStreams> instances = new ArrayList<>();
        for (int i = 1; i <= 2; i++) {
            Properties properties = new Properties();
            properties.put("application.id", "country-counts");
            properties.put("client.id", "country-counts-" + i);
            properties.put("bootstrap.servers", "127.0.0.1:" + args[0]);
            properties.put("group.protocol", "classic");
            properties.put("application.server", "127.0.0.1:" + (8080 + i));
            properties.put("num.standby.replicas", "1");
            properties.put("client.tag.zone", "zone-" + i);
            properties.put("rack.aware.assignment.tags", "zone");
            properties.put("replication.factor", "1");
            properties.put("state.dir", Path.of(args[1], "instance-" + i).toString());
            properties.put("default.key.serde", Serdes.ByteArraySerde.class.getName());
            properties.put("default.value.serde", Serdes.ByteArraySerde.class.getName());
            properties.put("auto.offset.reset", "earliest");
            properties.put("heartbeat.interval.ms", "500");
            // How far standbys are would else be asked for in further rebalances.
            properties.put("probing.rebalance.interval.ms", "60000");
            properties.put("enable.metrics.push", "false");
            KafkaStreams instance = new KafkaStreams(builder.build(), properties);
            instance.start();
            instances.add(instance);
            long end = System.currentTimeMillis() + 20_000;
            while (System.currentTimeMillis() < end && !shared(instances)) {
                Thread.sleep(200);
            }
            Thread.sleep(2000);
        }
        instances.forEach(KafkaStreams::close);
    }

    static boolean shared(List<KafkaStreams> instances) {
        return instances.stream().allMatch(instance -> instance.state() == KafkaStreams.State.RUNNING
                && instance.metadataForLocalThreads().stream().mapToInt(StreamsApp::active).sum() > 0);
    }

    static int active(ThreadMetadata thread) {
        return thread.activeTasks().size();
    }
}
