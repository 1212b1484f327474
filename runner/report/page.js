"use strict";
// Tables can be sorted by their heads; the page is complete without.
for (const table of document.querySelectorAll("table[data-sortable]")) {
  const heads = [...table.tHead.rows[0].cells];
  const sort = (column, direction) => {
    const value = (row) => row.cells[column].dataset.value ?? row.cells[column].textContent;
    const number = (text) => (text === "" ? -Infinity : Number(text));
    const numeric = heads[column].dataset.kind === "number";
    const rows = [...table.tBodies[0].rows];
    rows.sort((a, b) => direction * (numeric ? number(value(a)) - number(value(b)) || 0 : value(a).localeCompare(value(b))));
    table.tBodies[0].append(...rows);
    heads.forEach((h, i) => (i === column ? h.setAttribute("aria-sort", direction > 0 ? "ascending" : "descending") : h.removeAttribute("aria-sort")));
  };
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    button.addEventListener("click", () => sort(column, head.getAttribute("aria-sort") === "ascending" ? -1 : 1));
    head.replaceChildren(button);
  });
  table.sortBy = sort;
}
const tools = document.getElementById("tools");
if (tools) {
  const table = document.getElementById("cases");
  const rows = [...table.tBodies[0].rows];
  const [text, metric, result, order] = ["find", "metric", "result", "order"].map((id) => document.getElementById(id));
  const shown = document.getElementById("shown");
  const filter = () => {
    const wanted = text.value.trim().toLowerCase();
    let n = 0;
    for (const row of rows) {
      row.hidden = (metric.value && row.dataset.metric !== metric.value) || (result.value && row.dataset.result !== result.value) || (wanted && !row.textContent.toLowerCase().includes(wanted));
      n += row.hidden ? 0 : 1;
    }
    shown.textContent = n + " of " + rows.length + " shown";
  };
  for (const control of [text, metric, result]) control.addEventListener("input", filter);
  order.addEventListener("input", () => {
    if (order.value === "") {
      table.tBodies[0].append(...rows);
      for (const head of table.tHead.rows[0].cells) head.removeAttribute("aria-sort");
    }
    else table.sortBy(Number(order.value), 1);
  });
  tools.hidden = false;
  filter();
}
