package tapwright.framework;

import android.os.Handler;
import android.os.Looper;
import android.os.SystemClock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowPausedLooper;
import org.robolectric.shadows.ShadowSystemClock;

/** Runs the app's main thread in real time: the framework's clock follows the machine's. */
final class MainLoop {
  /** The longest sleep, ms; windows and activities are looked after once a turn. */
  private static final long TURN = 8;

  /** What is looked after once a turn. */
  interface Care {
    void turn();
  }

  private final ShadowPausedLooper looper = Shadow.extract(Looper.getMainLooper());
  private final Handler handler = new Handler(Looper.getMainLooper());
  private final long clockAtStart = SystemClock.uptimeMillis();
  private final long startedAt = System.nanoTime();
  private final Crashes crashes;
  private final Deque<Runnable> atEndOfTurn = new ArrayDeque<>();
  private volatile boolean running;

  MainLoop(Crashes crashes) {
    this.crashes = crashes;
  }

  /** Runs a piece of work on the main thread; from any thread. */
  void post(Runnable work) {
    handler.post(work);
  }

  void postDelayed(Runnable work, long milliseconds) {
    handler.postDelayed(work, milliseconds);
  }

  /** Runs work on the main thread once what is posted now has been done and everything was looked after. */
  void afterNextTurn(Runnable work) {
    post(() -> atEndOfTurn.add(work));
  }

  void stop() {
    running = false;
  }

  /** Turns until {@link #stop}. What the app throws is its crash, and the loop goes on. */
  void run(Care care) {
    running = true;
    while (running) {
      long next = looper.getNextScheduledTaskTime().toMillis();
      long wait = next == 0 ? TURN : Math.max(1, Math.min(TURN, next - SystemClock.uptimeMillis()));
      looper.poll(wait);
      catchUp();
      try {
        looper.idle();
        care.turn();
        for (Runnable work = atEndOfTurn.poll(); work != null; work = atEndOfTurn.poll()) {
          work.run();
        }
      } catch (Throwable thrown) {
        crashes.report(Thread.currentThread(), thrown);
      }
    }
  }

  private void catchUp() {
    long now = clockAtStart + (System.nanoTime() - startedAt) / 1_000_000;
    long behind = now - SystemClock.uptimeMillis();
    if (behind > 0) {
      ShadowSystemClock.advanceBy(Duration.ofMillis(behind));
    }
  }
}
