// Recent results: a sample that the server takes and filters. They hold still while
// somebody reads them.
import { el, narrow, show, text, toggle } from "/assets/dom.js";
import { clock, count, duration, money, nothing, plural, score, visible } from "/assets/words.js";

const rowsShown = () => (narrow.matches ? 10 : 15);
const mostHeld = 200;
const outcomes = [["", "all"], ["not_passed", "scored, did not pass"], ["scored", "scored"], ["skipped", "skipped"], ["failed", "failed"]];

export class Results {
  constructor({ root, digest }, restart) {
    this.digest = digest;
    this.restart = restart;
    this.root = root;
    this.head = {};
    this.wanted = {};
    this.waiting = [];
    this.rows = [];
    this.selects = {};
    const filters = root.querySelector(".filters");
    const choose = (key, label, options = [["", "all"]]) => {
      const select = el("select", { on: { change: () => this.filter({ [key]: select.value }, true) } });
      this.selects[key] = select;
      fill(select, options);
      filters.append(el("label", { class: "choice" }, label + " ", select));
    };
    choose("metric", "Metric");
    choose("evaluator", "Evaluator");
    choose("outcome", "Outcome", outcomes);
    choose("label", "Label");
    choose("reason", "Reason");
    this.text = el("input", { type: "search", "aria-label": "Text in results", placeholder: "Text", on: { input: () => {
      clearTimeout(this.typing);
      this.typing = setTimeout(() => this.filter({ text: this.text.value.trim() }, true), 300);
    } } });
    this.clear = el("button", { type: "button", text: "Clear filters", hidden: true, on: { click: () => this.filter({}) } });
    this.newer = el("button", { type: "button", class: "newer", hidden: true, on: { click: () => this.release() } });
    filters.append(this.text, this.clear, this.newer);
    this.body = el("tbody");
    this.none = el("p", { class: "plain muted", text: "No result yet." });
    this.table = el("table", { class: "results" }, el("thead", {}, el("tr", {}, el("th", {}, el("span", { class: "unseen", text: "Details" })),
      ...["Time", "Metric", "Score", "Label or reason", "Why", "Evaluator", "Trace or item"].map((h) => el("th", { scope: "col", class: h === "Score" ? "num" : null, text: h })))), this.body);
    root.querySelector(".panel").append(this.table, this.none);
    this.table.addEventListener("pointerenter", () => (this.over = true));
    this.table.addEventListener("pointerleave", () => { this.over = false; this.perhapsRelease(); });
    this.table.addEventListener("focusout", () => setTimeout(() => this.perhapsRelease()));
  }

  query() {
    const q = new URLSearchParams();
    for (const [key, value] of Object.entries(this.wanted)) if (value) q.set(key, value);
    if (this.content) q.set("content", "1");
    return q;
  }

  filter(wanted, add) {
    this.wanted = add ? { ...this.wanted, ...wanted } : wanted;
    for (const [key, select] of Object.entries(this.selects)) {
      const value = this.wanted[key] || "";
      if (![...select.options].some((o) => o.value === value)) select.append(el("option", { value, text: visible(value) }));
      select.value = value;
    }
    if (!add || "text" in wanted) if (document.activeElement !== this.text) this.text.value = this.wanted.text || "";
    show(this.clear, Object.values(this.wanted).some(Boolean));
    if (!add) {
      this.root.open = true;
      if (Object.values(wanted).some(Boolean)) this.root.scrollIntoView({ block: "start" });
    }
    this.restart();
  }

  withContent(on) {
    this.content = on;
    this.restart();
  }

  // known fills the choices from what there is.
  known(metrics, reasons) {
    const all = [["", "all"]];
    const options = (names) => all.concat([...new Set(names)].filter(Boolean).sort().map((n) => [n, visible(n)]));
    fill(this.selects.metric, options(metrics.map((m) => m.name)));
    fill(this.selects.evaluator, options(metrics.map((m) => m.evaluator)));
    fill(this.selects.label, options(metrics.filter((m) => !this.wanted.metric || m.name === this.wanted.metric).flatMap((m) => (m.labels || []).map((l) => l.name))));
    fill(this.selects.reason, options(reasons.filter((c) => c.id === "skipped" || c.id === "failed").flatMap((c) => (c.rows || []).map((r) => r.name))));
  }

  take({ results, reset }) {
    if (reset) {
      this.waiting = [];
      for (const row of this.rows) for (const n of row.nodes) n.remove();
      this.rows = [];
    }
    this.waiting = results.concat(this.waiting).slice(0, mostHeld);
    if (reset || !this.held()) this.release();
    else this.count();
  }

  held() {
    return this.over || this.table.contains(document.activeElement) || this.rows.some((r) => r.open);
  }

  perhapsRelease() {
    if (!this.held()) this.release();
  }

  release() {
    for (const r of this.waiting.slice(0, rowsShown()).reverse()) {
      const row = new Row(r, this.head);
      this.body.prepend(...row.nodes);
      this.rows.unshift(row);
    }
    this.waiting = [];
    while (this.rows.length > rowsShown()) {
      const last = this.rows.findLastIndex((r) => !r.open);
      if (last < 0) break;
      for (const n of this.rows[last].nodes) n.remove();
      this.rows.splice(last, 1);
    }
    this.count();
  }

  count() {
    show(this.table, this.rows.length);
    show(this.none, !this.rows.length);
    const filtered = Object.values(this.wanted).some(Boolean);
    text(this.none, filtered ? "No result that is kept matches." : "No result yet.");
    show(this.newer, this.waiting.length);
    text(this.newer, `${this.waiting.length >= mostHeld ? mostHeld + " or more" : this.waiting.length} newer`);
    const kept = this.head.kept ? `${count(this.head.kept)} are kept, ` : "";
    text(this.digest, `${filtered ? "Filtered. " : ""}A sample: ${kept}rather those that were skipped, failed or did not pass.` + (this.waiting.length ? " Held while you read." : ""));
  }
}

function fill(select, options) {
  const text = options.map((o) => o.join("=")).join("\n");
  if (select.dataset.options === text || document.activeElement === select) return;
  select.dataset.options = text;
  const value = select.value;
  select.replaceChildren(...options.map(([value, label]) => el("option", { value, text: label })));
  if (![...select.options].some((o) => o.value === value)) select.append(el("option", { value, text: visible(value) }));
  select.value = value;
}

class Row {
  constructor(r, head) {
    this.r = r;
    this.head = head;
    const passed = r.outcome === "scored" && r.passed;
    const [mark, look] = passed ? ["✓", "good"] : r.outcome === "scored" ? ["△", "warn"] : r.outcome === "skipped" ? ["–", "muted"] : ["✕", "bad"];
    const says = r.outcome === "scored" ? r.label || (r.passed ? "passes" : "does not pass") : `${r.outcome}, ${r.reason}`;
    const why = r.explanation || r.error || "";
    this.button = el("button", { type: "button", class: "open", "aria-expanded": "false", "aria-label": `Details of ${visible(r.metric)}, ${visible(says)}`, text: "›", on: { click: () => this.toggle() } });
    this.row = el("tr", { class: "result" },
      el("td", { class: "toggle" }, this.button),
      el("td", { class: "mono time", text: clock(r.at) }),
      el("td", { class: "metric", text: visible(r.metric) }),
      el("td", { class: "num score", text: score(r.score) }),
      el("td", { class: "says" }, el("span", { class: "mark " + look, "aria-hidden": "true", text: mark }), " ", visible(says)),
      el("td", { class: "why" }, el("span", { class: "cut", text: visible(why.slice(0, 300)) })),
      el("td", { class: "who muted", text: visible(r.model || r.evaluator) }),
      el("td", { class: "trace" }, this.where(true)));
    this.nodes = [this.row];
  }

  // where the result comes from: a link to its trace, or the item's id.
  where(short) {
    const { trace_id: trace, span_id: span, item, line } = this.r;
    if (item) return el("span", { class: "mono", text: visible(short ? item.slice(0, 16) : item) + (line && !short ? `, line ${line}` : "") });
    if (!trace) return el("span", { class: "muted", text: nothing });
    const shown = visible(short ? trace.slice(0, 8) + "…" : trace);
    const template = this.head.trace_url;
    if (!template || !/^https?:\/\//i.test(template)) return el("span", { class: "mono", text: shown });
    const href = template.replaceAll("{trace_id}", encodeURIComponent(trace)).replaceAll("{span_id}", encodeURIComponent(span || ""));
    return el("a", { class: "mono", href, target: "_blank", rel: "noreferrer noopener", text: shown });
  }

  toggle() {
    this.open = !this.open;
    this.button.setAttribute("aria-expanded", String(this.open));
    toggle(this.row, "opened", this.open);
    if (this.open && !this.more) {
      this.more = el("tr", { class: "details" }, el("td", { colspan: "8" }, this.details()));
      this.nodes.push(this.more);
      this.row.after(this.more);
    }
    if (this.more) show(this.more, this.open);
  }

  details() {
    const r = this.r;
    const list = el("dl");
    const add = (name, value, isText) => {
      if (value === "" || value === null || value === undefined) return;
      list.append(el("dt", { text: name }), el("dd", isText ? { class: "text" } : {}, typeof value === "string" ? visible(value) : value));
    };
    add("Why", r.explanation || (this.head.explanation ? "" : "Explanations are switched off."), true);
    add("Failure", r.error || "", true);
    add("Input", r.input || "", true);
    add("Output", r.output || "", true);
    add("Evaluator", [r.evaluator, r.model].filter(Boolean).join(", "));
    add("Took", duration(r.took) + (r.waited ? `, waited ${duration(r.waited)} for limits` : "") +
      (r.attempts > 1 ? `, ${plural(r.attempts, "call")}` : "") + (r.tokens ? `, ${plural(r.tokens, "token")}` : "") + (r.cost !== undefined ? `, ${money(r.cost)}` : ""));
    add("Item", r.item ? this.where(false) : "");
    add("Trace", r.trace_id && !r.item ? this.where(false) : "");
    add("Span", r.span_id ? el("span", { class: "mono", text: visible(r.span_id) }) : "");
    return list;
  }
}
