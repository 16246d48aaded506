package tapwright.framework;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class ReachTest {
  private static final String LAUNCHER = "android.intent.category.LAUNCHER\0";

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  /** An APK of entries: name, content, name, content. */
  private Reach of(Charset charset, String... entries) throws IOException {
    Path apk = folder.newFile().toPath();
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(apk))) {
      for (int at = 0; at < entries.length; at += 2) {
        zip.putNextEntry(new ZipEntry(entries[at]));
        zip.write(entries[at + 1].getBytes(charset));
      }
    }
    return Reach.of(apk);
  }

  private Reach app(String dex, String manifest) throws IOException {
    return of(StandardCharsets.UTF_8, "classes.dex", dex + "\0", "AndroidManifest.xml", LAUNCHER + manifest + "\0");
  }

  @Test
  public void anAppOfPlainViewsIsSilent() throws IOException {
    Reach reach = app("Landroid/widget/TextView;", "android.permission.INTERNET");
    assertNull(reach.refused);
    assertEquals(List.of(), reach.without);
  }

  @Test
  public void nativeCodeIsRefused() throws IOException {
    Reach reach = of(StandardCharsets.UTF_8, "lib/arm64-v8a/libgame.so", "x", "classes.dex", "x", "AndroidManifest.xml", LAUNCHER);
    assertTrue(reach.refused, reach.refused.contains("native code"));
  }

  @Test
  public void whatIsNoAppIsRefusedWithAReason() throws IOException {
    assertTrue(of(StandardCharsets.UTF_8, "AndroidManifest.xml", LAUNCHER).refused.contains("classes.dex"));
    assertTrue(of(StandardCharsets.UTF_8, "classes.dex", "x").refused.contains("AndroidManifest.xml"));
    Reach hidden = of(StandardCharsets.UTF_8, "classes.dex", "x", "AndroidManifest.xml", "no entry");
    assertTrue(hidden.refused, hidden.refused.contains("home screen"));
    Path torn = folder.newFile().toPath();
    Files.writeString(torn, "PK\003\004 and then nothing");
    assertTrue(Reach.of(torn).refused.contains("zip archive"));
  }

  @Test
  public void webPagesPlayServicesAndPermissionsAreTold() throws IOException {
    Reach reach = app("Landroid/webkit/WebView;\0Lcom/google/android/gms/maps/Map;", "android.permission.CAMERA");
    assertNull(reach.refused);
    assertEquals(3, reach.without.size());
    assertTrue(reach.without.get(0), reach.without.get(0).contains("WebView"));
    assertTrue(reach.without.get(1), reach.without.get(1).contains("Play services"));
    assertTrue(reach.without.get(2), reach.without.get(2).contains("CAMERA"));
  }

  @Test
  public void aManifestInUtf16IsReadAndALongerNameIsAnother() throws IOException {
    Reach reach = of(
        StandardCharsets.UTF_16LE, "classes.dex", "x", "AndroidManifest.xml", LAUNCHER + "android.permission.BODY_SENSORS_BACKGROUND\0");
    assertEquals(1, reach.without.size());
    assertTrue(reach.without.get(0), reach.without.get(0).contains("BODY_SENSORS_BACKGROUND"));
    assertTrue(reach.without.get(0), !reach.without.get(0).contains("BODY_SENSORS,"));
  }
}
