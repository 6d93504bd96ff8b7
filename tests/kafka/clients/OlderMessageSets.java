import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.record.CompressionType;
import org.apache.kafka.common.record.MemoryRecords;
import org.apache.kafka.common.requests.AbstractRequestResponse;
import org.apache.kafka.common.requests.ProduceRequest;
import org.apache.kafka.common.requests.ProduceResponse;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.requests.ResponseHeader;

/**
 * Produce v1 with message sets of magic 0 in each codec, by the classes of kafka-clients 0.9.0.1: OlderMessageSets FOLDER.
 * The sets alone go to FOLDER/sets, for OldMessageSets to store as a broker did.
 */
public class OlderMessageSets {
    public static void main(String[] args) throws Exception {
        Path folder = Path.of(args[0]);
        Files.createDirectories(folder.resolve("sets"));
        int correlation = 1;
        for (CompressionType codec : CompressionType.values()) {
            MemoryRecords records = MemoryRecords.emptyRecords(ByteBuffer.allocate(4096), codec);
            // That producer gave every message offset 0, and the wrapper the count less one.
            records.append(0, bytes("order-1001"), bytes(order(1001, "DE")));
            records.append(0, bytes("order-1002"), bytes(order(1002, "FR")));
            records.append(0, bytes("order-1001"), null);
            records.append(0, null, bytes(order(1003, "DE")));
            records.close();
            ByteBuffer set = records.buffer();
            byte[] copy = new byte[set.remaining()];
            set.duplicate().get(copy);
            Files.write(folder.resolve("sets/" + codec.name), copy);

            TopicPartition partition = new TopicPartition("orders", 0);
            ByteBuffer frames = ByteBuffer.allocate(8192);
            put(frames, new RequestHeader(ApiKeys.PRODUCE.id, "order-service", ++correlation),
                    new ProduceRequest((short) 1, 30_000, Map.of(partition, set)));
            put(frames, new ResponseHeader(correlation),
                    new ProduceResponse(Map.of(partition, new ProduceResponse.PartitionResponse((short) 0, 100)), 0));
            byte[] written = new byte[frames.flip().remaining()];
            frames.get(written);
            Files.write(folder.resolve("java_0_9_produce_" + codec.name + ".bin"), written);
        }
    }

    static void put(ByteBuffer frames, AbstractRequestResponse header, AbstractRequestResponse body) {
        frames.putInt(header.sizeOf() + body.sizeOf());
        header.writeTo(frames);
        body.writeTo(frames);
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static String order(int number, String country) {
        StringBuilder text = new StringBuilder("{\"order\":" + number + ",\"country\":\"" + country + "\",\"items\":[");
        for (int i = 1; i <= 4; i++) {
            text.append(i == 1 ? "" : ",").append("{\"article\":\"A-").append(100 + i).append("\",\"count\":").append(i).append('}');
        }
        return text.append("]}").toString();
    }
}
