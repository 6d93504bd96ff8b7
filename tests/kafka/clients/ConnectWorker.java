import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.connect.cli.ConnectDistributed;
import org.apache.kafka.connect.connector.Task;
import org.apache.kafka.connect.runtime.Connect;
import org.apache.kafka.connect.source.SourceConnector;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.source.SourceTask;

/**
 * Distributed workers with a connector that has two tasks: ConnectWorker PORT eager|compatible|sessioned. A second worker
 * joins, so that what there is gets shared.
 */
public class ConnectWorker {
    public static void main(String[] args) throws Exception {
        String protocol = args[1];
        Connect<?> first = worker(args[0], protocol, 1, 18083);
        String connector = "{\"name\":\"country-feed\",\"config\":{\"connector.class\":\"ConnectWorker$Feed\",\"tasks.max\":\"2\"}}";
        post("http://127.0.0.1:18083/connectors", connector);
        Thread.sleep(6000);
        Connect<?> second = worker(args[0], protocol, 2, 18084);
        Thread.sleep(9000);
        second.stop();
        first.stop();
        // Workers take their time to end, and what they say then is of no use.
        Runtime.getRuntime().halt(0);
    }

    static Connect<?> worker(String port, String protocol, int number, int restPort) {
        Map<String, String> properties = new HashMap<>();
        properties.put("bootstrap.servers", "127.0.0.1:" + port);
        properties.put("client.id", "feed-worker-" + protocol + "-" + number);
        properties.put("group.id", "feeds-" + protocol);
        properties.put("connect.protocol", protocol);
        properties.put("listeners", "http://127.0.0.1:" + restPort);
        properties.put("rest.advertised.host.name", "127.0.0.1");
        properties.put("scheduled.rebalance.max.delay.ms", "1000");
        properties.put("heartbeat.interval.ms", "500");
        properties.put("plugin.discovery", "only_scan");
        for (String converter : List.of("key.converter", "value.converter")) {
            properties.put(converter, "org.apache.kafka.connect.json.JsonConverter");
        }
        for (String storage : List.of("config", "offset", "status")) {
            properties.put(storage + ".storage.topic", "feeds-" + protocol + "-" + storage);
            properties.put(storage + ".storage.replication.factor", "1");
            if (!storage.equals("config")) {
                properties.put(storage + ".storage.partitions", "1");
            }
        }
        return new ConnectDistributed().startConnect(properties);
    }

    static void post(String address, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(address)).header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body)).build();
        for (int attempt = 0; attempt < 20; attempt++) {
            HttpResponse<String> response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
            System.out.println(response.statusCode() + " " + response.body());
            if (response.statusCode() == 201) {
                return;
            }
            Thread.sleep(500);
        }
    }

    /** A source that has nothing to say. */
    public static class Feed extends SourceConnector {
        @Override
        public void start(Map<String, String> properties) {}

        @Override
        public Class<? extends Task> taskClass() {
            return FeedTask.class;
        }

        @Override
        public List<Map<String, String>> taskConfigs(int maxTasks) {
            return List.of(Map.of("country", "DE"), Map.of("country", "FR"));
        }

        @Override
        public void stop() {}

        @Override
        public ConfigDef config() {
            return new ConfigDef();
        }

        @Override
        public String version() {
            return "1";
        }
    }

    public static class FeedTask extends SourceTask {
        @Override
        public void start(Map<String, String> properties) {}

        @Override
        public List<SourceRecord> poll() throws InterruptedException {
            Thread.sleep(200);
            return null;
        }

        @Override
        public void stop() {}

        @Override
        public String version() {
            return "1";
        }
    }
}
