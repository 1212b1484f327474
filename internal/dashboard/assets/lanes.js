// One row a lane: its queue, its workers, and what holds it back.
import { el, Keyed, narrow, scale, show, text, toggle } from "/assets/dom.js";
import { line } from "/assets/lines.js";
import { Many } from "/assets/many.js";
import { count, duration, hour, money, plural, rate, sizeOf, visible } from "/assets/words.js";

const marks = { ok: "✓", warn: "△", bad: "✕" };
const fewLanes = 8;
const mostPips = 16;

export class Lanes {
  constructor({ root, digest }) {
    this.digest = digest;
    this.seen = [];
    this.points = [];
    this.many = new Many(root.querySelector(".many"), { few: fewLanes, what: "a lane", changed: () => this.draw() });
    const body = el("tbody");
    root.querySelector(".panel").append(el("table", { class: "lanes" },
      el("thead", {}, el("tr", {}, ...["Lane", "Queue", "Workers", "Throughput, 2 min", "Limits", "Breaker", "Budget"].map((h) => el("th", { scope: "col", text: h })))), body));
    this.rows = new Keyed(body, () => new Lane());
  }

  update(lanes) {
    this.seen = lanes;
    const bad = lanes.filter((l) => l.level !== "ok").length;
    text(this.digest, lanes.length === 1 ? (bad ? visible(lanes[0].state) : "1 lane") : `${lanes.length} lanes, ` + (bad ? `${bad} in trouble` : "all keep up"));
    this.draw();
  }

  draw() {
    const shown = this.many.pick(this.seen, (l) => l.level !== "ok", (l) => l.name + " " + l.about);
    const byKey = new Map(shown.map((l) => [l.key, l]));
    this.rows.update([...byKey.keys()], (row, key) => row.update(byKey.get(key)));
  }

  lines(points) {
    const xs = points.map((p) => p.t / 1000);
    for (const [key, row] of this.rows.rows) row.line(xs, points.map((p) => p.lanes[key] ?? null));
  }
}

class Lane {
  constructor() {
    this.name = el("b", { class: "mono" });
    this.mark = el("span", { class: "mark", "aria-hidden": "true" });
    this.state = el("span");
    this.about = el("div", { class: "muted" });
    this.more = el("button", { type: "button", class: "more", "aria-expanded": "false", text: "More", on: { click: () => {
      const open = this.node.classList.toggle("open");
      this.more.setAttribute("aria-expanded", String(open));
      this.more.textContent = open ? "Less" : "More";
    } } });
    this.queued = el("div");
    this.fill = el("div", { class: "fill" });
    this.meter = el("div", { class: "meter", "aria-hidden": "true" }, this.fill);
    this.bytes = el("div", { class: "muted bytes" });
    this.workers = el("div");
    this.pips = el("div", { class: "pips", "aria-hidden": "true" });
    this.rate = el("div");
    this.chart = el("div", { class: "chart", role: "img", "aria-label": "Throughput over two minutes" });
    this.gates = [el("td", { "data-label": "Limits", class: "gate" }), el("td", { "data-label": "Breaker", class: "breaker" }), el("td", { "data-label": "Budget", class: "budget" })];
    this.gateRows = this.gates.map((cell, i) => new Keyed(cell, () => [new Limits(), new Breaker(), new Budget()][i]));
    this.node = el("tr", {},
      el("th", { scope: "row" }, this.name, el("div", { class: "state" }, this.mark, " ", this.state), this.about, this.more),
      el("td", { "data-label": "Queue" }, this.queued, this.meter, this.bytes),
      el("td", { "data-label": "Workers" }, this.workers, this.pips),
      el("td", { "data-label": "Throughput", class: "through" }, this.rate, this.chart), ...this.gates);
  }

  update(l) {
    this.node.className = l.level + (this.node.classList.contains("open") ? " open" : "");
    text(this.name, visible(l.name));
    text(this.mark, marks[l.level] || "");
    text(this.state, visible(l.state));
    text(this.about, visible(l.about || ""));
    text(this.queued, `${count(l.queued)} waiting`);
    const room = l.room_bytes ? l.queued_bytes / l.room_bytes : l.room ? l.queued / l.room : 0;
    show(this.meter, l.room_bytes || l.room);
    scale(this.fill, room);
    text(this.bytes, [l.room_bytes ? sizeOf(l.queued_bytes, l.room_bytes) : "", l.oldest >= 0.1 ? `oldest ${duration(l.oldest)}` : ""].filter(Boolean).join(", "));
    text(this.workers, `${l.busy} of ${l.workers} busy` + (l.stuck ? `, ${l.stuck} hang` : ""));
    this.pip(l);
    text(this.rate, rate(l.rate) + (l.dropped ? `, ${count(l.dropped)} dropped` : ""));
    const gates = new Map((l.gates || []).map((g) => [g.evaluator, g]));
    const keys = gates.size ? [...gates.keys()] : [""];
    const named = keys.length > 1;
    for (const rows of this.gateRows) rows.update(keys, (row, key) => row.update(gates.get(key), named));
    toggle(this.node, "free", !gates.size);
  }

  pip(l) {
    const n = Math.min(l.workers, mostPips);
    while (this.pips.childElementCount < n) this.pips.append(el("i"));
    while (this.pips.childElementCount > n) this.pips.lastChild.remove();
    const busy = l.workers ? Math.round((l.busy / l.workers) * n) : 0;
    [...this.pips.children].forEach((pip, i) => toggle(pip, "on", i < busy));
  }

  line(xs, ys) {
    if (narrow.matches && !this.node.classList.contains("open")) return;
    this.plot ||= line(this.chart, { span: 120, fill: true });
    this.plot.data(xs, ys);
  }

  gone() {
    this.plot?.gone();
  }
}

class Block {
  constructor(...children) {
    this.who = el("div", { class: "mono small" });
    this.lines = children;
    this.node = el("div", { class: "gateblock" }, this.who, ...children);
  }

  named(g, named) {
    show(this.who, named && g);
    if (named && g) text(this.who, visible(g.evaluator));
  }
}

class Limits extends Block {
  constructor() {
    super(el("div"), el("div"), el("div", { class: "muted" }), el("div", { class: "muted" }));
  }

  update(g, named) {
    this.named(g, named);
    const [top, state, wait, learned] = this.lines;
    if (!g) {
      text(top, "no limit");
      for (const l of [state, wait, learned]) text(l, "");
      toggle(top, "muted", true);
      return;
    }
    const limits = [g.rate, g.token_rate && g.token_rate + " tokens"].filter(Boolean).join(", ");
    toggle(top, "muted", false);
    text(top, `${limits || "no limit set"}, ${count(g.in_flight)}${g.ceiling ? " of " + count(g.cap) : ""} in flight`);
    const paused = g.paused >= 0.5;
    text(state, g.err ? "✕ off: " + visible(g.err) : g.breaker?.state === "open" ? "✕ closed by the breaker" : g.budget?.spent ? "△ closed: budget spent" : paused ? `△ paused, ${duration(g.paused)} left` : g.blocked ? "△ refused, tries one at a time" : "● open");
    state.className = g.err || g.breaker?.state === "open" ? "bad" : paused || g.blocked || g.budget?.spent ? "warn" : "good";
    text(wait, `${count(g.waiting)} wait${g.wait === null ? "" : ", " + duration(g.wait) + " each"}, ${plural(g.refusals, "429", "429s")}`);
    text(learned, g.pace ? `learned: ${rate(g.pace)}, ${count(g.cap)} at once` : g.ceiling ? `learned: ${count(g.cap)} of ${count(g.ceiling)} at once` : "");
  }
}

class Breaker extends Block {
  constructor() {
    super(el("div"), el("div", { class: "muted" }));
  }

  update(g, named) {
    this.named(g, named);
    const [state, more] = this.lines;
    const b = g?.breaker;
    if (!b) {
      state.className = "muted";
      text(state, "none");
      text(more, "");
      return;
    }
    state.className = b.state === "closed" ? "good" : b.state === "open" ? "bad" : "warn";
    text(state, b.state === "closed" ? "✓ closed" : b.state === "open" ? "✕ open" : "△ half open");
    text(more, b.state === "open" ? `tries in ${duration(b.left)}${b.reason ? ", " + visible(b.reason) : ""}` : b.state === "half-open" ? "one call tries" : b.opened ? `opened ${plural(b.opened, "time")}` : "never opened");
  }
}

const windows = { 60: "a minute", 3600: "an hour", 86400: "a day" };

class Budget extends Block {
  constructor() {
    const fill = el("div", { class: "fill" });
    super(el("div"), el("div", { class: "meter", "aria-hidden": "true" }, fill), el("div", { class: "muted" }));
    this.fill = fill;
  }

  update(g, named) {
    this.named(g, named);
    const [left, meter, more] = this.lines;
    const b = g?.budget;
    show(meter, b);
    left.className = b ? (b.spent ? "warn" : "") : "muted";
    if (!b) {
      text(left, "none");
      text(more, "");
      return;
    }
    const amount = (v) => (b.tokens ? count(v) : money(v));
    text(left, b.spent ? "△ budget spent" : `${amount(b.left)} of ${amount(b.amount)}${b.tokens ? " tokens" : ""} left`);
    scale(this.fill, 1 - b.left / b.amount);
    text(more, (windows[b.per] || "every " + duration(b.per)) + (b.renews ? `, resets ${hour(b.renews)}` : ""));
  }
}
