// What is above the rows: what it was, how it went, the charts, and where to look first.

const LISTED = 10;

function total() {
  return data.counts.reduce((sum, [, count]) => sum + count, 0);
}

function showHead() {
  const words = replay ? "Replay" : "Evaluation";
  document.title = brief(data.title, 80) + " \u2013 " + words;
  document.getElementById("kind").textContent = words;
  document.getElementById("title").textContent = seen(data.title);
  document.getElementById("when").textContent =
    [date(data.startedAtMs), "took " + duration(data.elapsedMs), counted(total(), replay ? "request" : "task", replay ? "requests" : "tasks")]
      .filter((part) => part !== "")
      .join(" \u00b7 ");
}

/** The counts as one bar and as chips; a chip shows the rows of its status. */
function countNodes(onStatus) {
  const all = Math.max(1, total());
  const counts = data.counts.filter(([, count]) => count > 0);
  const bar = element(
    "div",
    { class: "stack", role: "img", "aria-label": counts.map(([status, count]) => brief(status, 60) + " " + amount(count)).join(", ") },
    ...counts.map(([status, count]) => {
      const { tone, mark } = look(status);
      const part = element("span", { class: "part " + tone, title: brief(status, 60) + ": " + amount(count) }, count / all > 0.04 ? mark : "");
      part.style.flexGrow = String(count / all);
      return part;
    }),
  );
  const chips = data.counts.map(([status, count]) =>
    element(
      "li",
      {},
      element(
        "button",
        { type: "button", class: "chip", click: () => onStatus(status) },
        badge(status),
        element("strong", {}, amount(count)),
        element("span", { class: "share" }, ((100 * count) / all).toFixed(1) + " %"),
      ),
    ));
  return [bar, element("ul", { class: "chips", "aria-label": "How many went how; press one to see its rows" }, ...chips)];
}

function showSummary(onStatus) {
  const section = document.getElementById("summary");
  if (data.notes.length > 0) {
    section.append(
      element(
        "div",
        { class: "notes", role: "note" },
        element("strong", {}, element("span", { "aria-hidden": "true" }, "\u26a0\ufe0e "), data.notes.length === 1 ? "Note" : "Notes"),
        element("ul", {}, ...data.notes.map((note) => element("li", {}, seen(note)))),
      ),
    );
  }
  section.append(...countNodes(onStatus));
  if (data.facts.length > 0) {
    section.append(
      element(
        "dl",
        { class: "facts" },
        ...data.facts.map(([label, value]) => element("div", {}, element("dt", {}, seen(label)), element("dd", {}, seen(value)))),
      ),
    );
  }
}

/** How many ended a second; the last slice may have been cut off by the run's end. */
function rate(slice) {
  const length = Math.min(slice.toMs, data.elapsedMs) - slice.fromMs;
  return length >= (slice.toMs - slice.fromMs) / 2 ? (1000 * slice.done) / length : null;
}

function perSecond(value) {
  return (value >= 9.95 || value === 0 ? Math.round(value).toLocaleString("en") : value.toFixed(value < 0.0995 ? 3 : 1)) + "/s";
}

function showCharts() {
  const section = document.getElementById("charts");
  const when = (key) => (slice) => (slice.done > 0 ? slice[key] : null);
  if (data.slices.length > 0) {
    section.append(
      timeChart("Latency and queueing over time", [
        { label: "latency p90", look: "second", value: when("p90"), format: duration },
        { label: "latency p50", look: "first", value: when("p50"), format: duration },
        { label: "queueing p50", look: "third", value: when("queued"), format: duration },
      ]),
      timeChart("Throughput over time", [{ label: "results a second", look: "first", value: rate, format: perSecond }]),
    );
  }
  section.append(...timings().map(quantileChart));
  section.hidden = section.childElementCount === 0;
}

function quantiles(values) {
  const sorted = Float64Array.from(values).sort();
  const at = (part) => sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)];
  return { count: sorted.length, p50: at(0.5), p90: at(0.9), p99: at(0.99), max: sorted[sorted.length - 1] };
}

/** What was measured over all; of the rows that have both times, where nobody measured. */
function timings() {
  const both = data.rows.filter((row) => row.recordedMs !== undefined);
  if (data.timings.length > 0 || both.length === 0) {
    return data.timings;
  }
  const name = data.rows.length < total() ? "of the " + amount(both.length) + " rows listed here" : "recorded and replayed";
  return [{ name, recorded: quantiles(both.map((row) => row.recordedMs)), replayed: quantiles(both.map((row) => row.latencyMs)) }];
}

/** Groups with rows of different statuses, the most mixed first. */
function mixedGroups() {
  return groups()
    .filter(({ rows }) => new Set(rows.map((row) => row.status)).size > 1)
    .map(({ group, rows }) => {
      const often = tally(rows.map((row) => row.status));
      return { group, rows, often, share: 1 - often[0][1] / rows.length };
    })
    .sort((one, other) => other.share - one.share || other.rows.length - one.rows.length || one.rows[0].index - other.rows[0].index);
}

function groups() {
  const byName = new Map();
  for (const row of data.rows) {
    if (!byName.has(row.group)) {
      byName.set(row.group, []);
    }
    byName.get(row.group).push(row);
  }
  return [...byName].map(([group, rows]) => ({ group, rows }));
}

/** How often each is there, the most frequent first. */
function tally(values) {
  const counts = new Map();
  for (const value of values) {
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts].sort((one, other) => other[1] - one[1]);
}

function listNode(title, words, items, count) {
  return items.length === 0
    ? null
    : element(
        "div",
        { class: "card" },
        element("h2", {}, title),
        element("p", { class: "quiet" }, words + (count > items.length ? " The first " + items.length + " of " + amount(count) + "." : "")),
        element("ol", {}, ...items),
      );
}

function listItem(row, label, words, onRow) {
  return element(
    "li",
    {},
    element("button", { type: "button", class: "jump", click: () => onRow(row) }, brief(label, 120)),
    element("span", { class: "quiet" }, words),
  );
}

function slowest(onRow) {
  const sorted = [...data.rows].sort((one, other) => other.latencyMs - one.latencyMs || one.index - other.index);
  const items = sorted.slice(0, LISTED).map((row) =>
    listItem(
      row,
      row.id,
      duration(row.latencyMs) +
        (row.queuedMs > 0 ? ", " + duration(row.queuedMs) + " of it queued" : "") +
        (row.recordedMs === undefined ? "" : ", recorded " + duration(row.recordedMs)),
      onRow,
    ));
  return listNode(replay ? "Slowest requests" : "Slowest tasks", "By the time from publication to result.", items, sorted.length);
}

function flakiest(onRow) {
  const mixed = mixedGroups();
  const items = mixed.slice(0, LISTED).map(({ group, rows, often }) =>
    listItem(
      rows.find((row) => row.status !== often[0][0]),
      group,
      often.map(([status, count]) => count + " " + brief(status, 40)).join(", "),
      onRow,
    ));
  return listNode("Flakiest tasks", "Tasks whose samples went different ways, the most mixed first.", items, mixed.length);
}

function diverging(onRow) {
  const different = groups().filter(({ rows }) => rows.some((row) => row.differences.length > 0));
  const items = different.slice(0, LISTED).map(({ group, rows }) => {
    const those = rows.filter((row) => row.differences.length > 0);
    const types = tally(those[0].differences.map((difference) => difference.type)).map(([type]) => brief(type, 30));
    return listItem(
      those[0],
      group,
      "first at " + brief(those[0].id, 80) + " (" + types.join(", ") + "); " + counted(those.length, "row differs", "rows differ"),
      onRow,
    );
  });
  return listNode("Where sessions diverge", "The first row of each session that differs from what was recorded.", items, different.length);
}

function showLists(onRow) {
  const section = document.getElementById("lists");
  append(section, [replay ? diverging(onRow) : flakiest(onRow), slowest(onRow)]);
  section.hidden = section.childElementCount === 0;
}
