package tapwright.framework;

import com.googlecode.d2j.Method;
import com.googlecode.d2j.dex.BaseDexExceptionHandler;
import com.googlecode.d2j.dex.Dex2jar;
import com.googlecode.d2j.node.DexMethodNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.objectweb.asm.MethodVisitor;

/**
 * Turns an APK's dex files into Java classes. Usage: {@code Translator APP.apk FOLDER}; prints the jar, which is made only
 * once for the same APK, and says on the error stream what the app will be without.
 */
public final class Translator {
  private Translator() {}

  /** Exit code 3 with a reason where the APK needs what a JVM does not have. */
  public static void main(String[] args) throws IOException, NoSuchAlgorithmException {
    if (args.length != 2) {
      System.err.println("usage: Translator APP.apk FOLDER");
      System.exit(2);
    }
    Path apk = Path.of(args[0]);
    Reach reach = Reach.of(apk);
    if (reach.refused != null) {
      System.err.println(apk.getFileName() + ": " + reach.refused);
      System.exit(3);
    }
    reach.without.forEach(without -> System.err.println(apk.getFileName() + ": " + without));
    byte[] bytes = Files.readAllBytes(apk);
    String hash = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes)).substring(0, 16);
    Path jar = Path.of(args[1]).resolve(hash + ".jar");
    if (!Files.exists(jar)) {
      translate(bytes, jar);
    }
    System.out.println(jar);
  }

  private static void translate(byte[] apk, Path jar) throws IOException {
    Path part = jar.resolveSibling(jar.getFileName() + ".partial.jar");
    Files.deleteIfExists(part);
    Dex2jar.from(apk).withExceptionHandler(new Untranslated()).skipDebug(false).to(part);
    Files.move(part, jar, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Names the methods that could not be translated; they throw when they are called. */
  private static final class Untranslated extends BaseDexExceptionHandler {
    @Override
    public void handleMethodTranslateException(Method method, DexMethodNode node, MethodVisitor visitor, Exception error) {
      System.err.println("not translated: " + method + ": " + error);
      super.handleMethodTranslateException(method, node, visitor, error);
    }
  }
}
