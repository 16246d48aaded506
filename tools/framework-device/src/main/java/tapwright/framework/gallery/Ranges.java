package tapwright.framework.gallery;

import android.widget.ArrayAdapter;
import android.widget.ProgressBar;
import android.widget.RatingBar;
import android.widget.SeekBar;
import android.widget.Spinner;

/** Values between two ends, progress, and a drop-down list. */
public final class Ranges extends Page {
  @Override
  protected void build() {
    SeekBar slider = add(new SeekBar(this));
    slider.setMax(100);
    slider.setProgress(50);
    RatingBar rating = addNarrow(new RatingBar(this));
    rating.setNumStars(5);
    rating.setRating(3);
    addNarrow(new ProgressBar(this));
    ProgressBar bar = add(new ProgressBar(this, null, android.R.attr.progressBarStyleHorizontal));
    bar.setProgress(40);
    Spinner spinner = add(new Spinner(this));
    ArrayAdapter<String> adapter =
        new ArrayAdapter<>(this, android.R.layout.simple_spinner_item, new String[] {"Red", "Green", "Blue"});
    adapter.setDropDownViewResource(android.R.layout.simple_spinner_dropdown_item);
    spinner.setAdapter(adapter);
  }
}
