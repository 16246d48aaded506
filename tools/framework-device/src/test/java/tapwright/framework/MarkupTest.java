package tapwright.framework;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class MarkupTest {
  @Test
  public void whatXmlReservesOrCannotHoldIsEscaped() {
    assertEquals("a &amp; b &lt;i&gt; &quot;c&quot; &#10;&#9;'", Markup.escaped("a & b <i> \"c\" \n\t'"));
    assertEquals("é 漢 .", Markup.escaped("é 漢 \u0001"));
    assertEquals("..", Markup.escaped("\ufffe\uffff"));
  }
}
