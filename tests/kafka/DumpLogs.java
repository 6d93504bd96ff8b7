import java.io.FileOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.tools.DumpLogSegments;

/**
 * Runs Kafka's dump tool on every log file below the current directory; what it prints of FILE goes to FILE.dump. One process
 * for all of them, since starting Java takes longer than dumping.
 */
public class DumpLogs {
    public static void main(String[] args) throws Exception {
        List<Path> files;
        try (Stream<Path> found = Files.walk(Path.of(""))) {
            files = found.filter(Files::isRegularFile)
                .filter(file -> file.toString().matches(".*\\.(log|index|timeindex|txnindex|snapshot|checkpoint)"))
                .sorted().toList();
        }
        PrintStream console = System.err;
        for (Path file : files) {
            try (PrintStream out = new PrintStream(new FileOutputStream(file + ".dump"), false, StandardCharsets.UTF_8)) {
                System.setOut(out);
                // Remarks about gaps, which name absolute paths.
                System.setErr(new PrintStream(OutputStream.nullOutputStream()));
                DumpLogSegments.main(options(file));
            } finally {
                System.setErr(console);
            }
        }
    }

    static String[] options(Path file) {
        String name = file.toString();
        if (!name.endsWith(".log") && !name.endsWith(".checkpoint")) {
            return new String[] {"--files", name};
        }
        String decoder = switch (String.valueOf(file.getParent())) {
            case "__consumer_offsets-0" -> "--offsets-decoder";
            case "__transaction_state-0" -> "--transaction-log-decoder";
            case "__share_group_state-0" -> "--share-group-state-decoder";
            case "__cluster_metadata-0" -> "--cluster-metadata-decoder";
            default -> "--print-data-log";
        };
        return new String[] {"--deep-iteration", decoder, "--files", name};
    }
}
