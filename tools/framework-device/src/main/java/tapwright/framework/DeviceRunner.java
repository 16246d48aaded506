package tapwright.framework;

import java.nio.file.Path;
import java.util.List;
import org.junit.runners.model.InitializationError;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.annotation.Config;
import org.robolectric.internal.ManifestFactory;
import org.robolectric.internal.ManifestIdentifier;
import org.robolectric.pluginapi.config.GlobalConfigProvider;

/**
 * Sets up Robolectric's sandbox for an APK. A test runner is the one entry to the sandbox that Robolectric publishes; the
 * only "test" is {@link DeviceSession}, which ends with the device.
 */
final class DeviceRunner extends RobolectricTestRunner {
  private final Path apk;

  DeviceRunner(Class<?> session, Path apk) throws InitializationError {
    super(session, defaultInjector().bind(GlobalConfigProvider.class, DeviceRunner::configuration).build());
    this.apk = apk;
  }

  /** Takes package, application and resources from the APK itself; there is no manifest in text form. */
  @Override
  protected ManifestFactory getManifestFactory(Config config) {
    return unused -> new ManifestIdentifier(null, null, null, null, List.of(), apk);
  }

  private static Config configuration() {
    return new Config.Builder()
        .setSdk(Options.SDK)
        .setQualifiers(Qualifiers.initial())
        .setShadows(RealViews.ALL)
        .build();
  }
}
