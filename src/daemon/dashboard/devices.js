"use strict";
// The devices of the farm, and the page of one. Loaded between base.js and farm.js, whose helpers it uses.

const PHASES = { ready: "passed", leased: "open", preparing: "open", suspect: "blocked", quarantined: "error", gone: "cancelled", new: "cancelled" };

function phaseChip(device) {
  const phase = device.reservation ? "reserved" : device.phase;
  return element("span", `phase t-${device.reservation ? "flaky" : PHASES[phase] ?? "cancelled"}`, phase);
}

// What it shows now; nothing where there is no way to ask.
function devicePicture(device, className) {
  if (!device.has_picture) return element("div", `screen ${className}`, element("span", "soft", "no picture"));
  const image = element("img", `screen ${className}`);
  image.src = `/api/v1/devices/${encodeURIComponent(device.serial)}/picture`;
  image.alt = device.run_id ? `the latest picture of the run on ${device.serial}` : `what ${device.serial} shows`;
  image.addEventListener("error", () => image.replaceWith(element("div", `screen ${className}`, element("span", "soft", "no picture"))));
  return image;
}

function deviceNotes(device) {
  return [
    device.unfit ? `not ready: ${device.unfit}` : null,
    device.reason ? `${device.standing}: ${device.reason}` : null,
    device.barred,
    device.reservation ? `${device.reservation.person} has it until ${clock(device.reservation.until)}${device.reservation.note ? `: ${device.reservation.note}` : ""}` : null,
    device.state === "device" ? null : device.state,
  ].filter(Boolean);
}

const deviceLink = (serial) => link(`#device=${encodeURIComponent(serial)}`, serial, "mono");

// The devices of a night with what went wrong with them, those in most trouble first.
function nightDevicesCard(devices) {
  const items = devices.map((device) => {
    const lines = device.troubles.slice(0, 3).map((line) => element("p", "soft note", `${clock(line.at)} ${line.what}`));
    const more = device.troubles.length - lines.length;
    const words = [plural(device.runs, "run"), device.troubles.length ? plural(device.troubles.length, "trouble") : "no trouble"].join(" · ");
    return element("li", "", element("p", "device-name", deviceLink(device.serial), phaseChip(device)), element("p", "soft", words),
      device.reason ? element("p", "soft note", `now: ${device.reason}`) : null, ...lines, more > 0 ? element("p", "soft", `and ${more} more`) : null);
  });
  return card(heading("Devices", element("span", "key", `${plural(devices.filter((device) => device.troubles.length).length, "device")} in trouble`)),
    element("ul", "night-devices", ...items));
}

async function devicesPage() {
  const devices = await api("devices");
  if (!devices.length) return [card(heading("Devices"), empty("No device. Connect one, or start one with “tapwright emulate”."))];
  const counts = new Map();
  for (const device of devices) counts.set(device.phase, (counts.get(device.phase) ?? 0) + 1);
  const cards = devices.map((device) => element("li", "device",
    devicePicture(device, "small"),
    element("div", "", element("p", "device-name", deviceLink(device.serial), phaseChip(device)),
      element("p", "soft", [device.model?.replaceAll("_", " "), device.profile, device.locale].filter(Boolean).join(" · ")),
      device.run_id ? element("p", "soft", runLink(device.run_id, "its run")) : null,
      ...deviceNotes(device).map((note) => element("p", "soft note", note)))));
  const key = element("span", "key", [...counts].map(([phase, count]) => `${count} ${phase}`).join(" · "));
  return [card(heading("Devices", key), element("ul", "devices", ...cards))];
}

function deviceActs(device) {
  const path = `devices/${encodeURIComponent(device.serial)}`;
  const button = (text, kind, work) => {
    const node = element("button", kind, text);
    node.type = "button";
    node.addEventListener("click", () => act(node, work));
    return node;
  };
  const form = element("form", "device-form");
  const words = element("input", "");
  words.setAttribute("aria-label", "What for, or why");
  words.placeholder = device.reservation ? "why it is taken out" : "what for, or why";
  const hours = element("select", "");
  hours.setAttribute("aria-label", "For how long");
  for (const [value, text] of [[1, "1 h"], [8, "8 h"], [24, "1 day"], [168, "7 days"]]) hours.append(new Option(text, value, value === 8, value === 8));
  const acts = element("p", "acts");
  if (device.reservation) acts.append(button("Give back", "", () => api(`${path}/give-back`, null)));
  else acts.append(hours, button("Reserve", "", () => api(`${path}/reserve`, { hours: Number(hours.value), note: words.value.trim() })));
  if (device.standing !== "quarantined") acts.append(button("Quarantine", "plain", () => api(`${path}/quarantine`, { reason: words.value.trim() })));
  if (device.standing !== "sound") acts.append(button("Release", "plain", () => api(`${path}/release`, null)));
  if (!device.reservation || device.standing !== "quarantined") form.append(words);
  form.append(acts);
  form.addEventListener("submit", (event) => event.preventDefault());
  return form;
}

async function devicePage(serial) {
  const [{ device, log }, runs] = await Promise.all([
    api(`devices/${encodeURIComponent(serial)}`), api(`runs?limit=20&device=${encodeURIComponent(serial)}`)]);
  const facts = [["Model", device.model?.replaceAll("_", " ")], ["Profile", device.profile], ["Language", device.locale],
    ["Run", device.run_id ? runLink(device.run_id, device.run_id, "mono") : null]].filter(([, value]) => value);
  const about = card(element("p", "title", element("span", "mono", device.serial), " ", phaseChip(device)),
    element("dl", "", ...facts.flatMap(([name, value]) => [element("dt", "", name), element("dd", "", value)])),
    ...deviceNotes(device).map((note) => element("p", "soft note", note)), device.state === "absent" ? null : deviceActs(device));
  const lines = log.map((line) => row(clock(line.at), element("td", "", element("span", `phase t-${PHASES[line.phase] ?? "cancelled"}`, line.phase)),
    element("td", "wrap", line.what)));
  const state = card(heading("State log"), lines.length ? table(["When", "State", "What happened"], lines) : empty("Nothing was noted yet."));
  const past = runs.map((run) => row(element("td", "", element("span", `chip ${run.verdict ?? run.state}`, run.verdict ?? run.state)),
    caseLink(run.case_id), runLink(run.run_id, clock(run.started_at ?? run.created_at)), element("td", "wrap soft hide-narrow", run.reason)));
  const reason = element("th", "hide-narrow", "Reason");
  const latest = card(heading("Latest runs"), past.length ? table(["Verdict", "Case", "Began", reason], past) : empty("No run had it yet."));
  const shows = card(heading(device.run_id ? "The run's latest picture" : "What it shows"), devicePicture(device, "large"));
  return [element("div", "two", element("div", "stack", about, state, latest), shows)];
}
