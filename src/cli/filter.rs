//! Which messages of a capture are wanted, as it is typed.

use std::net::IpAddr;

use super::args::TimeArg;
use super::exit::Failure;
use super::settings;
use crate::capture::{Filter, Host, Time};
use crate::render::capture::clock::TimeForm;
use crate::schema::{Catalogue, Direction};

/// Which messages of a capture to show.
#[derive(clap::Args, Debug, Default)]
#[command(next_help_heading = "Messages of a capture")]
pub struct FilterArgs {
    /// Only messages with this client id, and their responses
    #[arg(long, value_name = "ID")]
    pub client_id: Vec<String>,

    /// Only messages that name this group, and their responses
    #[arg(long, value_name = "NAME")]
    pub group: Vec<String>,

    /// Only messages with this correlation id
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub correlation_id: Vec<i32>,

    /// Only messages of this connection, by its number
    #[arg(long, value_name = "N")]
    pub connection: Vec<u64>,

    /// Only messages from or to this address: ADDRESS, ADDRESS:PORT or :PORT
    #[arg(long, value_name = "ADDRESS", value_parser = host)]
    pub host: Vec<Host>,

    /// Only messages with an error code, and malformed ones
    #[arg(long)]
    pub errors: bool,

    /// Only responses whose last byte came later after the request than this, such as 100ms or 1.5s
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub slower_than: Option<i64>,

    /// Only messages from this time on, such as 2026-12-01T10:00:00Z
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub from: Option<Time>,

    /// Only messages up to this time
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub to: Option<Time>,

    /// Stop after so many messages
    #[arg(long, value_name = "N")]
    pub first: Option<u64>,

    /// Take connections to this port as Kafka's, whatever they look like
    #[arg(long, value_name = "PORT")]
    pub port: Vec<u16>,

    /// How the times of messages are shown
    #[arg(long, value_enum, default_value_t = TimeArg::Absolute, value_name = "FORM")]
    pub time: TimeArg,
}

impl FilterArgs {
    /// The filter that was typed, with what stands among other arguments.
    ///
    /// # Errors
    /// If there is no such API.
    pub fn filter(
        &self,
        apis: &[String],
        api_versions: &[i16],
        topics: &[String],
        direction: Option<Direction>,
        catalogue: &Catalogue,
    ) -> Result<Filter, Failure> {
        let apis: Result<Vec<i16>, Failure> =
            apis.iter().map(|name| settings::api(catalogue, name).map(|api| api.key)).collect();
        Ok(Filter {
            apis: apis?,
            api_versions: api_versions.to_vec(),
            topics: topics.to_vec(),
            client_ids: self.client_id.clone(),
            groups: self.group.clone(),
            correlation_ids: self.correlation_id.clone(),
            connections: self.connection.clone(),
            hosts: self.host.clone(),
            errors: self.errors,
            slower_than: self.slower_than,
            direction,
            from: self.from,
            to: self.to,
        })
    }

    /// How times are shown.
    pub fn time_form(&self) -> TimeForm {
        match self.time {
            TimeArg::Absolute => TimeForm::Absolute,
            TimeArg::Relative => TimeForm::Relative,
            TimeArg::Delta => TimeForm::Delta,
        }
    }
}

fn host(text: &str) -> Result<Host, String> {
    let wrong =
        || format!("expected an address such as 10.0.0.1, 10.0.0.1:9092, [::1]:9092 or :9092, not {text:?}");
    if let Ok(address) = text.parse::<IpAddr>() {
        return Ok(Host { address: Some(address), port: None });
    }
    let (address, port) = text.rsplit_once(':').ok_or_else(wrong)?;
    let port = port.parse().map_err(|_| wrong())?;
    let address = address.trim_start_matches('[').trim_end_matches(']');
    let address = if address.is_empty() { None } else { Some(address.parse().map_err(|_| wrong())?) };
    Ok(Host { address, port: Some(port) })
}

/// A duration in nanoseconds.
fn duration(text: &str) -> Result<i64, String> {
    let wrong = || format!("expected a duration such as 500us, 100ms or 1.5s, not {text:?}");
    let units = [("us", 1e3), ("ms", 1e6), ("s", 1e9)];
    let (number, unit) =
        units.iter().find_map(|(name, unit)| Some((text.strip_suffix(name)?, unit))).ok_or_else(wrong)?;
    let number: f64 = number.trim().parse().map_err(|_| wrong())?;
    if !(0.0..1e9).contains(&number) {
        return Err(wrong());
    }
    Ok((number * unit) as i64)
}

/// A point in time.
fn time(text: &str) -> Result<Time, String> {
    let wrong = || format!("expected a time such as 2026-12-01T10:00:00Z, not {text:?}");
    let time: jiff::Timestamp = text.parse().map_err(|_| wrong())?;
    i64::try_from(time.as_nanosecond()).map(Time).map_err(|_| wrong())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_is_read() {
        let of = |address: &str, port| Host { address: address.parse().ok(), port };
        assert_eq!(host("10.0.0.1"), Ok(of("10.0.0.1", None)));
        assert_eq!(host("10.0.0.1:9092"), Ok(of("10.0.0.1", Some(9092))));
        assert_eq!(host("[::1]:9092"), Ok(of("::1", Some(9092))));
        assert_eq!(host("::1"), Ok(of("::1", None)));
        assert_eq!(host(":9092"), Ok(of("", Some(9092))));
        assert!(host("broker").is_err() && host("10.0.0.1:x").is_err() && host("").is_err());
        assert_eq!(
            ["500us", "100ms", "1.5s", "0ms"].map(|text| duration(text).unwrap()),
            [500_000, 100_000_000, 1_500_000_000, 0]
        );
        assert!(
            duration("100").is_err()
                && duration("-1ms").is_err()
                && duration("ms").is_err()
                && duration("nans").is_err()
        );
        assert_eq!(time("2023-11-14T22:13:20Z"), Ok(Time(1_700_000_000_000_000_000)));
        assert!(time("yesterday").is_err());
    }
}
