package tapwright.framework;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.json.JSONException;
import org.json.JSONObject;

/**
 * The loopback socket. A request is one line of JSON, {@code {"do": "dump"}}; the first names the token. An answer is one
 * line of JSON, with {@code error} where the request failed, then as many bytes as its {@code bytes} says.
 */
final class Server {
  /** Longest request, bytes. */
  private static final int LONGEST = 1 << 16;

  /** Does what requests ask for; the answer may come later, from the main thread. */
  interface Handler {
    void handle(JSONObject request, CompletableFuture<Reply> answer);
  }

  private final ServerSocket socket;
  private final String token;
  private final Handler handler;

  private Server(ServerSocket socket, String token, Handler handler) {
    this.socket = socket;
    this.token = token;
    this.handler = handler;
  }

  /** Listens on a free port of 127.0.0.1 and writes {@code PORT TOKEN} into a file that only the user reads. */
  static void start(Path file, Handler handler) throws IOException {
    ServerSocket socket = new ServerSocket(0, 4, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}));
    byte[] random = new byte[16];
    new SecureRandom().nextBytes(random);
    String token = HexFormat.of().formatHex(random);
    Path temporary = file.resolveSibling(file.getFileName() + ".new");
    Files.deleteIfExists(temporary);
    Files.createFile(temporary, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(temporary, socket.getLocalPort() + " " + token + "\n");
    Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
    Thread thread = new Thread(new Server(socket, token, handler)::accept, "framework-device");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    while (!socket.isClosed()) {
      try {
        Socket client = socket.accept();
        Thread thread = new Thread(() -> serve(client), "framework-device client");
        thread.setDaemon(true);
        thread.start();
      } catch (IOException closed) {
        System.err.println("the socket is closed: " + closed.getMessage());
        return;
      }
    }
  }

  private void serve(Socket client) {
    try (client) {
      client.setTcpNoDelay(true);
      InputStream in = new BufferedInputStream(client.getInputStream());
      OutputStream out = new BufferedOutputStream(client.getOutputStream());
      boolean known = false;
      for (String line = line(in); line != null; line = line(in)) {
        Reply reply;
        if (known || knows(line)) {
          known = true;
          reply = answer(line);
        } else {
          reply = Reply.error("the token is missing or wrong");
        }
        out.write((reply.line() + "\n").getBytes(StandardCharsets.UTF_8));
        out.write(reply.bytes());
        out.flush();
        if (!known) {
          return;
        }
      }
    } catch (IOException gone) {
      System.err.println("a client went away: " + gone.getMessage());
    }
  }

  private boolean knows(String line) {
    try {
      byte[] said = new JSONObject(line).optString("token").getBytes(StandardCharsets.UTF_8);
      return MessageDigest.isEqual(said, token.getBytes(StandardCharsets.UTF_8));
    } catch (JSONException malformed) {
      return false;
    }
  }

  private Reply answer(String line) {
    CompletableFuture<Reply> answer = new CompletableFuture<>();
    try {
      handler.handle(new JSONObject(line), answer);
      return answer.get();
    } catch (JSONException malformed) {
      return Reply.error("malformed request: " + malformed.getMessage());
    } catch (ExecutionException failed) {
      return Reply.error(String.valueOf(failed.getCause()));
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return Reply.error("interrupted");
    }
  }

  private static String line(InputStream in) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        return null;
      }
      if (line.size() == LONGEST) {
        throw new IOException("a request is longer than " + LONGEST + " bytes");
      }
      line.write(next);
    }
    return line.toString(StandardCharsets.UTF_8);
  }
}
