//! What a repaired replay leaves behind: a new version of the script, never in place of the old one unless that is asked for.

use super::super::executor::{Outcome, Run, now};
use super::change::page;
use super::mender::CaseMender;
use super::{Repair, RepairMode};
use crate::domain::{EventKind, EventSink, Verdict};
use crate::script::{self, AppView, Script, accept};
use std::collections::BTreeMap;

impl Run<'_> {
    /// Sums up what was repaired. A new version is written only where everything the case expects held.
    pub(in crate::run) fn conclude_repair(
        &mut self,
        outcome: Outcome,
        repair: &Repair<'_>,
        script: &Script,
        mender: &CaseMender<'_>,
    ) -> Outcome {
        if mender.changes.is_empty() {
            return outcome;
        }
        let told: Vec<String> = mender.changes.iter().map(super::change::Change::told).collect();
        let told = told.join("; ");
        if outcome.verdict != Verdict::Passed {
            return Outcome { reason: format!("{} (on the way: {told})", outcome.reason), ..outcome };
        }
        if !mender.changes.iter().any(super::change::Change::is_of_script) {
            return Outcome { reason: told, ..outcome };
        }
        let outcome = Outcome { repaired: true, ..outcome };
        let written = self.new_version(repair, script, mender);
        match written {
            Ok((path, and)) => {
                let path = path.strip_prefix(&self.context.places.root).unwrap_or(&path).to_owned();
                self.recorder.emit(EventKind::ScriptWritten { path: path.display().to_string() });
                Outcome { script: Some(path), reason: format!("repaired {told}; {and}"), ..outcome }
            }
            Err(reason) => {
                Outcome { reason: format!("repaired {told}; no new version was written: {reason}"), ..outcome }
            }
        }
    }

    /// Writes the new version and the page that tells its changes; gives the script's path and what to tell of it.
    fn new_version(
        &self,
        repair: &Repair<'_>,
        script: &Script,
        mender: &CaseMender<'_>,
    ) -> Result<(std::path::PathBuf, String), String> {
        let folder = self.context.places.scripts.as_ref().ok_or("this workspace keeps no scripts")?;
        let connected = self.context.connected;
        let app = AppView { version: self.app_version.clone().or(script.app.version.clone()), ..script.app.clone() };
        let recorded = script::record(
            self.context.skills,
            &script.case_id,
            &script.title,
            &script.profile,
            &now(),
            app,
            &connected.info,
            &script.expectations,
            BTreeMap::new(),
            &mender.traces,
        )
        .map_err(|error| error.to_string())?;
        // What the case expects now was judged, too.
        let sealed = match &script.seal {
            Some(_) => recorded.sealed_for(repair.case.digest.clone(), repair.case.digest_of_steps.clone()),
            None => recorded.sealed(None),
        };
        let places = &self.context.places;
        let recording = places.output.as_ref().map(|output| {
            let report = output.join(script.case_id.as_str()).join(self.context.run_id.as_str()).join("report.html");
            report.strip_prefix(&places.root).unwrap_or(&report).display().to_string()
        });
        let versions = (script.app.version.as_deref().unwrap_or("?"), sealed.app.version.as_deref().unwrap_or("?"));
        let told = [
            ("when", sealed.recorded_at.clone()),
            ("app", format!("{} {} → {}", script.app.package, versions.0, versions.1)),
            ("device", connected.info.serial.to_string()),
            ("recording", recording.unwrap_or_else(|| "no recording was kept".to_owned())),
        ];
        let changes: Vec<_> = mender.changes.iter().filter(|change| change.is_of_script()).cloned().collect();
        let title = format!("{}: {} was repaired", script.case_id, script.title);
        let page = page((&title, &script.profile), &told, &changes, &script::diff(script, &sealed));
        let id = &script.case_id;
        let proposal = sealed.propose(folder, Some(&page)).map_err(|error| error.to_string())?;
        match repair.mode {
            RepairMode::Apply => {
                let accepted = accept(folder, id).map_err(|error| error.to_string())?;
                let path = accepted.into_iter().next().unwrap_or(proposal.path);
                Ok((path, "the new version is the script now".to_owned()))
            }
            RepairMode::Propose | RepairMode::Off => {
                let shown = proposal.path.strip_prefix(&places.root).unwrap_or(&proposal.path).display();
                let told = format!("the new version is proposed in {shown}{}", places.told_of(&proposal));
                Ok((proposal.path, told))
            }
        }
    }
}
