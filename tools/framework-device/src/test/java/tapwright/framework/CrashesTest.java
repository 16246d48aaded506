package tapwright.framework;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.util.List;
import org.junit.Test;

public class CrashesTest {
  private final Crashes crashes = new Crashes("com.example.app", Thread.currentThread());

  @Test
  public void theMainThreadIsCalledMainAndAnotherByItsName() throws InterruptedException {
    crashes.report(Thread.currentThread(), new IllegalStateException("first"));
    assertEquals("FATAL EXCEPTION: main", crashes.take().get(0));
    Thread worker = new Thread(() -> { throw new IllegalStateException("second"); }, "Worker #3");
    worker.setUncaughtExceptionHandler(crashes);
    worker.start();
    worker.join();
    List<String> lines = crashes.take();
    assertEquals("FATAL EXCEPTION: Worker #3", lines.get(0));
    assertTrue(lines.get(1), lines.get(1).startsWith("Process: com.example.app, PID: "));
    assertEquals("java.lang.IllegalStateException: second", lines.get(2));
  }

  @Test
  public void anAppIsDeadFromItsCrashToItsNextStart() {
    assertFalse(crashes.crashed());
    crashes.report(Thread.currentThread(), new Error());
    assertTrue(crashes.crashed());
    crashes.restarted();
    assertFalse(crashes.crashed());
  }
}
