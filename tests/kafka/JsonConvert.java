import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;

/**
 * Reads lines "request|response KEY VERSION HEX" with the bytes of a body, and answers each with the JSON that Kafka's own
 * converter makes of it, or with "unsupported" if this Kafka does not have the message.
 */
public class JsonConvert {
    public static void main(String[] args) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] words = line.split(" ", -1);
            out.println(convert(words[0], Short.parseShort(words[1]), Short.parseShort(words[2]), words[3]));
        }
        out.flush();
    }

    static String convert(String direction, short key, short version, String hex) throws Exception {
        ApiMessage message;
        try {
            ApiMessageType type = ApiMessageType.fromApiKey(key);
            message = direction.equals("request") ? type.newRequest() : type.newResponse();
        } catch (org.apache.kafka.common.errors.UnsupportedVersionException gone) {
            return "unsupported";
        }
        if (version < message.lowestSupportedVersion() || version > message.highestSupportedVersion()) {
            return "unsupported";
        }
        ByteBuffer bytes = ByteBuffer.wrap(HexFormat.of().parseHex(hex));
        message.read(new ByteBufferAccessor(bytes), version);
        if (bytes.hasRemaining()) {
            throw new IllegalStateException(direction + " " + key + " v" + version + " was not read to its end");
        }
        Class<?> converter = Class.forName(message.getClass().getName() + "JsonConverter");
        Method write = converter.getMethod("write", message.getClass(), short.class, boolean.class);
        return write.invoke(null, message, version, false).toString();
    }
}
