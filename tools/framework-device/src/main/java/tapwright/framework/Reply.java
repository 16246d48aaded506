package tapwright.framework;

import java.nio.charset.StandardCharsets;
import org.json.JSONException;
import org.json.JSONObject;

/** An answer: a line of JSON, and bytes behind it where the line has {@code bytes}. */
record Reply(JSONObject line, byte[] bytes) {
  private static final byte[] NOTHING = {};

  static Reply ok() {
    return new Reply(new JSONObject(), NOTHING);
  }

  static Reply of(JSONObject line) {
    return new Reply(line, NOTHING);
  }

  static Reply text(String text) throws JSONException {
    return data(new JSONObject(), text.getBytes(StandardCharsets.UTF_8));
  }

  static Reply data(JSONObject line, byte[] bytes) throws JSONException {
    return new Reply(line.put("bytes", bytes.length), bytes);
  }

  static Reply error(String reason) {
    try {
      return new Reply(new JSONObject().put("error", reason), NOTHING);
    } catch (JSONException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
