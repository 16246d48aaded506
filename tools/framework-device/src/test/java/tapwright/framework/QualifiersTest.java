package tapwright.framework;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class QualifiersTest {
  @Test
  public void languagesAreWrittenAsResourceFoldersWriteThem() {
    assertEquals("de-rDE", Qualifiers.language("de-DE"));
    assertEquals("ar", Qualifiers.language("ar"));
    assertEquals("b+zh+Hans+CN", Qualifiers.language("zh-Hans-CN"));
    assertEquals("b+es+419", Qualifiers.language("es-419"));
  }

  @Test
  public void pixelsBecomeDp() {
    assertEquals(411, Qualifiers.dp(1080, 420));
    assertEquals(360, Qualifiers.dp(1080, 480));
  }
}
