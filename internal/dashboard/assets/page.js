// Puts the page together: the stream in, the parts out.
import { el, narrow, show, text, toggle } from "/assets/dom.js";
import { clock, duration, plural, visible } from "/assets/words.js";
import { Stream } from "/assets/stream.js";
import { recolor } from "/assets/lines.js";
import { Attention, Empty, Run } from "/assets/top.js";
import { Flow } from "/assets/flow.js";
import { Lanes } from "/assets/lanes.js";
import { Scores } from "/assets/scores.js";
import { Reasons } from "/assets/reasons.js";
import { Results } from "/assets/results.js";

const $ = (id) => document.getElementById(id);
const part = (id) => ({ root: $(id), digest: $(id).querySelector(".digest") });

const results = new Results(part("results"), () => stream.restart());
const attention = new Attention($("attention"), say);
const empty = new Empty($("empty"));
const run = new Run($("run"));
const flow = new Flow(part("flow"));
const lanes = new Lanes(part("lanes"));
const scores = new Scores(part("scores"), (f) => results.filter(f));
const reasons = new Reasons(part("reasons"), (f) => results.filter(f));

// A phone begins with what fits on it; the rest says in its headline what is in it.
if (narrow.matches) for (const id of ["reasons", "results"]) $(id).open = false;

let updated = 0;
let wholeWanted = false;
let changes = new Set();
let lines = false;
let drawn = 0;

const stream = new Stream({
  query: () => results.query(),
  onChange: (changed, whole, points) => {
    updated = Date.now();
    wholeWanted ||= whole;
    lines ||= points;
    for (const name of changed) changes.add(name);
    if (!drawn) drawn = requestAnimationFrame(draw);
  },
  onResults: (r) => {
    results.head = stream.cells.get("head") || results.head;
    results.take(r);
  },
  onState: connection,
});

// A hidden page has no animation frames; it is drawn when it is seen again.
function draw() {
  drawn = 0;
  const c = stream.cells;
  const has = (prefix) => wholeWanted || [...changes].some((name) => name.startsWith(prefix));
  const head = c.get("head");
  if (head && has("head")) heading(head);
  if (has("attention") || has("head")) attention.update(c.get("attention") || [], head);
  if (has("run")) run.update(c.get("run"), c);
  if (has("flow")) flow.update(c.get("flow") || []);
  if (has("lane")) lanes.update((c.get("lanes") || []).map((key) => c.get("lane/" + key)).filter(Boolean));
  const metrics = (c.get("metrics") || []).map((key) => c.get("metric/" + key)).filter(Boolean);
  if (has("metric")) {
    scores.update(metrics);
    results.known(metrics, c.get("reasons") || []);
  }
  if (has("reasons")) reasons.update(c.get("reasons") || []);
  if (lines || wholeWanted) {
    lanes.lines(stream.points);
    scores.lines(stream.points);
  }
  const state = head?.state;
  for (const s of ["starting", "empty", "running", "ended"]) toggle(document.body, s, s === state);
  show(empty.root, state === "empty");
  if (state === "empty" && has("metric")) empty.update(metrics);
  show($("flow"), state && state !== "starting");
  show($("lanes"), state && state !== "starting");
  const any = state === "running" || state === "ended";
  for (const id of ["scores", "reasons", "results"]) show($(id), any);
  wholeWanted = lines = false;
  changes = new Set();
}

const facts = new Map();
function heading(head) {
  fact("service", visible(head.name || ""));
  fact("state", head.state === "empty" ? "running" : head.state);
  fact("mode", head.mode);
  fact("up", duration(head.uptime));
  show($("content-choice"), head.content);
  results.head = head;
  const waiting = attention.count ? `(${attention.count}) ` : "";
  document.title = waiting + (head.name ? visible(head.name) + " · " : "") + "genaievals";
}

function fact(name, value) {
  if (!facts.has(name)) {
    const dd = el("dd");
    const box = el("div", {}, el("dt", { text: name }), dd);
    facts.set(name, { box, dd });
    $("facts").append(box);
  }
  const { box, dd } = facts.get(name);
  text(dd, value);
  show(box, value);
}

let connected = "";
function connection(state) {
  const down = state.name === "lost" || state.name === "retrying";
  text($("live-word"), { live: "live", connecting: "connecting", lost: "disconnected", retrying: "connecting" }[state.name]);
  text($("live-more"), down
    ? (updated ? `numbers of ${clock(updated)}` : "no numbers yet") + (state.left ? `, next try in ${state.left} s` : "")
    : updated ? "updated " + clock(updated) : "");
  toggle(document.body, "stale", down);
  toggle($("live"), "down", down);
  toggle($("live"), "up", state.name === "live");
  show($("retry"), state.name === "lost");
  const now = down ? "lost" : state.name;
  if (now !== connected) {
    if (now === "lost") say("Disconnected. The numbers stand still.");
    if (now === "live" && connected === "lost") say("Connected again.");
    connected = now;
  }
}

function say(words) {
  text($("said"), words);
}

$("retry").addEventListener("click", () => stream.open());
$("content").addEventListener("change", () => results.withContent($("content").checked));

const theme = $("theme");
theme.value = document.documentElement.dataset.theme || "system";
theme.addEventListener("change", () => {
  if (theme.value === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme.value;
  try { localStorage.setItem("genaievals-theme", theme.value); } catch { /* not kept */ }
  recolor();
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", recolor);
addEventListener("pagehide", () => stream.source?.close());
addEventListener("pageshow", (e) => e.persisted && stream.open());
stream.open();
