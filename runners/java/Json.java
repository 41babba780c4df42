import java.math.BigInteger;
import java.util.*;

/** Reads JSON as Map (in order), List, String, Boolean, null, and BigInteger: test vectors have no other numbers. */
final class Json {
    private final String text;
    private int at;

    private Json(String text) { this.text = text; }

    static Object parse(String text) { return new Json(text).value(); }

    private Object value() {
        switch (next()) {
            case '{':
                var map = new LinkedHashMap<String, Object>();
                for (char c = next(); c != '}'; c = next()) {
                    if (c == ',') continue;
                    String key = string();
                    next();
                    map.put(key, value());
                }
                return map;
            case '[':
                var list = new ArrayList<>();
                for (char c = next(); c != ']'; c = next()) {
                    if (c != ',') at--;
                    list.add(value());
                }
                return list;
            case '"': return string();
            case 't': at += 3; return true;
            case 'f': at += 4; return false;
            case 'n': at += 3; return null;
            default:
                int start = at - 1;
                while (at < text.length() && Character.isDigit(text.charAt(at))) at++;
                return new BigInteger(text.substring(start, at));
        }
    }

    private char next() {
        while (Character.isWhitespace(text.charAt(at))) at++;
        return text.charAt(at++);
    }

    private String string() {
        var out = new StringBuilder();
        for (char c = text.charAt(at++); c != '"'; c = text.charAt(at++)) {
            if (c == '\\') c = escaped(text.charAt(at++));
            out.append(c);
        }
        return out.toString();
    }

    private char escaped(char c) {
        if (c == 'n') return '\n';
        if (c != 'u') return c;
        at += 4;
        return (char) Integer.parseInt(text.substring(at - 4, at), 16);
    }
}
