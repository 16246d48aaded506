"use strict";
// Runs, live. Loaded after base.js.

const REFRESH_MS = 2000;
let runs = [];
let chosen = null; // {id, source, steps, ended}

const outcome = (run) => (run.state === "finished" ? run.verdict : run.state);

function chip(run) {
  const word = outcome(run);
  return element("span", `chip ${word}`, word);
}

function took(run) {
  if (!run.started_at) return "";
  const end = run.finished_at ? Date.parse(run.finished_at) : Date.now();
  return duration(Math.max(0, end - Date.parse(run.started_at)));
}

// ---- overview ----

function showDevices(devices) {
  const busy = devices.filter((device) => device.run_id).length;
  $("device-count").textContent = devices.length ? `${busy} of ${devices.length} busy` : "";
  const cards = devices.map((device) => {
    const ready = device.state === "device";
    const [tone, word] = device.run_id ? ["busy", "busy"] : device.barred ? ["off", "not free"]
      : device.standing === "quarantined" ? ["off", "quarantined"] : ready ? ["ready", "ready"] : ["off", device.state];
    const run = runs.find((run) => run.run_id === device.run_id);
    const notes = [device.model?.replaceAll("_", " "), run ? `runs ${run.case_id}` : "", device.barred,
      device.reason ? `${device.standing}: ${device.reason}` : ""].filter(Boolean);
    const name = element("span", "name", device.serial);
    name.title = device.serial;
    return element("li", "", name, element("span", `tag ${tone}`, word),
      ...notes.map((note) => element("span", "note", note)));
  });
  $("devices").replaceChildren(...(cards.length ? cards : [element("li", "empty", "No device. Connect one, or start one with “tapwright emulate”.")]));
  const select = $("device");
  const options = devices.filter((device) => device.state === "device").map((device) => device.serial);
  const known = [...select.options].slice(1).map((option) => option.value);
  if (options.join() !== known.join()) {
    const kept = select.value;
    select.replaceChildren(new Option("any free one", ""), ...options.map((serial) => new Option(serial, serial)));
    select.value = options.includes(kept) ? kept : "";
  }
}

function showQueue(queue) {
  $("queue-count").textContent = queue.length || "";
  const order = (a, b) => b.priority - a.priority || a.created_at.localeCompare(b.created_at);
  const cards = [...queue].sort(order).map((run) => element("li", "", element("span", "name", run.case_id),
    element("span", "tag", run.wanted_device ? `for ${run.wanted_device}` : `since ${clock(run.created_at)}`)));
  $("queue").replaceChildren(...(cards.length ? cards : [element("li", "empty", "Empty.")]));
}

function showRuns() {
  const rows = runs.map((run) => {
    const open = element("button", "", run.case_id);
    open.type = "button";
    const row = element("tr", run.run_id === chosen?.id ? "chosen" : "",
      element("td", "", chip(run)), element("td", "case", open), element("td", "device", run.device ?? ""),
      element("td", "time", clock(run.started_at ?? run.created_at)), element("td", "number", took(run)));
    row.title = run.reason;
    row.addEventListener("click", () => choose(run.run_id));
    return row;
  });
  const focused = [...$("runs").querySelectorAll("button")].indexOf(document.activeElement);
  $("runs").replaceChildren(...rows);
  if (focused >= 0) $("runs").querySelectorAll("button")[focused]?.focus();
  $("no-runs").hidden = rows.length > 0;
  const cases = [...new Set(runs.map((run) => run.case_id))].sort();
  if (cases.length !== $("known-cases").children.length) {
    $("known-cases").replaceChildren(...cases.map((id) => new Option(id, id)));
  }
}

async function refresh() {
  try {
    const [health, devices, latest, queue] = await Promise.all(
      [api("health"), api("devices"), api("runs?limit=100"), api("runs?state=queued&limit=500")]);
    runs = latest;
    $("version").textContent = health.version;
    const trouble = health.stopping ? "stopping"
      : health.store_trouble ? `no run gets a device: ${health.store_trouble}`
      : health.devices_tracked ? "" : "devices are not followed";
    $("connection").className = `connection ${trouble ? "" : "up"}`;
    $("connection").textContent = trouble || "connected";
    showDevices(devices);
    showQueue(queue);
    showRuns();
    if (chosen) showFacts();
  } catch (error) {
    $("connection").className = "connection down";
    $("connection").textContent = `no answer from the daemon (${error.message})`;
  }
}

async function refreshForever() {
  await refresh();
  setTimeout(refreshForever, document.hidden ? 5 * REFRESH_MS : REFRESH_MS);
}

// ---- one run ----

function choose(id) {
  if (chosen?.id === id) return;
  chosen?.source.close();
  $("steps").replaceChildren();
  $("expectations").replaceChildren();
  history.replaceState(null, "", `#${encodeURIComponent(id)}`);
  const source = new EventSource(`/api/v1/runs/${encodeURIComponent(id)}/events`);
  chosen = { id, source, view: null, step: null };
  $("review").replaceChildren();
  source.onmessage = (message) => { if (chosen?.source === source) takeEvent(JSON.parse(message.data)); };
  source.addEventListener("end", (message) => {
    source.close();
    if (chosen?.source !== source) return;
    chosen.view = JSON.parse(message.data);
    showFacts();
    showReview();
    refresh();
  });
  source.onerror = () => {
    // The browser takes up a broken stream by itself, unless the run is unknown.
    if (source.readyState === EventSource.CLOSED && chosen?.source === source) showFacts();
  };
  showRuns();
  showFacts();
  // On a narrow page the steps lie below the runs.
  const top = $("detail").getBoundingClientRect().top;
  if (top < 0 || top > innerHeight * 0.7) $("detail").scrollIntoView({ block: "start" });
}

function showFacts() {
  const run = chosen.view ?? runs.find((run) => run.run_id === chosen.id);
  $("facts").hidden = !run;
  $("cancel").hidden = !run || run.state === "finished" || run.state === "cancelled";
  $("detail-title").textContent = chosen.title ?? run?.case_id ?? "Unknown run";
  $("detail-hint").hidden = run?.state !== "queued";
  if (!run) return;
  if (run.state === "queued") {
    $("detail-hint").textContent = run.wanted_device ? `Waits for ${run.wanted_device}.` : "Waits for a free device.";
  }
  const facts = [
    ["Verdict", chip(run)], ["Case", run.case_id, "mono"], ["Device", run.device ?? run.wanted_device ?? "", "mono"],
    ["Took", took(run)], ["Attempts", run.attempts > 1 ? String(run.attempts) : ""],
    ["Seed", run.seed ? String(run.seed) : ""], ["Script", chosen.script ?? "", "mono"], ["Report", reportLink(run)], ["Run", run.run_id, "mono"],
  ];
  $("facts").replaceChildren(...facts.filter(([, value]) => value !== "").flatMap(([name, value, kind]) =>
    [element("dt", "", name), element("dd", kind ?? "", value)]));
  $("detail-reason").hidden = !run.reason;
  $("detail-reason").textContent = run.reason;
  $("detail-reason").className = `reason ${run.verdict ?? ""}`;
}

// What people make of a run that has ended, and a form to say so.
async function showReview() {
  const id = chosen.id;
  const place = $("review");
  const failed = (error) => place.append(element("p", "message", error.message));
  try {
    const run = await api(`runs/${encodeURIComponent(id)}`);
    if (chosen?.id !== id) return;
    const known = new Map(run.review ? [[id, run.review]] : []);
    place.replaceChildren(reviewForm([id], known, showReview, failed));
  } catch (error) {
    failed(error);
  }
}

// The page the run left; a run that ended before it began left none, and the server says so.
function reportLink(run) {
  if (run.state !== "finished") return "";
  const link = element("a", "", "open");
  link.href = `/api/v1/runs/${encodeURIComponent(run.run_id)}/artifacts/report.html`;
  link.target = "_blank";
  link.rel = "noopener";
  return link;
}

const MARKS = { passed: "✓", failed: "✕", blocked: "–", error: "!", running: "" };

function dot(word, text) {
  return element("span", `dot ${word}`, text || MARKS[word] || "");
}

// The first of the texts a list item's label is made of, as the console names it.
function firstPart(label) {
  if (label.endsWith(".")) return label;
  const cut = label.search(/, (?=[^\p{Ll}\s])/u);
  return cut > 0 ? label.slice(0, cut) : label;
}

// A short line for an action, as the console prints it.
function actionText(action) {
  const words = [action.skill.replaceAll("_", " ")];
  const typed = action.text ?? action.digits;
  if (typed) words.push(typed.text !== undefined ? `“${typed.text}”` : `\${${typed.secret}}`);
  const label = action.target?.label;
  if (label) words.push(typed ? "into" : "", `“${action.skill === "swipe_selector" ? label : firstPart(label)}”`);
  for (const name of ["direction", "package"]) if (action[name]) words.push(String(action[name]));
  if (action.ms !== undefined) words.push(`${action.ms} ms`);
  return words.filter(Boolean).join(" ");
}

function score(value) {
  return typeof value === "number" ? value.toFixed(2) : "";
}

function takeEvent(event) {
  const steps = $("steps");
  switch (event.event) {
    case "run_started":
      if (steps.children.length) {
        steps.replaceChildren(element("li", "notice", dot("blocked", "↻"), "The device vanished; the run began anew."));
        $("expectations").replaceChildren();
      }
      chosen.title = event.title;
      chosen.since = undefined;
      break;
    case "screen_observed":
      chosen.since ??= event.at_ms;
      break;
    case "step_started":
      chosen.step = element("li", "", dot("running"), element("div", "instruction", `${event.index}. ${event.instruction}`),
        element("ul", "actions"));
      if (event.rewritten && event.rewritten !== event.instruction) {
        chosen.step.children[1].after(element("div", "why", `read as: ${event.rewritten}`));
      }
      steps.append(chosen.step);
      break;
    case "decided":
      chosen.second = event.runners_up[0];
      break;
    case "acted": {
      const took = duration(event.at_ms - (chosen.since ?? event.at_ms));
      chosen.since = event.at_ms;
      const numbers = [event.source === "agent" ? score(event.score) : event.source, took].filter(Boolean).join(" · ");
      const line = element("li", event.valid ? "" : "invalid", element("code", "", actionText(event.action)),
        element("span", "numbers", numbers));
      if (!event.valid) line.append(element("span", "second", event.reason));
      if (chosen.second) {
        line.append(element("span", "second", `next best: ${actionText(chosen.second.action)} ${score(chosen.second.score)}`));
      }
      chosen.second = null;
      chosen.step?.querySelector(".actions").append(line);
      break;
    }
    case "step_finished":
      if (!chosen.step) break;
      chosen.step.querySelector(".dot").replaceWith(dot(event.verdict));
      if (event.reason && !chosen.step.querySelector(".actions li")) {
        chosen.step.append(element("div", "why", `${event.verdict === "passed" ? "no action needed" : "no action taken"}: ${event.reason}`));
      } else if (event.verdict !== "passed") {
        chosen.step.append(element("div", "why", `${event.verdict}: ${event.reason}`));
      }
      break;
    case "expectation_checked": {
      const { held, expectation, evidence } = event.outcome;
      $("expectations").append(element("li", "", dot(held ? "passed" : "failed"), expectation,
        evidence ? element("div", "why", evidence) : null));
      break;
    }
    case "script_written":
      chosen.script = event.path;
      break;
    default:
  }
  showFacts();
}

// ---- what a person does ----

$("launch").addEventListener("submit", async (submitted) => {
  submitted.preventDefault();
  const button = $("launch").querySelector("button");
  const message = $("launch-message");
  button.disabled = true;
  message.hidden = true;
  try {
    const request = { case_id: $("case").value.trim() };
    if ($("device").value) request.device = $("device").value;
    const ticket = await api("runs", request);
    await refresh();
    choose(ticket.run_id);
  } catch (error) {
    message.textContent = error.message;
    message.hidden = false;
  } finally {
    button.disabled = false;
  }
});

$("cancel").addEventListener("click", async () => {
  $("cancel").disabled = true;
  try {
    await api(`runs/${encodeURIComponent(chosen.id)}/cancel`, null);
    await refresh();
  } catch (error) {
    $("detail-reason").textContent = error.message;
    $("detail-reason").hidden = false;
  } finally {
    $("cancel").disabled = false;
  }
});

begin().then((signedIn) => (signedIn ? refreshForever() : null)).then(() => {
  const id = decodeURIComponent(location.hash.slice(1));
  if (id) choose(id);
});
