import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import kafka.common.LongRef;
import kafka.log.LogValidator$;
import kafka.message.CompressionCodec$;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.CompressionType;
import org.apache.kafka.common.record.MemoryRecords;
import org.apache.kafka.common.record.MemoryRecordsBuilder;
import org.apache.kafka.common.record.Record;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.requests.AbstractRequestResponse;
import org.apache.kafka.common.requests.FetchRequest;
import org.apache.kafka.common.requests.FetchResponse;
import org.apache.kafka.common.requests.ProduceRequest;
import org.apache.kafka.common.requests.ProduceResponse;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.requests.ResponseHeader;

/**
 * Message sets of magic 1 in each codec, by the classes of Kafka 0.10.2.1: Produce v2 as the producer wrote it, Fetch v2 as the
 * broker stored it, and Fetch v1 with the sets of magic 0 that OlderMessageSets left in FOLDER/sets: OldMessageSets FOLDER.
 */
public class OldMessageSets {
    static final long TIME = 1_700_000_000_000L;
    static final long NEXT_OFFSET = 100;
    static final TopicPartition PARTITION = new TopicPartition("orders", 0);

    static int correlation = 1;
    static Path folder;

    public static void main(String[] args) throws Exception {
        folder = Path.of(args[0]);
        for (CompressionType codec : CompressionType.values()) {
            MemoryRecords sent = sent(codec);
            produce("java_0_10_produce_" + codec.name, sent);
            fetch("java_0_10_fetch_" + codec.name, 2, stored(sent(codec), codec, Record.MAGIC_VALUE_V1, TimestampType.CREATE_TIME));
            MemoryRecords older = MemoryRecords.readableRecords(ByteBuffer.wrap(Files.readAllBytes(folder.resolve("sets/" + codec.name))));
            fetch("java_0_10_fetch_magic_0_" + codec.name, 1, stored(older, codec, Record.MAGIC_VALUE_V0, TimestampType.CREATE_TIME));
        }
        fetch("java_0_10_fetch_append_time", 2,
                stored(sent(CompressionType.GZIP), CompressionType.GZIP, Record.MAGIC_VALUE_V1, TimestampType.LOG_APPEND_TIME));
    }

    static MemoryRecords sent(CompressionType codec) {
        MemoryRecordsBuilder builder = MemoryRecords.builder(ByteBuffer.allocate(4096), codec, TimestampType.CREATE_TIME);
        builder.append(TIME, bytes("order-1001"), bytes(order(1001, "DE")));
        builder.append(TIME + 20, bytes("order-1002"), bytes(order(1002, "FR")));
        builder.append(TIME + 35, bytes("order-1001"), null);
        builder.append(TIME + 10, null, bytes(order(1003, "DE")));
        return builder.build();
    }

    /** What the broker's own validation makes of a set whose first offset is to be NEXT_OFFSET. */
    static MemoryRecords stored(MemoryRecords records, CompressionType codec, byte magic, TimestampType timestamps) {
        var broker = CompressionCodec$.MODULE$.getCompressionCodec(codec.id);
        return LogValidator$.MODULE$.validateMessagesAndAssignOffsets(
                records, new LongRef(NEXT_OFFSET), TIME + 1000, broker, broker, false, magic, timestamps, Long.MAX_VALUE)
                .validatedRecords();
    }

    static void produce(String name, MemoryRecords records) throws Exception {
        ProduceRequest request = new ProduceRequest.Builder((short) -1, 30_000, Map.of(PARTITION, records)).build();
        var outcome = new ProduceResponse.PartitionResponse(Errors.NONE, NEXT_OFFSET, Record.NO_TIMESTAMP);
        write(name, 0, request.version(), request, new ProduceResponse(Map.of(PARTITION, outcome), 0, request.version()));
    }

    static void fetch(String name, int version, MemoryRecords records) throws Exception {
        LinkedHashMap<TopicPartition, FetchRequest.PartitionData> wanted = new LinkedHashMap<>();
        wanted.put(PARTITION, new FetchRequest.PartitionData(NEXT_OFFSET, 1_048_576));
        LinkedHashMap<TopicPartition, FetchResponse.PartitionData> found = new LinkedHashMap<>();
        found.put(PARTITION, new FetchResponse.PartitionData(Errors.NONE.code(), NEXT_OFFSET + 4, records));
        FetchRequest request = new FetchRequest.Builder(500, 1, wanted).setVersion((short) version).build();
        write(name, 1, (short) version, request, new FetchResponse(version, found, 0));
    }

    static void write(String name, int key, short version, AbstractRequestResponse request, AbstractRequestResponse response)
            throws Exception {
        ByteBuffer frames = ByteBuffer.allocate(8192);
        put(frames, new RequestHeader((short) key, version, key == 0 ? "order-service" : "billing-service", ++correlation), request);
        put(frames, new ResponseHeader(correlation), response);
        byte[] written = new byte[frames.flip().remaining()];
        frames.get(written);
        Files.write(folder.resolve(name + ".bin"), written);
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
