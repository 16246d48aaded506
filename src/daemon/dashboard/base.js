"use strict";
// What both pages share. Everything from the server goes into a page as text, never as markup.

const $ = (id) => document.getElementById(id);
let csrf = null;

function element(tag, className, ...children) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

async function ask(method, path, body) {
  const options = { method, headers: {} };
  if (body !== undefined) {
    options.headers["content-type"] = "application/json";
    options.body = JSON.stringify(body);
  }
  if (csrf) options.headers["x-tapwright-csrf"] = csrf;
  const response = await fetch(`/api/v1/${path}`, options);
  if (response.status === 204) return null;
  const answer = await response.json();
  if (response.status === 401 && path !== "session") showSignIn();
  if (!response.ok) throw new Error(answer.error?.message ?? `status ${response.status}`);
  return answer;
}

const api = (path, body) => ask(body === undefined ? "GET" : "POST", path, body);

// Who is signed in; asks for a token where one is needed.
async function begin() {
  try {
    const session = await ask("GET", "session");
    csrf = session.csrf ?? null;
    if (session.tokens) $("who").textContent = `${session.name} (${session.scope})`;
    $("leave").hidden = !session.tokens;
    return true;
  } catch {
    showSignIn();
    return false;
  }
}

function showSignIn() {
  const dialog = $("sign-in");
  if (dialog.open) return;
  dialog.showModal();
}

$("sign-in").addEventListener("cancel", (event) => event.preventDefault());
$("sign-in-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  try {
    await api("session", { token: $("token").value.trim() });
    location.reload();
  } catch (error) {
    $("sign-in-message").textContent = error.message;
    $("sign-in-message").hidden = false;
  }
});
$("leave").addEventListener("click", async () => {
  await api("session/end", null);
  location.reload();
});

function duration(ms) {
  if (!Number.isFinite(ms)) return "";
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60000) return `${(ms / 1000).toFixed(1)} s`;
  if (ms < 3600000) return `${Math.floor(ms / 60000)} m ${String(Math.floor((ms % 60000) / 1000)).padStart(2, "0")} s`;
  return `${Math.floor(ms / 3600000)} h ${String(Math.floor((ms % 3600000) / 60000)).padStart(2, "0")} m`;
}

function clock(time) {
  if (!time) return "";
  const date = new Date(time);
  const today = date.toDateString() === new Date().toDateString();
  const options = today ? { timeStyle: "medium" } : { dateStyle: "medium", timeStyle: "short" };
  return date.toLocaleString([], options);
}
