package tapwright.framework;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/**
 * What of an APK a framework without a device cannot do: native code, web pages, Play services, permission dialogs. It reads
 * names only, in dex files, layouts and manifest, so an app that never comes to use what it names is told of, too.
 */
final class Reach {
  /** Permissions that Android asks the user for (protection level {@code dangerous} in AOSP's core/res/AndroidManifest.xml). */
  private static final List<String> ASKED_FOR =
      List.of(
          "ACCEPT_HANDOVER", "ACCESS_BACKGROUND_LOCATION", "ACCESS_COARSE_LOCATION", "ACCESS_FINE_LOCATION",
          "ACCESS_MEDIA_LOCATION", "ACTIVITY_RECOGNITION", "ANSWER_PHONE_CALLS", "BLUETOOTH_ADVERTISE",
          "BLUETOOTH_CONNECT", "BLUETOOTH_SCAN", "BODY_SENSORS", "BODY_SENSORS_BACKGROUND", "CALL_PHONE", "CAMERA",
          "GET_ACCOUNTS", "NEARBY_WIFI_DEVICES", "POST_NOTIFICATIONS", "PROCESS_OUTGOING_CALLS", "READ_CALENDAR",
          "READ_CALL_LOG", "READ_CONTACTS", "READ_EXTERNAL_STORAGE", "READ_MEDIA_AUDIO", "READ_MEDIA_IMAGES",
          "READ_MEDIA_VIDEO", "READ_MEDIA_VISUAL_USER_SELECTED", "READ_PHONE_NUMBERS", "READ_PHONE_STATE", "READ_SMS",
          "RECEIVE_MMS", "RECEIVE_SMS", "RECEIVE_WAP_PUSH", "RECORD_AUDIO", "SEND_SMS", "USE_SIP", "UWB_RANGING",
          "WRITE_CALENDAR", "WRITE_CALL_LOG", "WRITE_CONTACTS", "WRITE_EXTERNAL_STORAGE");

  private static final String LAUNCHER = "android.intent.category.LAUNCHER";
  private static final String PERMISSION = "android.permission.";
  private static final String WEB = "Landroid/webkit/WebView;";
  private static final String PLAY = "Lcom/google/android/gms/";

  /** Why it cannot run here at all; null where nothing speaks against it. */
  final String refused;

  /** What it will be without, a sentence each. */
  final List<String> without;

  private Reach(String refused, List<String> without) {
    this.refused = refused;
    this.without = List.copyOf(without);
  }

  /** Reads an APK. */
  static Reach of(Path apk) throws IOException {
    try (ZipFile zip = new ZipFile(apk.toFile())) {
      if (zip.stream().anyMatch(entry -> entry.getName().startsWith("lib/") && entry.getName().endsWith(".so"))) {
        return new Reach("it has native code for Android, which a JVM cannot load", List.of());
      }
      if (zip.getEntry("classes.dex") == null) {
        return new Reach("it has no classes.dex", List.of());
      }
      ZipEntry manifest = zip.getEntry("AndroidManifest.xml");
      if (manifest == null) {
        return new Reach("it has no AndroidManifest.xml", List.of());
      }
      if (!names(bytes(zip, manifest), LAUNCHER)) {
        return new Reach("no activity of it stands on the home screen (category LAUNCHER)", List.of());
      }
      return new Reach(null, without(zip));
    } catch (ZipException broken) {
      return new Reach("it is no whole zip archive (" + broken.getMessage() + ")", List.of());
    }
  }

  private static List<String> without(ZipFile zip) throws IOException {
    boolean web = false;
    boolean play = false;
    for (ZipEntry entry : (Iterable<ZipEntry>) zip.stream().map(ZipEntry.class::cast)::iterator) {
      String name = entry.getName();
      if (name.matches("classes\\d*\\.dex")) {
        byte[] dex = bytes(zip, entry);
        web |= names(dex, WEB);
        play |= names(dex, PLAY);
      } else if (name.startsWith("res/") && name.endsWith(".xml")) {
        web |= names(bytes(zip, entry), "WebView");
      }
    }
    List<String> without = new ArrayList<>();
    if (web) {
      without.add("it names WebView: a web page is an empty view here");
    }
    if (play) {
      without.add("it names Play services: none are there, and what waits for them waits in vain");
    }
    ZipEntry manifest = zip.getEntry("AndroidManifest.xml");
    if (manifest != null) {
      byte[] declared = bytes(zip, manifest);
      TreeSet<String> asked = new TreeSet<>();
      ASKED_FOR.stream().filter(permission -> names(declared, PERMISSION + permission)).forEach(asked::add);
      if (!asked.isEmpty()) {
        without.add("it may ask for " + String.join(", ", asked) + ": no dialog comes up and none is ever granted");
      }
    }
    return without;
  }

  private static byte[] bytes(ZipFile zip, ZipEntry entry) throws IOException {
    try (InputStream in = zip.getInputStream(entry)) {
      return in.readAllBytes();
    }
  }

  /** Whether a name stands in a file's strings, which are UTF-8 or, in older resources, UTF-16. A longer name is another. */
  private static boolean names(byte[] file, String name) {
    return stands(file, name.getBytes(StandardCharsets.UTF_8), 1) || stands(file, name.getBytes(StandardCharsets.UTF_16LE), 2);
  }

  private static boolean stands(byte[] file, byte[] name, int width) {
    boolean prefix = name[name.length - width] == '/';
    outer:
    for (int at = 0; at + name.length < file.length; at++) {
      for (int of = 0; of < name.length; of++) {
        if (file[at + of] != name[of]) {
          continue outer;
        }
      }
      char next = (char) (file[at + name.length] & 0xff);
      if (prefix || next != '_' && !Character.isLetterOrDigit(next)) {
        return true;
      }
    }
    return false;
  }
}
