// The stream of events: what changed is laid over what is known. When it breaks, it
// is tried again after a while that grows, and the page counts down to it.

const silence = 6000; // the server says something every second
const waits = [1, 2, 4, 8, 15];

export class Stream {
  constructor({ query, onChange, onResults, onState }) {
    Object.assign(this, { query, onChange, onResults, onState });
    this.cells = new Map();
    this.points = [];
    this.failures = 0;
    this.last = ""; // position, to go on from
  }

  // restart asks anew, from a position without results, so that all that match come.
  restart() {
    this.last = this.last.replace(/\d+$/, "0");
    this.failures = 0;
    this.open();
  }

  open() {
    clearTimeout(this.timer);
    clearTimeout(this.watch);
    this.source?.close();
    const query = this.query();
    if (this.last) query.set("last", this.last);
    const source = new EventSource("/events?" + query);
    this.source = source;
    if (this.failures === 0 && !this.cells.size) this.onState({ name: "connecting" });
    source.addEventListener("open", () => this.alive());
    for (const name of ["all", "change"]) {
      source.addEventListener(name, (e) => source === this.source && this.take(e, name === "all"));
    }
    source.addEventListener("results", (e) => {
      if (source !== this.source) return;
      this.alive(e);
      this.onResults(JSON.parse(e.data));
    });
    source.addEventListener("bye", () => source === this.source && this.lost());
    source.addEventListener("error", () => source === this.source && this.lost());
    this.watch = setTimeout(() => this.lost(), silence);
  }

  alive(e) {
    if (e?.lastEventId) this.last = e.lastEventId;
    this.failures = 0;
    clearTimeout(this.watch);
    this.watch = setTimeout(() => this.lost(), silence);
    this.onState({ name: "live" });
  }

  take(e, whole) {
    this.alive(e);
    const { cells, points } = JSON.parse(e.data);
    if (whole) {
      this.cells.clear();
      this.points = [];
    }
    const changed = new Set();
    for (const [name, value] of Object.entries(cells)) {
      if (value === null) this.cells.delete(name);
      else this.cells.set(name, value);
      changed.add(name);
    }
    if (points) this.points = this.points.concat(points).slice(-180);
    this.onChange(changed, whole, Boolean(points));
  }

  lost() {
    clearTimeout(this.watch);
    clearTimeout(this.timer);
    this.source?.close();
    this.source = null;
    const wait = waits[Math.min(this.failures++, waits.length - 1)];
    const until = Date.now() + 1000 * wait;
    const count = () => {
      const left = Math.ceil((until - Date.now()) / 1000);
      if (left <= 0) {
        this.onState({ name: "retrying" });
        this.open();
        return;
      }
      this.onState({ name: "lost", left });
      this.timer = setTimeout(count, 250);
    };
    count();
  }
}
