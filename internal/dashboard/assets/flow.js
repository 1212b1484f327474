// The conservation laws as sums, each checked.
import { el, Keyed, text, toggle } from "/assets/dom.js";
import { count, plural, rate } from "/assets/words.js";

const looks = { "fanned out": "done", done: "done", scored: "done", queued: "queued", "to come": "queued", "in flight": "flight", running: "flight", skipped: "skipped", dropped: "dropped", failed: "dropped" };

export class Flow {
  constructor({ root, digest }) {
    this.root = root;
    this.digest = digest;
    this.rows = new Keyed(root.querySelector(".flow"), () => new Sum());
  }

  update(sums) {
    const byID = new Map(sums.map((s) => [s.id, s]));
    this.rows.update([...byID.keys()], (row, id) => row.update(byID.get(id)));
    const off = sums.filter((s) => s.off).length;
    text(this.digest, off ? `${plural(off, "sum")} of ${sums.length} off` : "Counts since the start, rates over 10 s, bars over 60 s.");
  }
}

class Sum {
  constructor() {
    this.title = el("b");
    this.unit = el("span", { class: "muted" });
    this.check = el("span", { class: "check" });
    this.total = el("span", { class: "huge" });
    this.what = el("span");
    this.rate = el("span", { class: "muted side" });
    this.bar = el("div", { class: "stack", "aria-hidden": "true" });
    this.list = el("dl", { class: "terms" });
    this.segments = new Keyed(this.bar, (name) => ({ node: el("i", { class: "seg " + (looks[name] || "done") }) }));
    this.terms = new Keyed(this.list, (name) => {
      const dd = el("dd");
      const small = el("dd", { class: "muted" });
      return { node: el("div", {}, el("dt", {}, el("i", { class: "swatch " + (looks[name] || "done"), "aria-hidden": "true" }), name), dd, small), dd, small };
    });
    this.node = el("section", { class: "panel sum" },
      el("p", { class: "line" }, el("span", {}, this.title, " ", this.unit), this.check),
      el("p", { class: "line" }, el("span", {}, this.total, " ", this.what), this.rate), this.bar, this.list);
  }

  update(s) {
    text(this.title, s.title);
    text(this.unit, s.unit);
    toggle(this.node, "off", s.off);
    text(this.check, s.off ? `△ off by ${count(s.off)}` : s.checked ? "✓ adds up" : "");
    text(this.total, count(s.total.count));
    text(this.what, s.total.name);
    text(this.rate, rate(s.total.rate));
    const parts = new Map(s.parts.map((p) => [p.name, p]));
    const all = s.parts.reduce((sum, p) => sum + p.recent, 0);
    toggle(this.bar, "quiet", !all);
    this.segments.update([...parts.keys()], (row, name) => {
      const grow = all ? String(parts.get(name).recent / all) : "0";
      if (row.node.style.flexGrow !== grow) row.node.style.flexGrow = grow;
    });
    this.terms.update([...parts.keys()], (row, name) => {
      const p = parts.get(name);
      text(row.dd, count(p.count));
      text(row.small, p.now ? "now" : rate(p.rate));
    });
  }
}
