package tapwright.framework;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.runner.JUnitCore;
import org.junit.runner.Request;
import org.junit.runner.Result;
import org.junit.runner.notification.Failure;

/**
 * Starts the Android framework with one app and serves it on a loopback socket.
 *
 * <p>Usage: {@code Main APP.apk}; the app's classes, made from its dex files, are on the class path. Options are system
 * properties, see {@link Options}.
 */
public final class Main {
  private Main() {}

  /** Runs until the client says {@code quit}; exit code 1 with the reason on the error stream where it cannot start. */
  public static void main(String[] args) throws Exception {
    if (args.length != 1 || !Files.isRegularFile(Path.of(args[0]))) {
      System.err.println("usage: Main APP.apk (the file has to exist)");
      System.exit(2);
    }
    Path apk = Path.of(args[0]).toAbsolutePath();
    System.setProperty(Options.APK, apk.toString());
    Switches.apply();
    Result result = new JUnitCore().run(Request.runner(new DeviceRunner(DeviceSession.class, apk)));
    for (Failure failure : result.getFailures()) {
      System.err.println(failure.getTrace());
    }
    System.exit(result.wasSuccessful() ? 0 : 1);
  }
}
