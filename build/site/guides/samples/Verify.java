import java.math.BigDecimal;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

public class Verify {
    static final String SERVICE = "BASE_URL";
    static final List<String> mismatches = new ArrayList<>();

    public static void main(String[] args) throws Exception {
        var folder = Path.of(args.length > 0 ? args[0] : "copy/EXAM/YEAR/SHIFT");
        // The checksum of each subject, as computed.
        var checksums = new TreeMap<String, Object>();
        var year = "";
        var diagrams = 0;
        List<Path> files;
        try (var all = Files.list(folder)) {
            files = all.filter(file -> file.toString().endsWith(".json")).sorted().toList();
        }
        for (var file : files) {
            var name = file.getFileName().toString();
            try {
                var paper = object(new Json(Files.readString(file)).read());
                year = paper.get("exam") + "/" + paper.get("year");
                var actual = checksum(bytes(canonical(paper.get("questions"))));
                // A translation is not part of the shift's checksum.
                if (!paper.containsKey("language"))
                    checksums.put((String) paper.get("subject"), actual);
                compare(name, actual, object(paper.get("metadata")).get("checksum"));
                for (var diagram : diagramsOf(paper)) {
                    var image = folder.resolve("diagrams/" + diagram.get("file"));
                    if (!Files.exists(image)) continue;
                    var sum = checksum(Files.readAllBytes(image));
                    compare(diagram.get("file"), sum, diagram.get("checksum"));
                    diagrams += 1;
                }
            } catch (Exception error) {
                mismatches.add(name + " is not a complete paper: " + error);
            }
        }

        // The checksums of shifts are public: they show that the papers are those of the service.
        var shift = folder.getFileName().toString();
        var request = HttpRequest.newBuilder(URI.create(SERVICE + "/" + year)).build();
        var answer = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
        var told = object(new Json(answer.body()).read());
        Object expected = null;
        for (var each : list(told.getOrDefault("shifts", List.of())))
            if (object(each).get("shift").equals(shift)) expected = object(each).get("checksum");
        compare("The shift " + shift, checksum(bytes(canonical(checksums))), expected);

        mismatches.forEach(System.err::println);
        if (!mismatches.isEmpty()) System.exit(1);
        var papers = checksums.size();
        System.out.printf("%s matches. Papers: %d, diagrams: %d.%n", shift, papers, diagrams);
    }

    /** The diagrams of the passages, questions and options of a paper. */
    static List<Map<String, Object>> diagramsOf(Map<String, Object> paper) {
        var found = new ArrayList<Map<String, Object>>();
        var owners = new ArrayList<Object>(list(paper.getOrDefault("passages", List.of())));
        owners.addAll(list(paper.get("questions")));
        for (var owner : owners) {
            for (var diagram : list(object(owner).get("diagrams"))) found.add(object(diagram));
            for (var option : list(object(owner).getOrDefault("options", List.of())))
                if (object(option).containsKey("diagram"))
                    found.add(object(object(option).get("diagram")));
        }
        return found;
    }

    static void compare(Object name, String actual, Object expected) {
        if (actual.equals(expected)) return;
        mismatches.add(name + " has the checksum " + actual + ", not " + expected + ".");
    }

    static String checksum(byte[] data) throws Exception {
        var digest = MessageDigest.getInstance("SHA-256").digest(data);
        return HexFormat.of().formatHex(digest).substring(0, CHECKSUM_LENGTH);
    }

    /** Canonical JSON (RFC 8785) of strings, numbers, true, lists and objects. */
    static String canonical(Object value) {
        if (value instanceof String text) return quoted(text);
        if (value instanceof List<?> list)
            return list.stream()
                .map(Verify::canonical)
                .collect(Collectors.joining(",", "[", "]"));
        if (value instanceof Map<?, ?> map) // A TreeMap: its names are sorted as the RFC requires.
            return map.entrySet().stream()
                .map(each -> quoted((String) each.getKey()) + ":" + canonical(each.getValue()))
                .collect(Collectors.joining(",", "{", "}"));
        return String.valueOf(value);
    }

    /** Escapes only what must be escaped. */
    static String quoted(String text) {
        var out = new StringBuilder("\"");
        for (char sign : text.toCharArray()) {
            int escape = "\b\t\n\f\r\"\\".indexOf(sign);
            if (escape >= 0) out.append('\\').append("btnfr\"\\".charAt(escape));
            else if (sign < ' ') out.append(String.format("\\u%04x", (int) sign));
            else out.append(sign);
        }
        return out.append('"').toString();
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> object(Object value) {
        return (Map<String, Object>) value;
    }

    static List<?> list(Object value) {
        return (List<?>) value;
    }

    /** Parses JSON, because Java has no parser of its own. */
    static class Json {
        final String text;
        int at = 0;

        Json(String text) {
            this.text = text;
        }

        Object read() {
            switch (next()) {
                case '{':
                    var map = new TreeMap<String, Object>();
                    for (at += 1; next() != '}'; ) {
                        var name = (String) read();
                        next(); // The colon
                        at += 1;
                        map.put(name, read());
                        if (next() == ',') at += 1;
                    }
                    at += 1;
                    return map;
                case '[':
                    var list = new ArrayList<Object>();
                    for (at += 1; next() != ']'; ) {
                        list.add(read());
                        if (next() == ',') at += 1;
                    }
                    at += 1;
                    return list;
                case '"':
                    return string();
                default:
                    int start = at;
                    while (at < text.length() && ",]} \t\r\n".indexOf(text.charAt(at)) < 0)
                        at += 1;
                    var word = text.substring(start, at);
                    if (word.equals("null")) return null;
                    if (word.equals("true") || word.equals("false")) return word.equals("true");
                    return new BigDecimal(word);
            }
        }

        String string() {
            var out = new StringBuilder();
            for (at += 1; text.charAt(at) != '"'; at += 1) {
                if (text.charAt(at) != '\\') {
                    out.append(text.charAt(at));
                    continue;
                }
                at += 1;
                int escape = "btnfr".indexOf(text.charAt(at));
                if (text.charAt(at) == 'u') {
                    out.append((char) Integer.parseInt(text.substring(at + 1, at + 5), 16));
                    at += 4;
                } else if (escape < 0) out.append(text.charAt(at));
                else out.append("\b\t\n\f\r".charAt(escape));
            }
            at += 1;
            return out.toString();
        }

        /** The next character that is not whitespace. */
        char next() {
            while (" \t\r\n".indexOf(text.charAt(at)) >= 0) at += 1;
            return text.charAt(at);
        }
    }
}
