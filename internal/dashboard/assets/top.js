// What stands above all else: attention, the first steps, and a run.
import { el, Keyed, scale, show, text, toggle } from "/assets/dom.js";
import { clock, count, duration, money, nothing, percent, plural, rate, visible } from "/assets/words.js";

const marks = { bad: "✕", warn: "△" };

export class Attention {
  constructor(root, say) {
    this.root = root;
    this.say = say;
    this.count = 0;
    this.mark = el("span", { class: "mark", "aria-hidden": "true" });
    this.title = el("b");
    this.more = el("span", { class: "muted" });
    this.list = el("ul");
    this.rows = new Keyed(this.list, () => {
      const mark = el("span", { class: "mark", "aria-hidden": "true" });
      const link = el("a");
      return { node: el("li", {}, mark, link), mark, link };
    });
    root.replaceChildren(el("p", {}, this.mark, this.title, " ", this.more), this.list);
  }

  update(notices, head) {
    this.count = notices.length;
    const bad = notices.some((n) => n.level === "bad");
    toggle(this.root, "bad", bad);
    toggle(this.root, "warn", notices.length && !bad);
    if (notices.length) {
      text(this.mark, bad ? marks.bad : marks.warn);
      text(this.title, notices.length === 1 ? "1 thing needs attention" : `${notices.length} things need attention`);
      text(this.more, "");
    } else {
      const [mark, title, more] = {
        starting: ["…", "Starting", "There are no lanes yet."],
        empty: ["✓", "Running, nothing offered yet", "No invocation has come to the door."],
        ended: ["✓", "Ended", "Nothing is left to do."],
      }[head?.state] || ["✓", "Nothing needs attention", "In the last minute nothing was dropped, no breaker opened, budgets last and few metrics failed."];
      text(this.mark, mark);
      text(this.title, title);
      text(this.more, more);
    }
    show(this.list, notices.length);
    const byID = new Map(notices.map((n) => [n.id, n]));
    this.rows.update([...byID.keys()], (row, id) => {
      const n = byID.get(id);
      row.node.className = n.level;
      text(row.mark, marks[n.level] || "△");
      text(row.link, visible(n.text));
      row.link.setAttribute("href", "#" + n.where);
    });
    const state = [...byID.keys()].sort().join() || head?.state;
    if (state !== this.told) {
      if (this.told !== undefined) this.say([this.title.textContent, ...notices.map((n) => visible(n.text))].join(". "));
      this.told = state;
    }
  }
}

// Empty is a page before the first invocation: what to look at.
export class Empty {
  constructor(root) {
    this.root = root;
    this.metrics = el("span");
    const step = (mark, title, ...more) => el("li", {}, el("span", { class: "mark", "aria-hidden": "true", text: mark }), el("div", {}, el("b", { text: title }), el("p", { class: "muted" }, ...more)));
    const code = (t) => el("code", { text: t });
    root.append(
      el("h2", { text: "From here to the first score" }),
      el("ol", { class: "steps" },
        step("✓", "Evaluation runs", "It asks for ", this.metrics, "."),
        step("?", "Does the client that calls the model record its calls?", "Its transport is ", code("genaihttp.NewTransport(nil)"), ", or the calls are recorded by hand through ", code("evals.Handler()"), "."),
        step("?", "Has the application called the model since it started?", "One question to it is enough. What comes shows up here at once, and what is turned away says why."),
        step("?", "Is it the same process?", "Evaluation sees the calls of the process it was started in, and none that were made below ", code("instrumentation.Suppress"), ".")));
  }

  update(metrics) {
    text(this.metrics, metrics.map((m) => visible(`${m.name} (${m.evaluator})`)).join(", ") || "no metric");
  }
}

export class Run {
  constructor(root) {
    this.root = root;
    this.title = el("h2");
    this.side = el("span", { class: "muted" });
    this.bar = el("div", { class: "fill" });
    this.meter = el("div", { class: "meter big", role: "progressbar", "aria-label": "Items done", "aria-valuemin": "0", "aria-valuemax": "100" }, this.bar);
    this.numbers = new Map();
    this.list = el("dl", { class: "numbers" });
    this.gates = el("ul", { class: "gates" });
    this.gateRows = new Keyed(this.gates, () => {
      const mark = el("span", { class: "mark", "aria-hidden": "true" });
      const name = el("span", { class: "name" });
      const now = el("span");
      const says = el("span", { class: "muted" });
      return { node: el("li", {}, mark, name, now, says), mark, name, now, says };
    });
    this.gateBox = el("div", { class: "gatebox" }, el("h3", { text: "Gates, if the run ended now" }), this.gates);
    root.append(el("div", { class: "line" }, this.title, this.side), this.meter, el("div", { class: "split" }, this.list, this.gateBox));
  }

  number(name, value, more) {
    if (!this.numbers.has(name)) {
      const big = el("span", { class: "big" });
      const small = el("span", { class: "muted" });
      this.list.append(el("div", {}, el("dt", { text: name }), el("dd", {}, big, " ", small)));
      this.numbers.set(name, { big, small });
    }
    const n = this.numbers.get(name);
    text(n.big, value);
    text(n.small, more || "");
  }

  update(r) {
    show(this.root, r);
    if (!r) return;
    const share = r.total ? r.done / r.total : null;
    text(this.title, (r.ended ? "Ended: " : "Run of ") + visible(r.name || "a dataset"));
    text(this.side, r.total ? `${count(r.done)} of ${plural(r.total, "item")}` : `${plural(r.done, "item")} done, the number of all is not known`);
    show(this.meter, r.total);
    scale(this.bar, share);
    if (share !== null) this.meter.setAttribute("aria-valuenow", Math.floor(100 * share));
    this.number("Done", share === null ? count(r.done) : percent(share), r.resumed ? `${count(r.resumed)} of an earlier run` : "");
    this.number("Rate", rate(r.rate).replace("/s", ""), "items/s");
    this.number(r.ended ? "Took" : "Time left", r.ended ? duration(r.elapsed) : r.eta ? duration(r.eta) : nothing,
      r.ended || !r.eta ? "" : "ends " + clock(Date.now() + 1000 * r.eta).slice(0, 5));
    this.number("Spent", money(r.spend), r.tokens ? plural(r.tokens, "token") : "");
    this.number("Waits for limits", percent(r.waiting), plural(r.rate_limited, "429", "429s"));
    this.number("Failed items", count(r.failed), r.done ? percent(r.failed / r.done) : "");
    const gates = new Map((r.gates || []).map((g) => [g.name, g]));
    show(this.gateBox, gates.size);
    this.gateRows.update([...gates.keys()], (row, key) => {
      const g = gates.get(key);
      const level = g.unknown ? "" : g.passes ? "ok" : g.warn_only ? "warn" : "bad";
      row.node.className = level;
      text(row.mark, g.unknown ? "…" : g.passes ? "✓" : g.warn_only ? "△" : "✕");
      text(row.name, visible(g.name));
      text(row.now, `${visible(g.now)}, needs ${visible(g.need)}`);
      text(row.says, g.unknown ? "not known yet" : g.passes ? "passes" : g.warn_only ? "would warn" : "would fail");
    });
  }
}
