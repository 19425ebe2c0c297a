"use strict";
// What this page shows was written by models and by the code they wrote. It becomes text nodes and
// nothing else: no markup is ever made of it, no link, no style and no attribute that acts.

const data = JSON.parse(document.getElementById("data").textContent);
const replay = data.kind === "REPLAY";
const DRAWING = document.getElementById("drawing").namespaceURI;

function append(node, children) {
  for (const child of children) {
    if (child !== null && child !== undefined) {
      node.append(child);
    }
  }
  return node;
}

function fill(node, attributes) {
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") {
      node.addEventListener(key, value);
    } else if (value !== null) {
      node.setAttribute(key, value);
    }
  }
  return node;
}

/** An element; functions among the attributes are listeners, strings among the children text. */
function element(tag, attributes, ...children) {
  return append(fill(document.createElement(tag), attributes), children);
}

/** An element of a drawing. */
function drawn(tag, attributes, ...children) {
  return append(fill(document.createElementNS(DRAWING, tag), attributes), children);
}

// Control characters, what turns the direction of writing or can't be seen, and half surrogate pairs.
const UNSEEN = new RegExp(
  "[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u061c\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u2069\\ufeff]" +
    "|[\\ud800-\\udbff](?![\\udc00-\\udfff])|(?<![\\ud800-\\udbff])[\\udc00-\\udfff]",
  "g",
);

function symbol(character) {
  const code = character.charCodeAt(0);
  if (code < 0x20) {
    return String.fromCharCode(0x2400 + code);
  }
  return code === 0x7f ? "\u2421" : "\u27e8U+" + code.toString(16).toUpperCase().padStart(4, "0") + "\u27e9";
}

/** The text with symbols for all that can't be seen, lines and tabs apart. */
function seen(text) {
  return text.replace(UNSEEN, symbol);
}

/** The text on one line, cut. */
function brief(text, most) {
  const line = text.length > most ? text.slice(0, most) + "\u2026" : text;
  return seen(line.replace(/\s*\n\s*/g, " \u23ce "));
}

function amount(number) {
  return number.toLocaleString("en");
}

function counted(number, one, many) {
  return amount(number) + " " + (number === 1 ? one : many);
}

/** A duration for people. */
function duration(ms) {
  if (ms < 1000) {
    return (ms < 9.95 ? ms.toFixed(ms < 0.995 ? 2 : 1) : Math.round(ms).toString()) + " ms";
  }
  if (ms < 59950) {
    return (ms / 1000).toFixed(ms < 9950 ? 2 : 1) + " s";
  }
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600) {
    return Math.floor(seconds / 60) + " min " + (seconds % 60) + " s";
  }
  const minutes = Math.round(seconds / 60);
  return Math.floor(minutes / 60) + " h " + (minutes % 60) + " min";
}

/** A moment of the run, as minutes and seconds since its start. */
function moment(ms) {
  const seconds = Math.floor(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  const rest = String(seconds % 60).padStart(2, "0");
  const clock =
    minutes < 60 ? minutes + ":" + rest : Math.floor(minutes / 60) + ":" + String(minutes % 60).padStart(2, "0") + ":" + rest;
  return ms % 1000 === 0 ? clock : clock + "." + String(Math.floor(ms % 1000)).padStart(3, "0").replace(/0+$/, "");
}

function date(ms) {
  const when = new Date(ms);
  return Number.isNaN(when.getTime()) ? "" : when.toISOString().slice(0, 19).replace("T", " ") + " UTC";
}

const TONES = [
  [/^(passed|same|ok|completed)$/i, "good", "\u2713"],
  [/^different$/i, "bad", "\u2260"],
  [/^(failed|wrong)$/i, "bad", "\u2717"],
  [/infrastructure|could not|lost|unreadable|missing|flaky|error/i, "warn", "!"],
];

/** How a status looks: a tone, and a symbol for those who see no colours. */
function look(status) {
  const found = TONES.find(([pattern]) => pattern.test(status));
  return found ? { tone: found[1], mark: found[2] } : { tone: "plain", mark: "\u2022" };
}

/** A status with its symbol. */
function badge(status) {
  const { tone, mark } = look(status);
  return element("span", { class: "badge " + tone }, element("span", { class: "mark", "aria-hidden": "true" }, mark), seen(status));
}
