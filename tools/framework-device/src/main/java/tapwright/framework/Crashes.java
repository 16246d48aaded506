package tapwright.framework;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;

/** Uncaught exceptions of the app, as {@code AndroidRuntime} writes them to logcat. */
final class Crashes implements Thread.UncaughtExceptionHandler {
  private final String process;
  private final Thread main;
  private final List<String> lines = new ArrayList<>();
  private boolean crashed;

  /** For a process of that name, whose main thread is {@code main}: Android calls it so, whatever the JVM calls it. */
  Crashes(String process, Thread main) {
    this.process = process;
    this.main = main;
  }

  @Override
  public void uncaughtException(Thread thread, Throwable thrown) {
    report(thread, thrown);
  }

  /** Notes a crash of a thread; the app counts as dead from then on. */
  synchronized void report(Thread thread, Throwable thrown) {
    StringWriter trace = new StringWriter();
    thrown.printStackTrace(new PrintWriter(trace, true));
    String name = thread == main ? "main" : thread.getName();
    lines.add("FATAL EXCEPTION: " + name);
    lines.add("Process: " + process + ", PID: " + ProcessHandle.current().pid());
    trace.toString().lines().forEach(lines::add);
    crashed = true;
    System.err.println(String.join("\n", lines));
  }

  /** True from a crash on until {@link #restarted}. */
  synchronized boolean crashed() {
    return crashed;
  }

  synchronized void restarted() {
    crashed = false;
  }

  /** The lines not yet taken. */
  synchronized List<String> take() {
    List<String> taken = new ArrayList<>(lines);
    lines.clear();
    return taken;
  }
}
