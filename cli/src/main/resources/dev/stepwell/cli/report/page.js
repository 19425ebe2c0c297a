// Puts the page together: the filter's controls, and the filter in the page's address.

function pressed(set, value) {
  return () => {
    if (!set.delete(value)) {
      set.add(value);
    }
    filterChanged();
  };
}

function chipRow(label, set, counts, node) {
  return element(
    "div",
    { class: "chips", role: "group", "aria-label": label },
    element("span", { class: "label" }, label),
    ...counts.map(([value, count]) =>
      element("button", { type: "button", class: "chip", "data-value": value, click: pressed(set, value) }, node(value), element("strong", {}, amount(count)))),
  );
}

function statusCounts() {
  const listed = new Map(tally(data.rows.map((row) => row.status)));
  const known = data.counts.map(([status]) => status);
  const all = known.concat([...listed.keys()].filter((status) => !known.includes(status)));
  return all.filter((status) => listed.has(status)).map((status) => [status, listed.get(status)]);
}

function typeCounts() {
  return tally(data.rows.flatMap((row) => [...new Set(row.differences.map((side) => side.type))]));
}

let typing = 0;

function controls() {
  const search = element("input", {
    id: "search", type: "search", autocomplete: "off", spellcheck: "false", placeholder: "in ids, code, output, differences",
    input: () => {
      clearTimeout(typing);
      typing = setTimeout(() => {
        filter.text = search.value;
        filterChanged();
      }, 150);
    },
  });
  const order = element(
    "select",
    { id: "order", change: () => { filter.order = order.value; filterChanged(); } },
    ...ORDERS.map(([value, label]) => element("option", { value }, label)),
  );
  const types = typeCounts();
  return element(
    "div",
    { class: "controls" },
    chipRow("Status", filter.statuses, statusCounts(), badge),
    types.length === 0 ? null : chipRow("Differs in", filter.types, types, (type) => element("span", { class: "type" }, seen(type))),
    element("div", { class: "fields" },
      element("label", { for: "search" }, "Search ", search),
      element("label", { for: "order" }, "Order ", order)),
    element("p", { class: "quiet" },
      element("span", { id: "found", role: "status" }), " ",
      element("button", { type: "button", id: "clear", click: clearFilter }, "Clear filter")),
  );
}

/** Makes the controls say what the filter is. */
function showControls() {
  for (const [label, set] of [["Status", filter.statuses], ["Differs in", filter.types]]) {
    document.querySelectorAll('.controls [aria-label="' + label + '"] .chip').forEach((chip) =>
      chip.setAttribute("aria-pressed", String(set.has(chip.dataset.value))));
  }
  document.getElementById("search").value = filter.text;
  document.getElementById("order").value = filter.order;
  document.getElementById("clear").hidden = filter.statuses.size + filter.types.size === 0 && filter.text === "";
}

function filterChanged() {
  showControls();
  showMatching();
  keepInAddress();
}

function clearFilter() {
  filter.statuses.clear();
  filter.types.clear();
  filter.text = "";
  filterChanged();
  document.getElementById("search").focus();
}

/** The filter and the row opened last as the page's address, so that a link can be handed on. */
function keepInAddress() {
  const words = new URLSearchParams();
  filter.statuses.forEach((status) => words.append("status", status));
  filter.types.forEach((type) => words.append("type", type));
  if (filter.text !== "") {
    words.set("q", filter.text);
  }
  if (filter.order !== "run") {
    words.set("sort", filter.order);
  }
  for (const index of opened) {
    words.set("row", String(index));
  }
  written = words.toString();
  history.replaceState(null, "", "#" + written);
}

let written = "";

/** Takes the filter from the page's address; what names nothing here is left out. */
function readAddress() {
  const words = new URLSearchParams(location.hash.slice(1));
  const statuses = new Set(data.rows.map((row) => row.status));
  const types = new Set(data.rows.flatMap((row) => row.differences.map((side) => side.type)));
  filter.statuses.clear();
  filter.types.clear();
  words.getAll("status").filter((status) => statuses.has(status)).forEach((status) => filter.statuses.add(status));
  words.getAll("type").filter((type) => types.has(type)).forEach((type) => filter.types.add(type));
  filter.text = words.get("q") ?? "";
  filter.order = ORDERS.some(([order]) => order === words.get("sort")) ? words.get("sort") : "run";
  opened.clear();
  showControls();
  showMatching();
  const row = /^\d+$/.test(words.get("row") ?? "") ? data.rows[Number(words.get("row"))] : undefined;
  if (row) {
    jumpTo(row);
  }
}

function showRows() {
  const heads = [replay ? "Request" : "Task", "Status", "Outcome", "Latency"].concat(
    replay ? ["Recorded"] : [], ["Queued", replay ? "Differences" : "Reason"]);
  document.getElementById("rows").append(
    element("h2", { id: "rows-title" }, replay ? "Requests" : "Tasks"),
    data.rows.length < total()
      ? element("p", { class: "quiet" }, "Rows are here for " + amount(data.rows.length) + " of " + amount(total()) + "; the counts and charts above are of all.")
      : "",
    controls(),
    element("table", { class: "rows", role: "table", "aria-labelledby": "rows-title" },
      element("thead", { role: "rowgroup" },
        element("tr", { role: "row" }, ...heads.map((head) => element("th", { role: "columnheader", scope: "col" }, head)))),
      element("tbody", { id: "body", role: "rowgroup" })),
    element("p", { id: "nothing", hidden: "" }, "No row matches the filter."),
    element("button", { type: "button", id: "more", click: () => showMore(PAGE) }),
  );
}

function onlyStatus(status) {
  filter.statuses.clear();
  filter.types.clear();
  filter.text = "";
  filter.statuses.add(status);
  filterChanged();
  document.getElementById("rows").scrollIntoView();
}

showHead();
showSummary(onlyStatus);
showCharts();
showLists(jumpTo);
showRows();
readAddress();
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  document.getElementById("rows").focus();
});
addEventListener("hashchange", () => {
  if (location.hash.slice(1) !== written) {
    readAddress();
  }
});
