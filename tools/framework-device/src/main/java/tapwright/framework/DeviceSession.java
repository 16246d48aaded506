package tapwright.framework;

import android.app.Application;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.Test;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.annotation.ConscryptMode;
import org.robolectric.annotation.GraphicsMode;
import org.robolectric.annotation.LooperMode;
import org.robolectric.annotation.SQLiteMode;

/** The device inside the sandbox: the thread that JUnit gives becomes the app's main thread until the client quits. */
@GraphicsMode(GraphicsMode.Mode.NATIVE)
@LooperMode(LooperMode.Mode.PAUSED)
@SQLiteMode(SQLiteMode.Mode.NATIVE)
@ConscryptMode(ConscryptMode.Mode.OFF)
public class DeviceSession {
  /** Creates the app, opens the socket and serves it. */
  @Test
  public void run() throws IOException {
    Application application = RuntimeEnvironment.getApplication();
    Framework.useRealBehaviour(application);
    Device device = new Device(application);
    Thread.setDefaultUncaughtExceptionHandler(device.crashes);
    device.settings.fitDisplay();
    Framework.addSystemBars();
    Framework.warmUp(device.loop);
    Path socket = Path.of(Options.get(Options.SOCKET, "framework-device.socket")).toAbsolutePath();
    Server.start(socket, new Commands(device));
    System.out.println("ready: " + application.getPackageName() + " on " + socket);
    device.loop.run(device::settle);
    device.tasks.endAll();
  }
}
