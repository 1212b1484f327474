// What was not scored, and why. Rows are sorted anew every ten seconds at most, and
// never under the pointer.
import { el, Keyed, show, text } from "/assets/dom.js";
import { count, plural, visible } from "/assets/words.js";

const sortEvery = 10000;
const marks = { door: "–", skipped: "–", dropped: "✕", failed: "✕", items: "✕" };

export class Reasons {
  constructor({ root, digest }, filter) {
    this.digest = digest;
    this.filter = filter;
    this.rows = new Keyed(root.querySelector(".cards"), (id) => new Causes(id, filter));
  }

  update(all) {
    const byID = new Map(all.map((c) => [c.id, c]));
    const reasons = all.reduce((n, c) => n + (c.rows || []).length, 0);
    const recent = all.reduce((n, c) => n + (c.rows || []).reduce((m, r) => m + r.recent, 0), 0);
    text(this.digest, reasons ? `What was not scored, and why: ${plural(reasons, "reason")}, ${count(recent)} in the last 60 s.` : "Everything was scored so far.");
    this.rows.update([...byID.keys()], (row, id) => row.update(byID.get(id)));
  }
}

class Causes {
  constructor(id, filter) {
    this.order = [];
    this.sorted = 0;
    this.title = el("b");
    this.unit = el("span", { class: "muted" });
    this.none = el("p", { class: "muted", text: "none" });
    const body = el("tbody");
    this.table = el("table", { class: "causes" }, el("thead", {}, el("tr", {},
      el("th", { scope: "col", text: "reason" }), el("th", { scope: "col", class: "num", text: "total" }), el("th", { scope: "col", class: "num", text: "last 60 s" }))), body);
    this.rows = new Keyed(body, (reason) => {
      const filters = id === "skipped" || id === "failed";
      const label = el(filters ? "button" : "span", filters ? { type: "button", class: "link mono", on: { click: () => filter({ outcome: id, reason }) } } : { class: "mono" });
      const [total, recent] = [el("td", { class: "num" }), el("td", { class: "num muted" })];
      return { node: el("tr", {}, el("th", { scope: "row" }, label), total, recent), label, total, recent };
    });
    this.node = el("section", { class: "panel" },
      el("p", {}, el("span", { class: "mark " + (marks[id] === "✕" ? "bad" : "muted"), "aria-hidden": "true", text: marks[id] || "" }), " ", this.title, " ", this.unit), this.table, this.none);
    this.node.addEventListener("pointerenter", () => (this.held = true));
    this.node.addEventListener("pointerleave", () => (this.held = false));
  }

  update(c) {
    text(this.title, c.title);
    text(this.unit, c.unit);
    const rows = new Map((c.rows || []).map((r) => [r.name, r]));
    const held = this.held || this.node.contains(document.activeElement) || Date.now() - this.sorted < sortEvery;
    if (held) {
      const stay = this.order.filter((n) => rows.has(n));
      this.order = stay.concat([...rows.keys()].filter((n) => !stay.includes(n)));
    } else {
      this.order = [...rows.keys()];
      this.sorted = Date.now();
    }
    show(this.table, rows.size);
    show(this.none, !rows.size);
    this.rows.update(this.order, (row, reason) => {
      text(row.label, visible(reason));
      text(row.total, count(rows.get(reason).count));
      text(row.recent, count(rows.get(reason).recent));
    });
  }
}
