// Elements are made once and changed in place; texts are only ever text.

export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key === "text") node.textContent = value;
    else if (key === "on") for (const [event, f] of Object.entries(value)) node.addEventListener(event, f);
    else node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.filter((c) => c !== null && c !== undefined));
  return node;
}

export function text(node, value) {
  if (node.firstChild === null || node.textContent !== value) node.textContent = value;
}

export function toggle(node, name, on) {
  if (node.classList.contains(name) !== Boolean(on)) node.classList.toggle(name, Boolean(on));
}

export function show(node, on) {
  if (node.hidden === Boolean(on)) node.hidden = !on;
}

export function set(node, attribute, value) {
  if (node.getAttribute(attribute) !== value) node.setAttribute(attribute, value);
}

// scale shows a share of a bar, from 0 to 1, without moving anything else.
export function scale(node, share) {
  const to = `scaleX(${Math.min(1, Math.max(0, share || 0)).toFixed(4)})`;
  if (node.style.transform !== to) node.style.transform = to;
}

// Keyed keeps one row of a container for each key, in the order of the keys.
export class Keyed {
  constructor(container, make) {
    this.container = container;
    this.make = make;
    this.rows = new Map();
  }

  update(keys, change) {
    const wanted = new Set(keys);
    for (const [key, row] of this.rows) {
      if (wanted.has(key)) continue;
      row.gone?.();
      row.node.remove();
      this.rows.delete(key);
    }
    let before = this.container.firstChild;
    for (const key of keys) {
      let row = this.rows.get(key);
      if (!row) this.rows.set(key, (row = this.make(key)));
      if (row.node === before) before = before.nextSibling;
      else this.container.insertBefore(row.node, before);
      change(row, key);
    }
  }
}

export const narrow = matchMedia("(max-width: 640px)");
