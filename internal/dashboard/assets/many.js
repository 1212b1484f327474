// More rows than can be read at a glance: those with trouble and the first few,
// the rest on demand or by name.
import { el, show, text } from "/assets/dom.js";

export class Many {
  constructor(root, { few, what, changed }) {
    this.few = few;
    this.what = what;
    this.all = false;
    this.root = root;
    this.search = el("input", { type: "search", placeholder: `Find ${what}`, "aria-label": `Find ${what}`, on: { input: changed } });
    this.button = el("button", { type: "button", "aria-pressed": "false", on: { click: () => {
      this.all = !this.all;
      this.button.setAttribute("aria-pressed", String(this.all));
      changed();
    } } });
    root.append(this.search, this.button);
  }

  // pick returns the keys to show, in their order.
  pick(rows, troubled, name) {
    show(this.root, rows.length > this.few);
    if (rows.length <= this.few) return rows;
    const wanted = this.search.value.trim().toLowerCase();
    text(this.button, this.all ? `Show fewer` : `Show all ${rows.length}`);
    if (wanted) return rows.filter((r) => name(r).toLowerCase().includes(wanted));
    if (this.all) return rows;
    const room = Math.max(0, this.few - rows.filter(troubled).length);
    let calm = 0;
    return rows.filter((r) => troubled(r) || calm++ < room);
  }
}
