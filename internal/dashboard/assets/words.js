// How numbers and other people's texts are written.

const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const one = new Intl.NumberFormat("en-US", { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const two = new Intl.NumberFormat("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });

export const nothing = "–";

const known = (v) => v !== null && v !== undefined && Number.isFinite(v);

export const count = (n) => (known(n) ? whole.format(n) : nothing);
export const rate = (r) => (known(r) ? (r >= 100 ? whole : one).format(r) + "/s" : nothing);
export const percent = (x) => (known(x) ? one.format(100 * x) + " %" : nothing);
export const score = (s) => (known(s) ? two.format(s) : nothing);
export const money = (m) => (known(m) ? "$" + (m > 0 && m < 0.01 ? m.toFixed(4) : two.format(m)) : nothing);

const MiB = 1 << 20;
export const size = (n) => (n < MiB / 10 && n > 0 ? one.format(n / 1024) + " KiB" : one.format(n / MiB) + " MiB");
export const sizeOf = (n, room) => (room ? `${one.format(n / MiB)} of ${whole.format(room / MiB)} MiB` : size(n));

export function duration(seconds) {
  if (!known(seconds)) return nothing;
  if (seconds < 0.0005) return "0 ms";
  if (seconds < 1) return whole.format(1000 * seconds) + " ms";
  if (seconds < 10) return one.format(seconds) + " s";
  const s = Math.round(seconds);
  if (s < 60) return s + " s";
  if (s < 3600) return `${Math.floor(s / 60)} min ${s % 60} s`;
  if (s < 86400) return `${Math.floor(s / 3600)} h ${Math.floor((s % 3600) / 60)} min`;
  return `${Math.floor(s / 86400)} d ${Math.floor((s % 86400) / 3600)} h`;
}

const pad = (n) => String(n).padStart(2, "0");
export function clock(ms) {
  const t = new Date(ms);
  return `${pad(t.getHours())}:${pad(t.getMinutes())}:${pad(t.getSeconds())}`;
}
export function hour(ms) {
  const t = new Date(ms);
  const time = `${pad(t.getHours())}:${pad(t.getMinutes())}`;
  return t.toDateString() === new Date().toDateString() ? time : `${t.getFullYear()}-${pad(t.getMonth() + 1)}-${pad(t.getDate())} ${time}`;
}

export const plural = (n, word, more = word + "s") => `${count(n)} ${n === 1 ? word : more}`;

// Characters that show nothing or turn the text around them, as their number.
const hidden = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;
export const visible = (text) =>
  String(text).replace(/\r\n/g, "\n").replace(hidden, (c) => `[U+${c.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}]`);
