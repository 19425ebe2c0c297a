// The rows: which are shown, in which order, and what is in one that is open.

const PAGE = 100;
const MOST_SHOWN = 20000;
const PIECE = 4000;
const ORDERS = [
  ["run", replay ? "as recorded" : "as in the tasks"],
  ["latency", "slowest first"],
  ["queue", "longest queued first"],
  ["id", "by id"],
];
const COLLATOR = new Intl.Collator("en", { numeric: true });

const filter = { statuses: new Set(), types: new Set(), text: "", order: "run" };
const opened = new Set();
// Of the matching rows, those from the first to before the last are in the table.
let matching = [];
let shownFrom = 0;
let shownTo = 0;

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
  document.getElementById("found").textContent =
    matching.length === data.rows.length
      ? counted(data.rows.length, "row", "rows")
      : amount(matching.length) + " of " + counted(data.rows.length, "row", "rows");
  document.getElementById("nothing").hidden = matching.length > 0;
  showFrom(0);
}

/** Shows one page of the matching rows, and no others. */
function showFrom(from) {
  shownFrom = from;
  shownTo = from;
  document.getElementById("body").replaceChildren();
  showMore();
}

function showMore() {
  const next = matching.slice(shownTo, shownTo + PAGE);
  document.getElementById("body").append(...next.flatMap(rowNodes));
  shownTo += next.length;
  showButtons();
}

function showEarlier() {
  const previous = matching.slice(Math.max(0, shownFrom - PAGE), shownFrom);
  document.getElementById("body").prepend(...previous.flatMap(rowNodes));
  shownFrom -= previous.length;
  showButtons();
}

function showButtons() {
  const buttons = [["more", matching.length - shownTo], ["earlier", shownFrom]];
  for (const [word, left] of buttons) {
    const button = document.getElementById(word);
    button.hidden = left === 0;
    button.textContent = "Show " + Math.min(PAGE, left) + " " + word + " (" + amount(left) + " left)";
  }
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
    whyCell(row),
  );
  const details = element("tr", { role: "row", id: detailsId, class: "details", hidden: "" });
  if (opened.has(row.index)) {
    openDetails(row, node, details);
  }
  return [node, details];
}

function whyCell(row) {
  const types = tally(row.differences.map((side) => side.type)).map(([type]) => element("span", { class: "type" }, brief(type, 30)));
  const nodes = types.flatMap((type) => [type, " "]);
  if (row.reason !== undefined) {
    nodes.push(brief(row.reason, 160));
  }
  const label = replay ? "Differences" : "Reason";
  return nodes.length > 0 ? tableCell(label, "why", ...nodes) : tableCell(label, "why empty", "\u2013");
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
      pre.replaceChildren(...pieces(text).map((piece) => element("div", { class: "piece" }, seen(piece))));
      all.remove();
    },
  });
  block.append(all);
  return block;
}

/**
 * A text cut where lines end, or where a line is too long for a browser to break it in time. Each
 * piece becomes a block that is laid out once it is on the screen.
 */
function pieces(text) {
  const all = [];
  for (let from = 0; from < text.length; ) {
    let to = Math.min(text.length, from + PIECE);
    const lineEnd = to < text.length ? text.lastIndexOf("\n", to) : -1;
    if (lineEnd > from) {
      to = lineEnd + 1;
    } else if (to < text.length && (text.charCodeAt(to - 1) & 0xfc00) === 0xd800) {
      to--;
    }
    all.push(text.slice(from, to));
    from = to;
  }
  return all;
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
  if (place < shownFrom || place >= shownTo) {
    showFrom(place - (place % PAGE));
  }
  if (!opened.has(row.index)) {
    toggle(row);
  }
  const node = document.getElementById("row-" + row.index);
  node.scrollIntoView({ block: "start" });
  node.querySelector("button").focus({ preventScroll: true });
  keepInAddress();
}
