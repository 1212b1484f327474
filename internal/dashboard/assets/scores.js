// A card a metric: how much passes, which way it goes, and how scores spread.
import { el, Keyed, narrow, show, text, toggle } from "/assets/dom.js";
import { line } from "/assets/lines.js";
import { Many } from "/assets/many.js";
import { count, duration, money, nothing, percent, score, visible } from "/assets/words.js";

const fewMetrics = 9;
const trendLeast = 0.5; // points that are called a change

export class Scores {
  constructor({ root, digest }, filter) {
    this.digest = digest;
    this.seen = [];
    this.many = new Many(root.querySelector(".many"), { few: fewMetrics, what: "a metric", changed: () => this.draw() });
    this.rows = new Keyed(root.querySelector(".cards"), () => new Card(filter));
  }

  update(metrics) {
    this.seen = metrics;
    const scored = metrics.filter((m) => m.scored);
    const lowest = scored.reduce((low, m) => (!low || m.passed / m.scored < low.passed / low.scored ? m : low), null);
    text(this.digest, lowest ? `Scored results since the start. Lowest: ${visible(lowest.name)}, ${percent(lowest.passed / lowest.scored)} pass.` : "Nothing is scored yet.");
    this.draw();
  }

  draw() {
    const falling = (m) => m.trend !== null && m.trend < -5;
    const byKey = new Map(this.many.pick(this.seen, falling, (m) => m.name + " " + m.evaluator).map((m) => [m.key, m]));
    this.rows.update([...byKey.keys()], (row, key) => row.update(byKey.get(key)));
  }

  lines(points) {
    const xs = points.map((p) => p.t / 1000);
    for (const [key, row] of this.rows.rows) row.line(xs, points.map((p) => p.metrics[key] ?? null));
  }
}

export function trend(points) {
  if (points === null || points === undefined) return "";
  if (Math.abs(points) < trendLeast) return "→ steady";
  return `${points > 0 ? "↑ up" : "↓ down"} ${Math.abs(points).toFixed(1)} points in 1 min`;
}

// passes tells whether all, none or some of a bar's scores pass.
function passes(m, bar) {
  const [from, to] = [bar / 10, (bar + 1) / 10];
  if (m.direction === "lower") return from > m.threshold ? "no" : "yes";
  return (bar === 9 ? 1 : to - 1e-9) < m.threshold ? "no" : "yes";
}

class Card {
  constructor(filter) {
    this.filter = filter;
    this.name = el("h3", { class: "mono" });
    this.rate = el("span", { class: "big" });
    this.rule = el("p", { class: "muted" });
    this.trend = el("span", { class: "trend" });
    this.bars = Array.from({ length: 10 }, () => el("i"));
    this.hist = el("div", { class: "hist", role: "img" }, ...this.bars);
    this.ends = [el("span"), el("span")];
    this.chart = el("div", { class: "chart tall", role: "img" });
    this.range = el("span");
    this.labels = el("ul", { class: "labels" });
    this.labelRows = new Keyed(this.labels, (label) => {
      const name = el("button", { type: "button", class: "link", on: { click: () => filter({ metric: this.metric.name, evaluator: this.metric.evaluator, label }) } });
      const n = el("b");
      return { node: el("li", {}, name, " ", n), name, n };
    });
    this.foot = el("p", { class: "muted" });
    this.error = el("p", { class: "muted cut" });
    this.more = el("button", { type: "button", class: "more", "aria-expanded": "false", text: "More", on: { click: () => {
      const open = this.node.classList.toggle("open");
      this.more.setAttribute("aria-expanded", String(open));
      this.more.textContent = open ? "Less" : "More";
    } } });
    this.node = el("section", { class: "panel card" },
      el("div", { class: "line" }, this.name, el("span", { class: "nowrap" }, this.rate, el("span", { class: "muted", text: " pass" }))),
      el("div", { class: "line" }, this.rule, this.trend),
      el("div", { class: "two" },
        el("div", {}, this.hist, el("div", { class: "line muted small" }, ...this.ends)),
        el("div", {}, this.chart, el("div", { class: "line muted small" }, el("span", { text: "pass rate, 3 min" }), this.range))),
      this.labels, this.foot, this.error, this.more);
  }

  update(m) {
    this.metric = m;
    const rate = m.scored ? m.passed / m.scored : null;
    this.name.replaceChildren(visible(m.name), el("span", { class: "muted plainfont", text: " " + visible(m.evaluator) }));
    text(this.rate, percent(rate));
    const lower = m.direction === "lower";
    text(this.rule, m.direction ? `${m.direction} is better, passes at ${lower ? "≤" : "≥"} ${score(m.threshold)}` : "not scored yet");
    text(this.trend, trend(m.trend));
    toggle(this.trend, "worse", m.trend !== null && m.trend <= -trendLeast);
    text(this.ends[0], m.direction ? (lower ? "0 better" : "0 worse") : "0");
    text(this.ends[1], m.direction ? (lower ? "worse 1" : "better 1") : "1");
    const most = Math.max(1, ...m.buckets);
    m.buckets.forEach((n, i) => {
      const to = `scaleY(${n ? Math.max(0.03, n / most).toFixed(4) : 0})`;
      if (this.bars[i].style.transform !== to) this.bars[i].style.transform = to;
      toggle(this.bars[i], "no", m.direction && passes(m, i) === "no");
    });
    this.hist.setAttribute("aria-label", "Scores by tenths: " + m.buckets.map(count).join(", "));
    const labels = new Map((m.labels || []).map((t) => [t.name, t.count]));
    this.labelRows.update([...labels.keys()], (row, label) => {
      text(row.name, visible(label));
      text(row.n, count(labels.get(label)));
    });
    text(this.foot, [`scored ${count(m.scored)}`, `mean ${score(m.mean)}`, `skipped ${count(m.skipped)}`, `failed ${count(m.failed)}`,
      m.latency ? `median ${duration(m.latency)}` : "", m.cost ? money(m.cost) : ""].filter(Boolean).join(", "));
    show(this.error, m.last_error);
    text(this.error, m.last_error ? "Last failure: " + visible(m.last_error) : "");
  }

  line(xs, ys) {
    if (narrow.matches && !this.node.classList.contains("open")) return;
    this.plot ||= line(this.chart, { span: 180, max: 1 });
    this.plot.data(xs, ys);
    const known = ys.filter((y) => y !== null);
    const words = known.length ? `${Math.floor(100 * Math.min(...known))} to ${Math.ceil(100 * Math.max(...known))} %` : nothing;
    text(this.range, words);
    this.chart.setAttribute("aria-label", "Pass rate over three minutes: " + words);
  }

  gone() {
    this.plot?.gone();
  }
}
