// Two texts side by side: which lines are the same, and which part of a changed line is.

const MOST_CELLS = 4000000;
const CONTEXT_LINES = 3;
const CONTEXT_CHARACTERS = 60;
const MOST_CHANGED = 2000;

/** Lines as pairs {left, right}; null where a side has none. Equal lines are equal strings. */
function pairLines(left, right) {
  let head = 0;
  while (head < left.length && head < right.length && left[head] === right[head]) {
    head++;
  }
  let tail = 0;
  while (tail < left.length - head && tail < right.length - head && left[left.length - 1 - tail] === right[right.length - 1 - tail]) {
    tail++;
  }
  const pairs = left.slice(0, head).map((line) => ({ left: line, right: line }));
  pairs.push(...pairMiddle(left.slice(head, left.length - tail), right.slice(head, right.length - tail)));
  pairs.push(...left.slice(left.length - tail).map((line) => ({ left: line, right: line })));
  return pairs;
}

/** By the longest common subsequence, unless that took too long: then line by line. */
function pairMiddle(left, right) {
  if (left.length * right.length > MOST_CELLS) {
    return pairRun(left, right);
  }
  const width = right.length + 1;
  const longest = new Uint32Array((left.length + 1) * width);
  for (let l = left.length - 1; l >= 0; l--) {
    for (let r = right.length - 1; r >= 0; r--) {
      longest[l * width + r] =
        left[l] === right[r] ? longest[(l + 1) * width + r + 1] + 1 : Math.max(longest[(l + 1) * width + r], longest[l * width + r + 1]);
    }
  }
  const pairs = [];
  let l = 0;
  let r = 0;
  let fromLeft = 0;
  let fromRight = 0;
  while (l < left.length && r < right.length) {
    if (left[l] === right[r]) {
      pairs.push(...pairRun(left.slice(fromLeft, l), right.slice(fromRight, r)), { left: left[l], right: right[r] });
      fromLeft = ++l;
      fromRight = ++r;
    } else if (longest[(l + 1) * width + r] >= longest[l * width + r + 1]) {
      l++;
    } else {
      r++;
    }
  }
  pairs.push(...pairRun(left.slice(fromLeft), right.slice(fromRight)));
  return pairs;
}

function pairRun(left, right) {
  const pairs = [];
  for (let line = 0; line < Math.max(left.length, right.length); line++) {
    pairs.push({ left: line < left.length ? left[line] : null, right: line < right.length ? right[line] : null });
  }
  return pairs;
}

/** How many characters two lines begin and end with alike; never half a surrogate pair. */
function commonEnds(left, right) {
  const most = Math.min(left.length, right.length);
  let head = 0;
  while (head < most && left.charCodeAt(head) === right.charCodeAt(head)) {
    head++;
  }
  if (head > 0 && (left.charCodeAt(head - 1) & 0xfc00) === 0xd800) {
    head--;
  }
  let tail = 0;
  while (tail < most - head && left.charCodeAt(left.length - 1 - tail) === right.charCodeAt(right.length - 1 - tail)) {
    tail++;
  }
  if (tail > 0 && (left.charCodeAt(left.length - tail) & 0xfc00) === 0xdc00) {
    tail--;
  }
  return { head, tail };
}

function skipped(count) {
  return element("span", { class: "skipped" }, " \u2026 " + counted(count, "character", "characters") + " \u2026 ");
}

/** A changed line, its changed part marked; what is far from that, or too long, is left out. */
function changedLine(line, ends, tag) {
  const from = ends.head;
  const to = line.length - ends.tail;
  const children = [];
  const first = Math.max(0, from - CONTEXT_CHARACTERS);
  if (first > 0) {
    children.push(skipped(first));
  }
  children.push(seen(line.slice(first, from)));
  const cut = Math.min(to, from + MOST_CHANGED);
  children.push(element(tag, {}, seen(line.slice(from, cut))));
  if (cut < to) {
    children.push(skipped(to - cut));
  }
  const last = Math.min(line.length, to + CONTEXT_CHARACTERS);
  children.push(seen(line.slice(to, last)));
  if (last < line.length) {
    children.push(skipped(line.length - last));
  }
  return children;
}

function plainLine(line) {
  return line.length <= MOST_CHANGED ? [seen(line)] : [seen(line.slice(0, MOST_CHANGED)), skipped(line.length - MOST_CHANGED)];
}

function cell(side, line, number, children, kind) {
  const attributes = { class: "cell " + side + " " + (line === null ? "none" : kind) };
  if (line === null) {
    return element("div", attributes);
  }
  const mark = kind === "same" ? " " : side === "left" ? "\u2212" : "+";
  return element(
    "div",
    attributes,
    element("span", { class: "line", "aria-hidden": "true" }, number + mark),
    kind === "same" ? null : element("span", { class: "hidden" }, side === "left" ? "recorded: " : "replayed: "),
    element("span", { class: "content" }, ...children),
  );
}

function pairNode(pair) {
  if (pair.left === pair.right) {
    const kind = "same";
    return element(
      "div",
      { class: "pair same" },
      cell("left", pair.left, pair.leftNumber, plainLine(pair.left), kind),
      cell("right", pair.right, pair.rightNumber, plainLine(pair.right), kind),
    );
  }
  const both = pair.left !== null && pair.right !== null;
  const ends = both ? commonEnds(pair.left, pair.right) : { head: 0, tail: 0 };
  const left = pair.left === null ? [] : both ? changedLine(pair.left, ends, "del") : plainLine(pair.left);
  const right = pair.right === null ? [] : both ? changedLine(pair.right, ends, "ins") : plainLine(pair.right);
  return element(
    "div",
    { class: "pair" },
    cell("left", pair.left, pair.leftNumber, left, "changed"),
    cell("right", pair.right, pair.rightNumber, right, "changed"),
  );
}

/** Equal lines far from any change, behind a button. */
function folded(pairs) {
  const button = element("button", {
    type: "button",
    class: "fold",
    click: () => {
      const lines = pairs.map(pairNode);
      button.replaceWith(...lines);
    },
  });
  button.append("\u2026 " + counted(pairs.length, "line", "lines") + " the same");
  return button;
}

function numbered(pairs) {
  let left = 0;
  let right = 0;
  for (const pair of pairs) {
    pair.leftNumber = pair.left === null ? "" : String(++left);
    pair.rightNumber = pair.right === null ? "" : String(++right);
  }
  return pairs;
}

function pairNodes(pairs) {
  const near = new Uint8Array(pairs.length);
  pairs.forEach((pair, at) => {
    if (pair.left !== pair.right) {
      near.fill(1, Math.max(0, at - CONTEXT_LINES), at + CONTEXT_LINES + 1);
    }
  });
  const nodes = [];
  for (let at = 0; at < pairs.length; ) {
    let end = at;
    while (end < pairs.length && near[end] === 0) {
      end++;
    }
    if (end - at > 1) {
      nodes.push(folded(pairs.slice(at, end)));
      at = end;
    } else {
      nodes.push(pairNode(pairs[at]));
      at++;
    }
  }
  return nodes;
}

function lines(text) {
  return text === undefined ? [] : text.split("\n");
}

function sideTitle(label, text) {
  return element("div", { class: "side" }, label, text === undefined ? element("em", {}, ": nothing") : null);
}

/** One difference: what was recorded on the left, what came now on the right. */
function sideBySide(difference) {
  const { type, what, recorded, replayed } = difference;
  const body = element("div", { class: "lines" });
  if (recorded === replayed) {
    body.append(element("p", { class: "alike" }, "As far as they were kept, both are the same: " + brief(recorded ?? "nothing", 200)));
  } else {
    append(body, pairNodes(numbered(pairLines(lines(recorded), lines(replayed)))));
  }
  return element(
    "section",
    { class: "difference" },
    element("h4", {}, element("span", { class: "type" }, seen(type)), " " + seen(what)),
    element("div", { class: "pair sides" }, sideTitle("\u2212 recorded", recorded), sideTitle("+ replayed", replayed)),
    body,
  );
}
