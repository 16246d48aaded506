"use strict";
// Nights, cases, schedules, proposals and queue. Loaded after base.js.

const REFRESH_MS = 5000;
const OUTCOMES = [["passed", "passed"], ["flaky", "flaky: passed on retry"], ["repaired", "repaired, to review"], ["failed", "failed"], ["blocked", "blocked"],
  ["error", "device errors"], ["cancelled", "cancelled"], ["open", "open"]];

const link = (href, text, className) => { const node = element("a", className ?? "", text); node.href = href; return node; };
const runLink = (id, text, className) => link(`/#${encodeURIComponent(id)}`, text, className);
const caseLink = (id) => link(`#case=${encodeURIComponent(id)}`, id, "mono");
const card = (...children) => element("section", "card", ...children);
const heading = (text, ...more) => element("h2", "", text, ...more);
const empty = (text) => element("p", "empty", text);
const plural = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

function table(heads, rows) {
  const cells = heads.map((head) => (head instanceof Node ? head : element("th", "", head)));
  const node = element("table", "", element("thead", "", element("tr", "", ...cells)), element("tbody", "", ...rows));
  return element("div", "wide", node);
}

const row = (...cells) => element("tr", "", ...cells.map((cell) => (cell instanceof Node && cell.tagName === "TD" ? cell : element("td", "", cell))));

function tallyBar(tally) {
  const bar = element("div", "bar");
  const total = OUTCOMES.reduce((sum, [key]) => sum + tally[key], 0);
  bar.setAttribute("role", "img");
  bar.setAttribute("aria-label", OUTCOMES.filter(([key]) => tally[key]).map(([key, words]) => `${tally[key]} ${words}`).join(", "));
  for (const [key] of OUTCOMES) {
    if (!tally[key]) continue;
    const part = element("i", `t-${key}`);
    part.style.width = `${(100 * tally[key]) / total}%`;
    bar.append(part);
  }
  return bar;
}

function tallyCounts(tally, causes) {
  const items = OUTCOMES.filter(([key]) => tally[key] || key === "passed").map(([key, words]) => {
    const shown = key === "repaired" ? link("#proposals", words) : words;
    const item = element("li", `t-${key}`, element("b", "", String(tally[key])), shown);
    const fresh = causes.filter((cause) => cause.new && (key === "failed") === (cause.kind === "crash" || cause.kind === "expectation"));
    if (key === "failed" && fresh.length) item.append(`, ${plural(fresh.length, "new cause")}`);
    return item;
  });
  return element("ul", "counts", ...items);
}

const short = (commit) => (commit && /^[0-9a-f]{12,}$/.test(commit) ? commit.slice(0, 9) : commit);

function nightWords(batch) {
  const words = [];
  const day = new Date(batch.created_at);
  words.push(`${clock(batch.created_at)} → ${batch.finished_at ? clock(batch.finished_at) : "under way"}`);
  if (batch.finished_at) words.push(duration(Date.parse(batch.finished_at) - day));
  if (batch.app_after) {
    const changed = batch.app_before && batch.app_before !== batch.app_after;
    words.push(`app ${batch.app_after}${changed ? ` (was ${batch.app_before})` : ""}`);
  }
  words.push(`begun by ${batch.trigger}`);
  return words.join(" · ");
}

// ---- nights ----

async function nightsPage() {
  const nights = await api("batches?limit=60");
  if (!nights.length) {
    return [card(heading("Nights"), empty("No night yet. Begin one with “tapwright night start --tag smoke”, or make a schedule."))];
  }
  const [latest] = nights;
  const view = await api(`batches/${encodeURIComponent(latest.batch_id)}`);
  const rows = nights.map((night) => {
    const tally = night.tally;
    const bad = tally ? tally.failed + tally.blocked + tally.error : 0;
    const words = tally ? OUTCOMES.filter(([key]) => tally[key]).map(([key]) => `${tally[key]} ${key}`).join(", ") : "under way";
    return row(link(`#night=${encodeURIComponent(night.batch_id)}`, night.spec.name), clock(night.created_at), short(night.spec.commit) ?? "",
      element("td", bad ? "warn wrap" : "wrap", words), night.trigger);
  });
  return [...nightCards(view), card(heading("All nights"), table(["Name", "Began", "Revision", "Result", "Begun by"], rows))];
}

async function nightPage(id) {
  return nightCards(await api(`batches/${encodeURIComponent(id)}`));
}

function nightCards(view) {
  const { batch, causes } = view;
  const commit = short(batch.spec.commit);
  const head = card(element("p", "title", `${batch.spec.name}${commit ? ` @ ${commit}` : ""}`), element("p", "soft", nightWords(batch)),
    element("p", "soft", `${plural(view.cells.length, "cell")} of ${plural(view.cases.length, "case")}`,
      view.compared_with ? " · compared with " : " · nothing to compare with yet",
      view.compared_with ? link(`#night=${encodeURIComponent(view.compared_with)}`, "the night before") : null),
    tallyBar(batch.tally), tallyCounts(batch.tally, causes));
  if (!batch.finished_at) {
    const cancel = element("button", "quiet", "Call this night off");
    cancel.type = "button";
    cancel.addEventListener("click", () => act(cancel, () => api(`batches/${encodeURIComponent(batch.batch_id)}/cancel`, null)));
    head.append(element("p", "acts", cancel));
  }
  const causesAndDevices = element("div", "two", causeCard(causes, batch, view.reviews), nightDevicesCard(view.devices));
  return [head, view.devices.length ? causesAndDevices : causeCard(causes, batch, view.reviews), heatCard(view)];
}

const KINDS = { crash: ["failed", "crash"], expectation: ["failed", ""], step: ["blocked", "blocked"], device: ["error", "device"] };

function causeCard(causes, batch, reviews) {
  const byRun = new Map(reviews.map((review) => [review.run_id, review]));
  if (!causes.length) {
    return card(heading("What to look at"), empty(batch.finished_at ? "Nothing: all that ended passed." : "Nothing so far."));
  }
  const items = causes.map((cause) => {
    const [tone, kind] = KINDS[cause.kind];
    const age = cause.new === true ? "new" : cause.new === false ? "known" : "";
    const runs = cause.runs.slice(0, 6).map((id, at) => runLink(id, `run ${at + 1}`));
    return element("li", `t-${tone}`,
      element("div", "text", element("span", "age", [age, kind].filter(Boolean).join(" · ") || "failed"), cause.reason),
      element("div", "side", element("span", "pill", plural(cause.runs.length, "cell")), element("span", "pill", plural(cause.devices.length, "device"))),
      element("div", "soft", ...cause.cases.slice(0, 8).flatMap((id) => [caseLink(id), " "]), cause.cases.length > 8 ? `and ${cause.cases.length - 8} more` : ""),
      element("div", "links side", ...runs), reviewForm(cause.runs, byRun, show, tell));
  });
  const judged = causes.flatMap((cause) => cause.runs).filter((id) => byRun.has(id)).length;
  const key = element("span", "key", `${judged} of ${causes.reduce((sum, cause) => sum + cause.runs.length, 0)} reviewed`);
  return card(heading("What to look at, by cause", key), element("ul", "causes", ...items));
}

function heatCard(view) {
  const columns = [...new Set(view.cells.map((cell) => cell.column))].sort();
  const byKey = new Map(view.cells.map((cell) => [`${cell.case_id}\n${cell.column}`, cell]));
  const rows = view.cases.map((line) => {
    const cells = columns.map((column) => {
      const cell = byKey.get(`${line.case_id}\n${column}`);
      if (!cell) return element("td", "cell", element("i", ""));
      const square = runLink(cell.runs.at(-1), "", `t-${cell.outcome}`);
      const words = `${line.case_id} on ${column}: ${cell.outcome}${cell.runs.length > 1 ? ` after ${cell.runs.length} tries` : ""}${cell.reason ? `: ${cell.reason}` : ""}`;
      square.title = words;
      square.setAttribute("aria-label", words);
      return element("td", "cell", square);
    });
    const slower = line.trend !== null && line.trend >= 1.25;
    const time = line.typical_ms === null ? "" : duration(line.typical_ms);
    return row(caseLink(line.case_id), element("td", "wrap hide-narrow", line.title ?? ""), ...cells, element("td", "", strip(line.strip)),
      element("td", line.flake >= 0.1 ? "warn number" : "number", line.flake === null ? "–" : `${Math.round(100 * line.flake)} %`),
      element("td", slower ? "warn number" : "number", `${time}${slower ? ` ↑${Math.round(100 * (line.trend - 1))} %` : ""}`));
  });
  const key = element("span", "key", ...OUTCOMES.slice(0, 6).map(([name]) => element("span", `t-${name}`, name)));
  const title = element("th", "hide-narrow", "Title");
  return card(heading("Cases × devices", key), table(["Case", title, ...columns.map((name) => element("th", "cell", name)), "Last 14 nights", element("th", "number", "Flaky"), element("th", "number", "Time")], rows));
}

function strip(outcomes) {
  const node = element("span", "strip", ...outcomes.map((outcome) => element("i", outcome ? `t-${outcome}` : "none")));
  node.setAttribute("role", "img");
  node.setAttribute("aria-label", outcomes.map((outcome) => outcome ?? "not run").join(", "));
  return node;
}

// ---- cases ----

async function casesPage() {
  const cases = await api("cases");
  const search = element("input", "");
  search.placeholder = "Find a case by id, title, tag or folder";
  search.setAttribute("aria-label", "Find a case");
  const body = element("div", "");
  const show = () => {
    const wanted = search.value.toLowerCase();
    const found = cases.filter((one) => [one.id, one.title, ...one.tags, ...one.suites].some((text) => text.toLowerCase().includes(wanted)));
    const rows = found.slice(0, 300).map((one) => row(caseLink(one.id), element("td", "wrap", one.title),
      element("td", "wrap soft hide-narrow", one.suites.at(-1) ?? ""), element("td", "wrap", ...one.tags.map((tag) => element("span", "pill", tag)))));
    const folder = element("th", "hide-narrow", "Folder");
    body.replaceChildren(found.length ? table(["Case", "Title", folder, "Tags"], rows) : empty("No case is like that."));
  };
  search.addEventListener("input", show);
  show();
  return [card(heading("Cases", element("span", "key", plural(cases.length, "case"))), search, body)];
}

async function casePage(id) {
  const [cases, past] = await Promise.all([api("cases").catch(() => []), api(`cases/${encodeURIComponent(id)}/history`)]);
  const known = cases.find((one) => one.id === id);
  const rows = past.runs.map((run) => row(element("td", "", element("span", `chip ${run.outcome}`, run.outcome)), runLink(run.run_id, clock(run.created_at)),
    element("td", "", run.device ? deviceLink(run.device) : ""), element("td", "number", run.ms === null ? "" : duration(run.ms)), element("td", "wrap soft", run.reason)));
  const history = card(heading("History"), trend(past.runs), rows.length ? table(["Verdict", "Run", "Device", "Took", "Reason"], rows) : empty("It was never run here."));
  return [card(element("p", "title", id), element("p", "soft", known?.title ?? "The workspace does not know this case any more.")),
    element("div", "two", history, launchCard(id, known))];
}

const SVG = "http://www.w3.org/2000/svg";

// Bars of how long the runs took, the oldest first.
function trend(runs) {
  const timed = runs.filter((run) => run.ms !== null).reverse();
  if (timed.length < 2) return null;
  const most = Math.max(...timed.map((run) => run.ms));
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", "trend");
  svg.setAttribute("viewBox", "0 0 500 64");
  svg.setAttribute("preserveAspectRatio", "none");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", `from ${duration(timed[0].ms)} to ${duration(timed.at(-1).ms)}, at most ${duration(most)}`);
  const width = 500 / timed.length;
  timed.forEach((run, at) => {
    const height = Math.max(2, (60 * run.ms) / most);
    const bar = document.createElementNS(SVG, "rect");
    for (const [name, value] of [["x", at * width + 1], ["y", 64 - height], ["width", Math.max(1, width - 2)], ["height", height], ["rx", 1]]) {
      bar.setAttribute(name, value);
    }
    bar.setAttribute("class", `t-${run.outcome}`);
    svg.append(bar);
  });
  return svg;
}

function launchCard(id, known) {
  const form = element("form", "launch");
  const fields = (known?.params ?? []).map((param) => {
    const input = element("input", "");
    input.type = param.secret ? "password" : "text";
    input.autocomplete = "off";
    input.placeholder = param.secret ? "the case's own (secret)" : param.value;
    form.append(element("label", "", param.name, input));
    return [param.name, input];
  });
  const button = element("button", "", `Run ${id}`);
  button.type = "submit";
  form.append(button);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const params = Object.fromEntries(fields.filter(([, input]) => input.value).map(([name, input]) => [name, input.value]));
    act(button, async () => {
      const ticket = await api("runs", { case_id: id, params });
      location.href = `/#${encodeURIComponent(ticket.run_id)}`;
    });
  });
  return card(heading("Run it now"), fields.length ? element("p", "soft", "What is left empty is as the case has it.") : null, form);
}

// ---- schedules, proposals, queue ----

async function schedulesPage() {
  const schedules = await api("schedules");
  if (!schedules.length) {
    return [card(heading("Schedules"), empty("No schedule yet. Make one with “tapwright schedule set NAME --cron '30 22 * * mon-fri' --tag smoke”."))];
  }
  return schedules.map((one) => {
    const what = [["cases", one.spec.cases], ["tags", one.spec.tags], ["suites", one.spec.suites], ["profiles", one.spec.profiles], ["languages", one.spec.locales], ["places", one.spec.locations || []]]
      .filter(([, list]) => list.length).map(([name, list]) => `${name} ${list.join(", ")}`).join(" · ");
    const now = element("button", "", "Begin now");
    now.type = "button";
    now.addEventListener("click", () => act(now, async () => {
      const night = await api(`schedules/${encodeURIComponent(one.name)}/begin`, null);
      location.hash = `night=${encodeURIComponent(night.batch_id)}`;
    }));
    const form = { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" };
    const times = one.next.map((time) => element("li", "", new Date(time).toLocaleString([], form)));
    return card(element("p", "title", one.name, one.enabled ? null : element("span", "pill", "paused")),
      element("p", "soft", [one.cron ? `${one.cron} (${one.zone})` : "by webhook only", what].join(" · ")),
      one.webhook ? element("p", "soft", "webhook ", element("code", "", one.webhook)) : null,
      times.length ? element("div", "", heading("Next five times"), element("ol", "soft", ...times)) : null, element("p", "acts", now));
  });
}

// The screens of one change side by side; where both are there, a third shows bright what differs.
function changePictures({ before, after }, number) {
  const picture = (src, alt) => { const node = element("img", "screen"); node.src = src; node.alt = alt; node.loading = "lazy"; return node; };
  const shown = (src, caption) => (src ? element("figure", "", picture(src, `${caption} change ${number}`), element("figcaption", "soft", caption)) : null);
  const differs = before && after ? element("figure", "", element("div", "difference", picture(before, ""), picture(after, `what change ${number} changes`)),
    element("figcaption", "soft", "what differs")) : null;
  return element("div", "change", shown(before, "before"), shown(after, "after"), differs);
}

async function proposalsPage() {
  const proposals = await api("proposals");
  if (!proposals.length) return [card(heading("Proposals"), empty("No repair waits to be judged."))];
  const judge = (button, one, verdict) => act(button, () => api(`proposals/${encodeURIComponent(one.case_id)}/${verdict}`, null));
  return proposals.map((one) => {
    const lines = one.changes.map((line) => element("span", line.startsWith("+") ? "add" : line.startsWith("-") ? "del" : "", `${line}\n`));
    const accept = element("button", "", "Accept");
    const reject = element("button", "plain", "Reject");
    for (const [button, verdict] of [[accept, "accept"], [reject, "reject"]]) {
      button.type = "button";
      button.addEventListener("click", () => judge(button, one, verdict));
    }
    const node = card(element("p", "title", caseLink(one.case_id)), element("p", "soft", `script of ${one.profile}; press a to accept, r to reject`),
      element("pre", "", ...lines), ...one.pictures.map((change, at) => changePictures(change, at + 1)), element("p", "acts", accept, reject));
    node.tabIndex = 0;
    node.addEventListener("keydown", (event) => {
      if (event.target !== node || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "a") accept.click();
      if (event.key === "r") reject.click();
    });
    return node;
  });
}

async function queuePage() {
  const queue = await api("queue");
  const rows = queue.map((run) => row(caseLink(run.case_id), element("td", "wrap", run.because), clock(run.created_at),
    element("td", "number hide-narrow", String(run.priority)), element("td", "", run.batch_id ? link(`#night=${encodeURIComponent(run.batch_id)}`, "night") : "")));
  const priority = element("th", "hide-narrow", "Priority");
  return [card(heading("Queue", element("span", "key", plural(queue.length, "run"))),
    rows.length ? table(["Case", "Waits because", "Since", priority, ""], rows) : empty("Nothing waits."))];
}

// ---- the page ----

const PAGES = { nights: nightsPage, night: nightPage, cases: casesPage, case: casePage, devices: devicesPage, device: devicePage, schedules: schedulesPage, proposals: proposalsPage, queue: queuePage };
// Pages on which nobody types: they keep themselves up to date.
const LIVE = ["nights", "night", "queue", "devices", "device"];

function tell(error) {
  $("trouble").textContent = error ? error.message : "";
  $("trouble").hidden = !error;
}

async function act(button, work) {
  button.disabled = true;
  try {
    await work();
    tell(null);
    await show();
  } catch (error) {
    tell(error);
  } finally {
    button.disabled = false;
  }
}

let shown = "";
async function show() {
  const [name, id] = (location.hash.slice(1) || "nights").split("=", 2);
  const page = PAGES[name] ?? nightsPage;
  const wanted = location.hash;
  try {
    const cards = await page(id === undefined ? undefined : decodeURIComponent(id));
    if (location.hash !== wanted) return;
    $("page").replaceChildren(...cards.filter(Boolean));
    tell(null);
    if (shown !== wanted && shown) $("page").focus({ preventScroll: true });
    if (shown !== wanted) scrollTo(0, 0);
    shown = wanted;
    const own = { night: "nights", case: "cases", device: "devices" }[name] ?? name;
    for (const tab of document.querySelectorAll("nav a")) {
      if (tab.getAttribute("href") === `#${own}`) tab.setAttribute("aria-current", "page");
      else tab.removeAttribute("aria-current");
    }
    await counts();
  } catch (error) {
    tell(error);
  }
}

async function counts() {
  const [queue, proposals] = await Promise.all([api("health").then((health) => health.queue_length), api("proposals").then((all) => all.length).catch(() => 0)]);
  for (const [id, count] of [["queue-length", queue], ["proposal-count", proposals]]) {
    $(id).textContent = count;
    $(id).hidden = !count;
  }
}

addEventListener("hashchange", show);
async function forever() {
  const name = (location.hash.slice(1) || "nights").split("=")[0];
  const selecting = !getSelection().isCollapsed || $("page").contains(document.activeElement);
  if (!document.hidden && LIVE.includes(name) && !selecting) await show();
  setTimeout(forever, REFRESH_MS);
}
begin().then(async (signedIn) => {
  if (!signedIn) return;
  await show();
  setTimeout(forever, REFRESH_MS);
});
