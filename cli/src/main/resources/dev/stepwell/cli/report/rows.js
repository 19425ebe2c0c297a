// The rows: which are shown, in which order, and what is in one that is open.

const PAGE = 100;
const MOST_SHOWN = 20000;
const ORDERS = [
  ["run", replay ? "as recorded" : "as in the tasks"],
  ["latency", "slowest first"],
  ["queue", "longest queued first"],
  ["id", "by id"],
];
const COLLATOR = new Intl.Collator("en", { numeric: true });

const filter = { statuses: new Set(), types: new Set(), text: "", order: "run" };
const opened = new Set();
let matching = [];
let shownCount = 0;

data.rows.forEach((row, index) => {
  row.index = index;
});

function textOf(row) {
  row.all ??= [
    row.id, row.group, row.status, row.outcome, row.reason, row.code, row.output,
    ...row.differences.flatMap((side) => [side.type, side.what, side.recorded, side.replayed]),
  ]
    .filter((part) => part !== undefined)
    .join("\n")
    .toLowerCase();
  return row.all;
}

function matches(row, words) {
  return (
    (filter.statuses.size === 0 || filter.statuses.has(row.status)) &&
    (filter.types.size === 0 || row.differences.some((side) => filter.types.has(side.type))) &&
    (words === "" || textOf(row).includes(words))
  );
}

const COMPARE = {
  run: (one, other) => one.index - other.index,
  latency: (one, other) => other.latencyMs - one.latencyMs || one.index - other.index,
  queue: (one, other) => other.queuedMs - one.queuedMs || one.index - other.index,
  id: (one, other) => COLLATOR.compare(one.id, other.id) || one.index - other.index,
};

/** Works out which rows match, and shows the first of them. */
function showMatching() {
  const words = filter.text.toLowerCase();
  matching = data.rows.filter((row) => matches(row, words)).sort(COMPARE[filter.order]);
  shownCount = 0;
  document.getElementById("body").replaceChildren();
  document.getElementById("found").textContent =
    matching.length === data.rows.length
      ? counted(data.rows.length, "row", "rows")
      : amount(matching.length) + " of " + counted(data.rows.length, "row", "rows");
  showMore(PAGE);
}

function showMore(count) {
  const next = matching.slice(shownCount, shownCount + count);
  document.getElementById("body").append(...next.flatMap(rowNodes));
  shownCount += next.length;
  const left = matching.length - shownCount;
  const more = document.getElementById("more");
  more.hidden = left === 0;
  more.textContent = "Show " + Math.min(PAGE, left) + " more (" + amount(left) + " left)";
  document.getElementById("nothing").hidden = matching.length > 0;
}

function tableCell(label, kind, ...children) {
  return element("td", { role: "cell", class: kind, "data-label": label }, ...children);
}

function rowNodes(row) {
  const detailsId = "details-" + row.index;
  const button = element(
    "button",
    { type: "button", class: "open", "aria-expanded": "false", "aria-controls": detailsId, click: () => toggle(row) },
    brief(row.id, 200),
  );
  const node = element(
    "tr",
    { role: "row", id: "row-" + row.index, class: "row " + look(row.status).tone },
    element("th", { role: "rowheader", scope: "row", class: "id" }, button),
    tableCell("Status", "status", badge(row.status)),
    tableCell("Outcome", "outcome", brief(row.outcome ?? "\u2013", 60)),
    tableCell("Latency", "number", duration(row.latencyMs)),
    replay ? tableCell("Recorded", "number", row.recordedMs === undefined ? "\u2013" : duration(row.recordedMs)) : null,
    tableCell("Queued", "number", duration(row.queuedMs)),
    tableCell(replay ? "Differences" : "Reason", "why", ...whyNodes(row)),
  );
  const details = element("tr", { role: "row", id: detailsId, class: "details", hidden: "" });
  if (opened.has(row.index)) {
    openDetails(row, node, details);
  }
  return [node, details];
}

function whyNodes(row) {
  const types = tally(row.differences.map((side) => side.type)).map(([type]) => element("span", { class: "type" }, brief(type, 30)));
  const nodes = types.flatMap((type) => [type, " "]);
  if (row.reason !== undefined) {
    nodes.push(brief(row.reason, 160));
  }
  return nodes.length > 0 ? nodes : ["\u2013"];
}

function toggle(row) {
  const node = document.getElementById("row-" + row.index);
  const details = document.getElementById("details-" + row.index);
  if (opened.delete(row.index)) {
    details.hidden = true;
    details.replaceChildren();
    node.querySelector("button").setAttribute("aria-expanded", "false");
  } else {
    openDetails(row, node, details);
  }
  keepInAddress();
}

function openDetails(row, node, details) {
  opened.add(row.index);
  node.querySelector("button").setAttribute("aria-expanded", "true");
  details.replaceChildren(element("td", { role: "cell", colspan: replay ? 7 : 6 }, element("div", { class: "inside" }, ...detailNodes(row))));
  details.hidden = false;
}

function detailNodes(row) {
  const nodes = [element("p", { class: "quiet" }, factsOf(row))];
  if (row.reason !== undefined) {
    nodes.push(textBlock("Reason", row.reason));
  }
  nodes.push(...row.differences.map(sideBySide));
  if (row.code !== undefined) {
    nodes.push(textBlock("Code", row.code));
  }
  if (row.output !== undefined) {
    nodes.push(textBlock("Output", row.output));
  }
  return nodes;
}

function factsOf(row) {
  const facts = [
    (replay ? "session " : "task ") + brief(row.group, 200),
    counted(row.attempts, "request", "requests") + " sent",
    duration(row.latencyMs) + " from publication to result",
    duration(row.queuedMs) + " of it queued",
  ];
  if (row.recordedMs > 0) {
    facts.push("\u00d7 " + (row.latencyMs / row.recordedMs).toFixed(2) + " of the " + duration(row.recordedMs) + " recorded");
  }
  return facts.join(" \u00b7 ");
}

function textBlock(label, text) {
  const pre = element("pre", { tabindex: "0", role: "region", "aria-label": label });
  const block = element("section", { class: "text" }, element("h4", {}, label), pre);
  if (text.length <= MOST_SHOWN) {
    pre.append(text === "" ? element("em", {}, "empty") : seen(text));
    return block;
  }
  pre.append(seen(text.slice(0, MOST_SHOWN)));
  const all = element("button", { type: "button" }, "Show all " + amount(text.length) + " characters");
  fill(all, {
    click: () => {
      pre.replaceChildren(seen(text));
      all.remove();
    },
  });
  block.append(all);
  return block;
}

/** Shows a row, wherever it is: without the filter if that hides it. */
function jumpTo(row) {
  if (!matching.includes(row)) {
    filter.statuses.clear();
    filter.types.clear();
    filter.text = "";
    showControls();
    showMatching();
  }
  const place = matching.indexOf(row);
  if (place >= shownCount) {
    showMore(Math.ceil((place + 1 - shownCount) / PAGE) * PAGE);
  }
  if (!opened.has(row.index)) {
    toggle(row);
  }
  const node = document.getElementById("row-" + row.index);
  node.scrollIntoView({ block: "start" });
  node.querySelector("button").focus({ preventScroll: true });
  keepInAddress();
}
