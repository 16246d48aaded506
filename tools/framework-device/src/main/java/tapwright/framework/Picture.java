package tapwright.framework;

import android.graphics.Bitmap;
import android.graphics.Canvas;
import android.graphics.Color;
import android.graphics.Rect;
import android.os.Handler;
import android.os.Looper;
import android.view.PixelCopy;
import android.view.View;
import java.nio.ByteBuffer;

/** The display's pixels: every window as it drew itself, one over the other. */
final class Picture {
  private Picture() {}

  /** RGBA, row by row, {@code width * height * 4} bytes. */
  static byte[] of(Iterable<Windows.Shown> windows, int width, int height) {
    Bitmap display = Bitmap.createBitmap(width, height, Bitmap.Config.ARGB_8888);
    Canvas canvas = new Canvas(display);
    canvas.drawColor(Color.BLACK);
    for (Windows.Shown window : windows) {
      int dim = Math.round(window.dim() * 255);
      if (dim > 0) {
        canvas.drawColor(Color.argb(dim, 0, 0, 0));
      }
      Bitmap pixels = of(window.root());
      Rect at = window.bounds();
      canvas.drawBitmap(pixels, at.left, at.top, null);
      pixels.recycle();
    }
    ByteBuffer bytes = ByteBuffer.allocate(width * height * 4);
    display.copyPixelsToBuffer(bytes);
    display.recycle();
    return bytes.array();
  }

  /** A window as it drew itself. */
  static Bitmap of(View root) {
    Bitmap into = Bitmap.createBitmap(root.getWidth(), root.getHeight(), Bitmap.Config.ARGB_8888);
    int[] at = new int[2];
    root.getLocationInSurface(at);
    Rect from = new Rect(at[0], at[1], at[0] + root.getWidth(), at[1] + root.getHeight());
    // The copy is done when the call returns; only its outcome is posted.
    PixelCopy.request(
        root.getViewRootImpl().mSurface, from, into, outcome -> {}, new Handler(Looper.getMainLooper()));
    return into;
  }
}
