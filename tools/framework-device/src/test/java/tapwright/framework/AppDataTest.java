package tapwright.framework;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class AppDataTest {
  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void everythingWithinGoesAndNothingThatALinkLeadsTo() throws IOException {
    Path data = folder.newFolder("data").toPath();
    Path elsewhere = Files.writeString(folder.newFolder("elsewhere").toPath().resolve("kept"), "1");
    Files.createDirectories(data.resolve("shared_prefs"));
    Files.writeString(data.resolve("shared_prefs/a.xml"), "<map/>");
    Files.createSymbolicLink(data.resolve("link"), elsewhere.getParent());
    List<String> left = new ArrayList<>();
    AppData.deleteWithin(data.toFile(), left);
    assertTrue(left.toString(), left.isEmpty());
    assertArrayEquals(new String[0], data.toFile().list());
    assertTrue(Files.exists(elsewhere));
  }
}
