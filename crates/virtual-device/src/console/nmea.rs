//! `geo nmea`: the two sentences the emulator understands, `$GPGGA` and `$GPRMC`.

use crate::Location;

/// The position a sentence gives; the error says what is wrong with it.
pub(super) fn position(sentence: &str) -> Result<Location, &'static str> {
    let body = sentence.trim().strip_prefix('$').ok_or("NMEA sentences begin with '$'")?;
    let body = match body.split_once('*') {
        None => body,
        Some((body, sum)) => {
            let wanted = u8::from_str_radix(sum.trim(), 16).map_err(|_| "bad NMEA checksum")?;
            if body.bytes().fold(0, |sum, byte| sum ^ byte) != wanted {
                return Err("bad NMEA checksum");
            }
            body
        }
    };
    let fields: Vec<&str> = body.split(',').collect();
    let at = match fields.first() {
        Some(&"GPGGA") => 2,
        Some(&"GPRMC") if fields.get(2) == Some(&"A") => 3,
        Some(&"GPRMC") => return Err("the sentence has no fix"),
        _ => return Err("only $GPGGA and $GPRMC sentences are supported"),
    };
    let field = |offset: usize| fields.get(at + offset).copied().unwrap_or_default();
    let latitude = degrees(field(0), field(1), ["N", "S"], 90.0).ok_or("bad latitude")?;
    let longitude = degrees(field(2), field(3), ["E", "W"], 180.0).ok_or("bad longitude")?;
    Ok(Location { latitude, longitude })
}

/// `ddmm.mmmm` with its side.
fn degrees(number: &str, side: &str, [positive, negative]: [&str; 2], limit: f64) -> Option<f64> {
    let number: f64 = number.parse().ok().filter(|number: &f64| number.is_finite() && *number >= 0.0)?;
    let minutes = number % 100.0;
    let value = (number / 100.0).trunc() + minutes / 60.0;
    let signed = if side == positive {
        value
    } else if side == negative {
        -value
    } else {
        return None;
    };
    (minutes < 60.0 && value <= limit).then_some(signed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sentences_give_a_position() {
        let position = |text: &str| position(text).map(|at| (at.latitude, at.longitude));
        let (latitude, longitude) =
            position("$GPGGA,001431.092,0118.2653,N,10351.1359,E,0,00,,-19.6,M,4.1,M,,0000*5B").unwrap();
        assert!((latitude - 1.304_421_7).abs() < 1e-6 && (longitude - 103.852_265).abs() < 1e-6);
        let (latitude, longitude) =
            position("$GPRMC,081836,A,3751.65,S,14507.36,W,000.0,360.0,130998,011.3,E").unwrap();
        assert!((latitude + 37.860_833).abs() < 1e-6 && (longitude + 145.122_667).abs() < 1e-6);
        for (bad, reason) in [
            ("GPGGA", "NMEA sentences begin with '$'"),
            ("$GPGGA,1,0118,N,10351,E*00", "bad NMEA checksum"),
            ("$GPGGA,1,9118,N,10351,E", "bad latitude"),
            ("$GPRMC,1,V,0118,N,10351,E", "the sentence has no fix"),
            ("$GPGSV,1", "only $GPGGA and $GPRMC sentences are supported"),
        ] {
            assert_eq!(position(bad), Err(reason), "{bad}");
        }
    }
}
