//! A place on earth.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Where a device is.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Place {
    /// Degrees north, -90…90.
    pub latitude: f64,
    /// Degrees east, -180…180.
    pub longitude: f64,
}

/// The text is no place.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no place; write latitude,longitude in degrees: 48.85,2.35")]
pub struct NoPlace(String);

impl FromStr for Place {
    type Err = NoPlace;

    fn from_str(text: &str) -> Result<Self, NoPlace> {
        let within = |text: &str, limit: f64| text.trim().parse::<f64>().ok().filter(|degrees| degrees.abs() <= limit);
        let pair = text.split_once(',');
        let place = pair.and_then(|(latitude, longitude)| {
            Some(Self { latitude: within(latitude, 90.0)?, longitude: within(longitude, 180.0)? })
        });
        place.ok_or_else(|| NoPlace(text.to_owned()))
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.latitude, self.longitude)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_latitude_and_longitude_within_their_bounds() {
        assert_eq!("48.85, 2.35".parse(), Ok(Place { latitude: 48.85, longitude: 2.35 }));
        for wrong in ["Paris", "91,0", "0,181", "1", "", "NaN,0", "1,2,3"] {
            let error = wrong.parse::<Place>().unwrap_err().to_string();
            assert!(error.contains("latitude,longitude"), "{wrong}: {error}");
        }
    }
}
