import java.io.*;
import java.math.BigInteger;
import java.nio.file.*;
import java.util.*;
import java.util.function.*;

/**
 * Runs the test vectors of `cargo dtest gen --emit vectors` on a port. A unit with several results returns a list, a
 * constructor its object. Values: Boolean, BigInteger, String (`char`, `seq<char>`), List (`seq`, array, tuple, and the
 * numerator and denominator of a `real`), Set, Map (`map`, `multiset` with counts), null, Unit (functions), and Data for
 * datatypes without an adapter.
 */
public record Vectors(Map<String, Unit> units, Map<String, Kind> classes, Map<String, Datatype> datatypes) {
    public interface Unit { Object call(Object... args) throws Exception; }
    public record Data(String constructor, Map<String, Object> fields) {}
    public record Datatype(Function<Data, Object> make, Function<Object, Data> take) {}
    /** A class: `read` returns the fields; `make` and `write` create objects that no calls lead to, and may be null. */
    public record Kind(Function<Object, Map<String, Object>> read, Supplier<Object> make, BiConsumer<Object, Map<String, Object>> write) {}
    /** Runs the tests of these files, and returns the exit code. */
    public int run(String... files) throws IOException {
        var counts = new TreeMap<String, Integer>(Map.of("passed", 0, "FAILED", 0, "not run", 0));
        for (String path : files) {
            List<Map<String, Object>> lines = Files.readAllLines(Path.of(path)).stream().map(l -> Inputs.map(Json.parse(l))).toList();
            if (!BigInteger.ONE.equals(lines.get(0).get("schema"))) throw new IOException(path + ": this runner reads schema 1");
            for (Map<String, Object> test : lines.subList(1, lines.size())) {
                String verdict = "passed", reason = "";
                try { new Run(test).run(); } catch (Exception | AssertionError | StackOverflowError why) {
                    verdict = why instanceof Inputs.NotRun ? "not run" : "FAILED";
                    reason = " (" + (why instanceof Inputs.NotRun || why instanceof AssertionError ? why.getMessage() : why) + ")";
                }
                counts.merge(verdict, 1, Integer::sum);
                System.out.println(test.get("test") + ": " + verdict + reason);
            }
        }
        System.out.printf("%d passed, %d failed, %d not run%n", counts.get("passed"), counts.get("FAILED"), counts.get("not run"));
        return counts.get("FAILED") > 0 || counts.get("passed") == 0 ? 1 : 0;
    }

    private class Run extends Inputs {
        final Set<Object> compared = new HashSet<>();

        Run(Map<String, Object> test) { super(Vectors.this, test); }

        void run() throws Exception {
            if (!list(test.get("answers")).isEmpty()) throw new NotRun("it needs the answers of external code or of a mock");
            var args = new ArrayList<>();
            for (Object input : list(test.get("inputs"))) args.add(value(map(input).get("value")));
            Unit unit = unit(test.get("unit"));
            var output = new ByteArrayOutputStream();
            PrintStream out = System.out;
            Object got;
            try {
                System.setOut(new PrintStream(output, true, "UTF-8"));
                got = unit.call(args.toArray());
            } catch (Exception | StackOverflowError halt) { // Any exception is a halt of the unit.
                if (!test.get("outcome").equals("returns")) return;
                throw halt;
            } finally { System.setOut(out); }
            check(false, test.get("outcome").equals("halts"), "halt at " + test.get("halts_at"));
            List<Object> wanted = list(test.get("results"));
            for (int i = 0; i < wanted.size(); i++) {
                Map<String, Object> want = map(wanted.get(i));
                compare(want.get("value"), wanted.size() > 1 ? list(got).get(i) : got, (String) want.get("name"));
            }
            for (Object id : after.keySet()) state(id, "object " + id);
            if (test.containsKey("output")) check(test.get("output"), output.toString("UTF-8"), "output");
        }

        void compare(Object want, Object got, String place) throws Exception {
            String kind = want instanceof Map ? map(want).keySet().iterator().next() : "";
            Object of = kind.isEmpty() ? want : map(want).get(kind);
            if (kind.equals("any") || kind.equals("function")) return;
            if (kind.equals("ref")) {
                objects.putIfAbsent(of, got);
                for (var known : objects.entrySet()) check(known.getKey().equals(of), known.getValue() == got, place + " is object " + known.getKey());
                state(of, place);
            } else if (kind.equals("constructor")) {
                Data data = datatypes.getOrDefault(map(want).get("datatype"), PLAIN).take.apply(got);
                check(of, data.constructor, place);
                for (var f : map(map(want).get("fields")).entrySet()) compare(f.getValue(), data.fields.get(f.getKey()), place + "." + f.getKey());
            } else if (kind.equals("seq") || kind.equals("tuple")) {
                check(list(of).size(), list(got).size(), "length of " + place);
                for (int i = 0; i < list(of).size(); i++) compare(list(of).get(i), list(got).get(i), place + "[" + i + "]");
            } else if (kind.equals("map")) {
                check(list(of).size(), map(got).size(), "size of " + place);
                for (Object pair : list(of)) compare(list(pair).get(1), map(got).get(value(list(pair).get(0))), place + "[" + value(list(pair).get(0)) + "]");
            } else if (kind.equals("newtype")) compare(map(want).get("value"), got, place);
            else check(value(want), got, place);
        }

        void check(Object want, Object got, String place) {
            if (!Objects.equals(want, got)) throw new AssertionError(place + ": " + got + " instead of " + want);
        }

        void state(Object id, String place) throws Exception {
            Map<String, Object> o = after.get(id);
            Kind kind = kind(o);
            Object got = objects.get(id);
            if (got == null || !(o.containsKey("array") || kind != null) || !compared.add(id)) return;
            for (int d = list(o.get("array")).size(); d > 1; d--) {
                var flat = new ArrayList<Object>();
                for (Object row : list(got)) flat.addAll(list(row));
                got = flat;
            }
            if (o.containsKey("array")) compare(Map.of("seq", o.get("elements")), got, place);
            else for (var f : map(o.get("fields")).entrySet()) compare(f.getValue(), kind.read.apply(got).get(f.getKey()), place + "." + f.getKey());
        }
    }
}
