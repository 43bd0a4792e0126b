// Building blocks for elements. Text reaches the page through textContent only, so no name from a
// capture can become markup.

// What would not show, or would turn the reading direction of what follows, is shown as its code.
const UNSEEN = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

export const plain = (text) =>
  String(text).replace(UNSEEN, (c) => `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`);

export function el(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? '' : value);
  }
  for (const child of children.flat(Infinity)) {
    if (child === undefined || child === null || child === false) continue;
    node.append(child instanceof Node ? child : document.createTextNode(plain(child)));
  }
  return node;
}

// A part of the report; the navigation calls it by its id.
export const section = (id, title, ...children) =>
  el('section', { id, 'aria-labelledby': `${id}-title` },
    el('h2', { id: `${id}-title` }, title), children);

export const percent = (value, digits = 1) =>
  Number.isFinite(value) ? `${value.toFixed(digits)} %` : 'n/a';

export function short(value) {
  if (!Number.isFinite(value)) return 'n/a';
  const size = Math.abs(value);
  for (const [factor, prefix] of [[1e12, 'T'], [1e9, 'G'], [1e6, 'M'], [1e3, 'k']]) {
    if (size >= factor) return `${Number((value / factor).toPrecision(3))} ${prefix}`;
  }
  return String(Number(value.toPrecision(3)));
}

// A moment of the capture, in seconds with as many digits as `scale` (ns that are told apart) needs.
export function moment(ns, scale = 1e6) {
  const digits = Math.min(9, Math.max(3, Math.ceil(9 - Math.log10(Math.max(scale, 1)))));
  return `${(ns / 1e9).toFixed(digits)} s`;
}

export function duration(ns) {
  const [value, unit] = ns >= 1e9 ? [ns / 1e9, 's'] : ns >= 1e6 ? [ns / 1e6, 'ms'] : [ns / 1e3, 'µs'];
  return `${Number(value.toPrecision(4))} ${unit}`;
}

// The same as the command line takes it: exact.
export const exactMs = (ns) => `${Number((Math.round(ns) / 1e6).toFixed(6))}ms`;
