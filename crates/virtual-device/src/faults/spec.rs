//! `NAME[=VALUE][:times=N][:after=N][:every=N][:chance=P][:seed=N][:only=TEXT]`.

use super::catalogue::{Fault, FaultKind, Takes, catalogue};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// A fault, with its value and when it strikes.
#[derive(Debug, Clone, PartialEq)]
pub struct FaultSpec {
    /// Which.
    pub fault: Fault,
    /// Its value, or the catalogue's default.
    pub value: FaultValue,
    /// This many opportunities pass first.
    pub after: u64,
    /// Of those after that, each how-many-th; 1 is each.
    pub every: u64,
    /// How often it strikes at most; `None` without end.
    pub times: Option<u64>,
    /// How likely it strikes when its turn has come, 0 to 1.
    pub chance: f64,
    /// Seed of the chance.
    pub seed: u64,
    /// Only where the command line or service name holds this text.
    pub only: Option<String>,
}

/// The value a fault takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FaultValue {
    /// None.
    Nothing,
    /// A time.
    Time(Duration),
    /// Quarter turns.
    Turn(u8),
    /// A code.
    Code(String),
}

/// Why a specification is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FaultSpecError {
    /// No such fault.
    #[error("there is no fault {name:?}; known are: {known}")]
    Unknown {
        /// What was asked for.
        name: String,
        /// What there is.
        known: String,
    },
    /// The value does not fit.
    #[error("fault {name}: {value:?} is no {wanted}")]
    Value {
        /// The fault.
        name: &'static str,
        /// What was given.
        value: String,
        /// What it takes.
        wanted: &'static str,
    },
    /// The fault takes none.
    #[error("fault {name} takes no value; write {name}, or {name}:times=3")]
    NoValue {
        /// The fault.
        name: &'static str,
    },
    /// No such option, or its value does not fit.
    #[error(
        "fault {name}: {option:?} is no option; known are times=N, after=N, every=N (1 or more), chance=P (0 to 1), \
         seed=N, only=TEXT"
    )]
    Option {
        /// The fault.
        name: &'static str,
        /// What was given.
        option: String,
    },
}

impl FaultSpec {
    /// A fault that strikes every time, with its default value.
    pub fn always(fault: Fault) -> Self {
        Self::of(&fault.kind())
    }

    fn of(kind: &FaultKind) -> Self {
        let value = match kind.takes {
            Takes::Nothing => FaultValue::Nothing,
            Takes::Time(time) => FaultValue::Time(time),
            Takes::Turn(turns) => FaultValue::Turn(turns),
            Takes::Code(code) => FaultValue::Code(code.to_owned()),
        };
        Self { fault: kind.fault, value, after: 0, every: 1, times: None, chance: 1.0, seed: 0, only: None }
    }

    /// Several specifications separated by commas; an empty text is none.
    pub fn parse_list(text: &str) -> Result<Vec<Self>, FaultSpecError> {
        text.split(',').map(str::trim).filter(|spec| !spec.is_empty()).map(str::parse).collect()
    }

    fn option(&mut self, name: &'static str, option: &str) -> Result<(), FaultSpecError> {
        let refused = || FaultSpecError::Option { name, option: option.to_owned() };
        let (key, value) = option.split_once('=').ok_or_else(refused)?;
        let number = || value.parse::<u64>().map_err(|_| refused());
        match key {
            "times" => self.times = Some(number()?),
            "after" => self.after = number()?,
            "every" => self.every = number().and_then(|every| if every == 0 { Err(refused()) } else { Ok(every) })?,
            "seed" => self.seed = number()?,
            "chance" => {
                self.chance = value.parse().ok().filter(|chance| (0.0..=1.0).contains(chance)).ok_or_else(refused)?;
            }
            "only" if !value.is_empty() => self.only = Some(value.to_owned()),
            _ => return Err(refused()),
        }
        Ok(())
    }
}

impl FromStr for FaultSpec {
    type Err = FaultSpecError;

    fn from_str(text: &str) -> Result<Self, FaultSpecError> {
        let mut parts = text.split(':');
        let head = parts.next().unwrap_or_default();
        let (name, value) = head.split_once('=').map_or((head, None), |(name, value)| (name, Some(value)));
        let kind = catalogue().iter().find(|kind| kind.name == name.trim()).ok_or_else(|| FaultSpecError::Unknown {
            name: name.trim().to_owned(),
            known: catalogue().iter().map(|kind| kind.name).collect::<Vec<_>>().join(", "),
        })?;
        let mut spec = Self::of(kind);
        if let Some(value) = value {
            let refused = |wanted| FaultSpecError::Value { name: kind.name, value: value.to_owned(), wanted };
            spec.value = match kind.takes {
                Takes::Nothing => return Err(FaultSpecError::NoValue { name: kind.name }),
                Takes::Time(_) => FaultValue::Time(time(value).ok_or_else(|| refused("time such as 500ms, 3s or 2m"))?),
                Takes::Turn(_) => {
                    let turns = value.parse().ok().filter(|turns| (1..=3).contains(turns));
                    FaultValue::Turn(turns.ok_or_else(|| refused("number of quarter turns, 1 to 3"))?)
                }
                Takes::Code(_) if value.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') && !value.is_empty() => {
                    FaultValue::Code(value.to_owned())
                }
                Takes::Code(_) => return Err(refused("code such as INSTALL_FAILED_TEST_ONLY")),
            };
        }
        for option in parts {
            spec.option(kind.name, option)?;
        }
        Ok(spec)
    }
}

/// At most a day: longer is a slip of the pen.
fn time(text: &str) -> Option<Duration> {
    let (number, unit) = text.split_at(text.find(|c: char| c.is_ascii_alphabetic())?);
    let number: f64 = number.parse().ok()?;
    let seconds = match unit {
        "ms" => number / 1000.0,
        "s" => number,
        "m" => number * 60.0,
        "h" => number * 3600.0,
        _ => return None,
    };
    Duration::try_from_secs_f64(seconds).ok().filter(|time| *time <= Duration::from_secs(86_400))
}

impl fmt::Display for FaultValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => Ok(()),
            Self::Time(time) if time.subsec_millis() == 0 => write!(f, "={}s", time.as_secs()),
            Self::Time(time) => write!(f, "={}ms", time.as_millis()),
            Self::Turn(turns) => write!(f, "={turns}"),
            Self::Code(code) => write!(f, "={code}"),
        }
    }
}

impl fmt::Display for FaultSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.fault.kind().name, self.value)?;
        if let Some(times) = self.times {
            write!(f, ":times={times}")?;
        }
        if self.after > 0 {
            write!(f, ":after={}", self.after)?;
        }
        if self.every > 1 {
            write!(f, ":every={}", self.every)?;
        }
        if self.chance < 1.0 {
            write!(f, ":chance={}:seed={}", self.chance, self.seed)?;
        }
        if let Some(only) = &self.only {
            write!(f, ":only={only}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_specification_is_read_and_shown_alike() {
        for text in [
            "null-root",
            "idle=500ms:times=3",
            "slow-dump=3s:after=2:every=4",
            "install-fails=INSTALL_FAILED_TEST_ONLY:times=1",
            "rotated=3",
            "hung-shell:times=1:chance=0.5:seed=7:only=uiautomator dump",
        ] {
            let shown = text.parse::<FaultSpec>().unwrap().to_string();
            assert_eq!(shown.parse::<FaultSpec>(), text.parse(), "{text} became {shown}");
        }
        assert_eq!("offline".parse::<FaultSpec>().unwrap().value, FaultValue::Time(Duration::from_secs(5)));
        let listed: Vec<_> = FaultSpec::parse_list("null-root, idle=1s:times=2").unwrap();
        assert_eq!(listed.iter().map(|spec| spec.fault).collect::<Vec<_>>(), [Fault::NullRoot, Fault::Idle]);
        assert_eq!(FaultSpec::parse_list(""), Ok(Vec::new()));
    }

    #[test]
    fn what_is_refused_is_named_with_what_is_known() {
        let refused = |text: &str| text.parse::<FaultSpec>().unwrap_err().to_string();
        assert!(
            refused("nullroot").starts_with("there is no fault \"nullroot\"; known are: idle, null-root, dump-137")
        );
        assert_eq!(refused("slow-dump=soon"), "fault slow-dump: \"soon\" is no time such as 500ms, 3s or 2m");
        assert_eq!(refused("null-root=1s"), "fault null-root takes no value; write null-root, or null-root:times=3");
        assert!(refused("idle:often=2").contains("\"often=2\" is no option; known are times=N"));
        for bad in
            ["idle:every=0", "idle:chance=2", "idle:times=-1", "rotated=4", "idle=1e99h", "drop=-1s", "idle:", ""]
        {
            assert!(bad.parse::<FaultSpec>().is_err(), "{bad}");
        }
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "\\PC{0,40}", tail in "[a-z:=0-9.]{0,20}") {
            let _refused = text.parse::<FaultSpec>();
            if let Ok(spec) = format!("idle{tail}").parse::<FaultSpec>() {
                prop_assert_eq!(spec.to_string().parse::<FaultSpec>().map(|again| again.fault), Ok(spec.fault));
            }
        }
    }
}
