// Charts, drawn for the width that they have. Each has its numbers in a table as well.

const HEIGHT = 200;
const MARGIN = { left: 58, right: 14, top: 12, bottom: 26 };
const HINT = "Point at the chart or use the arrow keys to read its numbers.";

/** A round step that cuts a range into few parts. */
function roundStep(range, parts) {
  const rough = range / parts;
  const power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= rough * 0.999);
}

const CLOCK_STEPS = [100, 200, 500, 1000, 2000, 5000, 10000, 15000, 30000].concat(
  [1, 2, 5, 10, 15, 30, 60, 120, 240, 480, 1440, 2880, 7200, 14400, 43200].map((minutes) => minutes * 60000),
);

function clockStep(range, parts) {
  return CLOCK_STEPS.find((step) => range / step <= parts) ?? range;
}

/** A chart over time: series {label, look, value(slice), format}; null is a gap. */
function timeChart(title, series) {
  const slices = data.slices;
  const words = (at) =>
    moment(slices[at].fromMs) + "\u2013" + moment(slices[at].toMs) + ": " + counted(slices[at].done, "result", "results") +
    series.map((one) => ", " + one.label + " " + shownValue(one, slices[at])).join("");
  return figure({
    title,
    legend: series,
    count: slices.length,
    words,
    draw: (width) => drawTime(width, series),
    place: (at, width) => timeScale(width)((slices[at].fromMs + slices[at].toMs) / 2),
    nearest: (x, width) => nearestSlice(x, width),
    head: ["From", "To", "Results"].concat(series.map((one) => one.label)),
    body: slices.map((slice) =>
      [moment(slice.fromMs), moment(slice.toMs), amount(slice.done)].concat(series.map((one) => shownValue(one, slice)))),
  });
}

function shownValue(one, slice) {
  const value = one.value(slice);
  return value === null ? "\u2013" : one.format(value);
}

function timeScale(width) {
  const end = data.slices[data.slices.length - 1].toMs || 1;
  return (ms) => MARGIN.left + (ms / end) * (width - MARGIN.left - MARGIN.right);
}

function nearestSlice(x, width) {
  const scale = timeScale(width);
  const at = data.slices.findIndex((slice) => x < scale(slice.toMs));
  return at < 0 ? data.slices.length - 1 : at;
}

function drawTime(width, series) {
  const slices = data.slices;
  const values = series.flatMap((one) => slices.map(one.value)).filter((value) => value !== null);
  const step = roundStep(Math.max(...values, 1e-3), 4);
  const highest = Math.ceil(Math.max(...values, 1e-3) / step) * step;
  const y = (value) => HEIGHT - MARGIN.bottom - (value / highest) * (HEIGHT - MARGIN.top - MARGIN.bottom);
  const x = timeScale(width);
  const nodes = [];
  for (let tick = 0; tick <= highest * 1.001; tick += step) {
    nodes.push(drawn("line", { class: "grid", x1: MARGIN.left, x2: width - MARGIN.right, y1: y(tick), y2: y(tick) }));
    nodes.push(drawn("text", { class: "tick", x: MARGIN.left - 8, y: y(tick) + 4, "text-anchor": "end" }, tick === 0 ? "0" : series[0].format(tick)));
  }
  const end = slices[slices.length - 1].toMs;
  const clock = clockStep(end, Math.max(2, Math.floor(width / 90)));
  for (let tick = 0; tick <= end; tick += clock) {
    const anchor = tick === 0 ? "start" : x(tick) > width - 40 ? "end" : "middle";
    nodes.push(drawn("text", { class: "tick", x: x(tick), y: HEIGHT - 8, "text-anchor": anchor }, moment(tick)));
  }
  series.forEach((one) => nodes.push(...seriesNodes(one, x, y)));
  return nodes;
}

function seriesNodes(one, x, y) {
  const nodes = [];
  let path = "";
  let run = [];
  const endRun = () => {
    if (run.length === 1) {
      nodes.push(drawn("circle", { class: "dot " + one.look, cx: run[0][0], cy: run[0][1], r: 3 }));
    } else if (run.length > 1) {
      path += "M" + run.map(([px, py]) => px.toFixed(1) + " " + py.toFixed(1)).join("L");
    }
    run = [];
  };
  for (const slice of data.slices) {
    const value = one.value(slice);
    if (value === null) {
      endRun();
    } else {
      run.push([x((slice.fromMs + slice.toMs) / 2), y(value)]);
    }
  }
  endRun();
  if (path !== "") {
    nodes.push(drawn("path", { class: "series " + one.look, d: path }));
  }
  return nodes;
}

/** A chart of quantiles, one bar for each and for each side. */
function quantileChart(timing) {
  const names = ["p50", "p90", "p99"];
  const sides = [];
  if (timing.recorded) {
    sides.push({ label: "recorded", look: "second", values: timing.recorded });
  }
  sides.push({ label: replay ? "replayed" : "measured", look: "first", values: timing.replayed });
  const highest = Math.max(...sides.flatMap((side) => names.map((name) => side.values[name])), 1e-3);
  const bar = 15;
  const group = sides.length * bar + 12;
  const height = names.length * group + 4;
  const all = names.concat("max");
  return figure({
    title: "Latency, " + timing.name,
    legend: sides,
    filled: true,
    count: all.length,
    height,
    words: (at) => all[at] + ": " + sides.map((side) => side.label + " " + duration(side.values[all[at]])).join(", ") + ratioWords(timing, all[at]),
    draw: (width) => drawBars(width, { names, sides, highest, bar, group }),
    band: (at) => (at < names.length ? { y: at * group, height: group - 4 } : null),
    nearest: (_x, _width, y) => Math.max(0, Math.min(names.length - 1, Math.floor(y / group))),
    head: ["Quantile"].concat(sides.map((side) => side.label), timing.recorded ? ["ratio"] : []),
    body: all
      .map((name) => [name].concat(sides.map((side) => duration(side.values[name])), timing.recorded ? [ratio(timing, name)] : []))
      .concat([["count"].concat(sides.map((side) => amount(side.values.count)), timing.recorded ? [""] : [])]),
  });
}

function ratio(timing, name) {
  const before = timing.recorded[name];
  return before > 0 ? "\u00d7 " + (timing.replayed[name] / before).toFixed(2) : "\u2013";
}

function ratioWords(timing, name) {
  return timing.recorded && timing.recorded[name] > 0 ? ", " + ratio(timing, name) : "";
}

function drawBars(width, { names, sides, highest, bar, group }) {
  const left = 40;
  const room = width - left - 74;
  return names.flatMap((name, at) => [
    drawn("text", { class: "tick", x: 0, y: at * group + (sides.length * bar) / 2 + 6 }, name),
    ...sides.flatMap((side, index) => {
      const value = side.values[name];
      const length = Math.max(1, (value / highest) * room);
      const top = at * group + 2 + index * bar;
      return [
        drawn("rect", { class: "bar " + side.look, x: left, y: top, width: length, height: bar - 2 }),
        drawn("text", { class: "tick", x: left + length + 6, y: top + bar - 4 }, duration(value)),
      ];
    }),
  ]);
}

function legendNode(series, filled) {
  return element(
    "ul",
    { class: "legend" },
    ...series.map((one) =>
      element(
        "li",
        {},
        drawn(
          "svg",
          { width: 28, height: 12, "aria-hidden": "true" },
          filled
            ? drawn("rect", { class: "bar " + one.look, x: 0, y: 1, width: 26, height: 10 })
            : drawn("path", { class: "series " + one.look, d: "M0 6L28 6" }),
        ),
        one.label,
      )),
  );
}

function tableNode(title, head, body) {
  return element(
    "details",
    { class: "numbers" },
    element("summary", {}, "Numbers as a table"),
    element(
      "div",
      { class: "scroll", tabindex: "0", role: "region", "aria-label": title + ", numbers" },
      element(
        "table",
        {},
        element("thead", {}, element("tr", {}, ...head.map((label) => element("th", { scope: "col" }, seen(label))))),
        element("tbody", {}, ...body.map((row) => element("tr", {}, ...row.map((value) => element("td", {}, value))))),
      ),
    ),
  );
}

/** What all charts share: title, legend, drawing, a line that reads a place's numbers, and the table. */
function figure(chart) {
  const height = chart.height ?? HEIGHT;
  const readout = element("p", { class: "readout", "aria-live": "polite" }, HINT);
  const svg = drawn("svg", { class: "chart", height, tabindex: "0", role: "img", "aria-label": chart.title + ". " + HINT });
  const node = element("figure", {}, element("figcaption", {}, seen(chart.title)), legendNode(chart.legend, chart.filled), svg, readout,
    tableNode(chart.title, chart.head, chart.body));
  let at = -1;
  let width = 0;
  const draw = () => {
    const nodes = chart.draw(width);
    if (at >= 0) {
      const band = chart.band?.(at);
      if (band) {
        nodes.unshift(drawn("rect", { class: "band", x: 0, y: band.y, width, height: band.height }));
      } else if (chart.place) {
        const x = chart.place(at, width);
        nodes.unshift(drawn("line", { class: "cursor", x1: x, x2: x, y1: MARGIN.top, y2: HEIGHT - MARGIN.bottom }));
      }
    }
    svg.replaceChildren(...nodes);
  };
  const show = (place) => {
    at = Math.max(0, Math.min(chart.count - 1, place));
    readout.textContent = chart.words(at);
    draw();
  };
  const point = (event) => {
    const box = svg.getBoundingClientRect();
    show(chart.nearest(event.clientX - box.left, width, event.clientY - box.top));
  };
  fill(svg, {
    pointermove: point,
    pointerdown: point,
    keydown: (event) => {
      const places = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: chart.count - 1 };
      if (event.key in places) {
        event.preventDefault();
        show(places[event.key]);
      }
    },
  });
  new ResizeObserver(() => {
    const now = Math.floor(svg.getBoundingClientRect().width);
    if (now > 0 && now !== width) {
      width = now;
      draw();
    }
  }).observe(svg);
  return node;
}
