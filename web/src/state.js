// What the reader looks at: the visible part of the capture, the range that the unit bars describe,
// the units drawn. Parts of the page listen and draw themselves again.
import { decode, lastAtOrBelow } from './columns.js';

export class State {
  #listeners = [];
  #queued = new Set();

  constructor(data, loads) {
    this.data = data;
    this.loads = loads;
    this.span = loads.bins > 0 ? [loads.edges[0], loads.edges[loads.bins]] : [0, data.span_ns];
    this.begin = this.span[0];
    this.end = this.span[1];
    const f = data.frames;
    this.frames = {
      count: f.count,
      first: f.first_index,
      begin: decode(f.begin_ns),
      end: decode(f.end_ns),
      activeMs: decode(f.gpu_active_ms),
      idle: decode(f.idle_percent),
      limiters: f.limiters,
      units: f.units.map(decode),
    };
    this.hidden = new Set();
    this.focus = null;
    this.hover = null;
    this.pointed = null; // label of the spans and rows under the pointer
    this.#analysed();
  }

  // `f(what)` is called once a frame of animation with the set of what changed: "view", "scope",
  // "hover", "pointed", "units", "theme".
  listen(f) {
    this.#listeners.push(f);
  }

  changed(...what) {
    if (this.#queued.size === 0) {
      requestAnimationFrame(() => this.flush());
    }
    for (const w of what) this.#queued.add(w);
  }

  flush() {
    const queued = this.#queued;
    this.#queued = new Set();
    if (queued.size > 0) for (const f of this.#listeners) f(queued);
  }

  get whole() {
    return this.begin <= this.span[0] && this.end >= this.span[1];
  }

  // Shows a part of the capture, which the unit bars then describe.
  show(begin, end) {
    this.#view(begin, end);
    if (this.whole) this.#analysed();
    else this.scope = { kind: 'range', begin: this.begin, end: this.end };
    this.changed('view', 'scope');
  }

  reset() {
    this.show(...this.span);
  }

  zoom(factor, at = (this.begin + this.end) / 2) {
    const share = (at - this.begin) / (this.end - this.begin);
    const length = (this.end - this.begin) * factor;
    this.show(at - share * length, at + (1 - share) * length);
  }

  pan(share) {
    const by = (this.end - this.begin) * share;
    this.show(this.begin + by, this.end + by);
  }

  selectFrame(i) {
    if (i < 0 || i >= this.frames.count) return;
    const [begin, end] = [this.frames.begin[i], this.frames.end[i]];
    this.scope = { kind: 'frame', frame: i, begin, end };
    if (begin < this.begin || end > this.end) {
      const length = Math.max(this.end - this.begin, 3 * (end - begin));
      this.#view((begin + end - length) / 2, (begin + end + length) / 2);
      this.changed('view');
    }
    this.changed('scope');
  }

  // From the selected frame, else from the middle of what is shown.
  stepFrame(by) {
    if (this.frames.count === 0) return;
    const from = this.scope.kind === 'frame'
      ? this.scope.frame + by
      : Math.max(0, this.frameAt(this.whole ? this.span[0] : (this.begin + this.end) / 2));
    this.selectFrame(Math.min(this.frames.count - 1, Math.max(0, from)));
  }

  frameAt(ns) {
    const i = lastAtOrBelow(this.frames.begin, ns);
    return i >= 0 && ns <= this.frames.end[i] ? i : -1;
  }

  point(label) {
    if (label === this.pointed) return;
    this.pointed = label;
    this.changed('pointed');
  }

  toggle(unit) {
    if (!this.hidden.delete(unit)) this.hidden.add(unit);
    this.changed('units');
  }

  #analysed() {
    this.scope = { kind: 'analysed', begin: this.data.begin_ns, end: this.data.end_ns };
  }

  #view(begin, end) {
    const [first, last] = this.span;
    const least = this.loads.bins > 0 ? (4 * (last - first)) / this.loads.bins : 1;
    const length = Math.min(last - first, Math.max(least, end - begin));
    const middle = (begin + end) / 2;
    this.begin = Math.min(last - length, Math.max(first, middle - length / 2));
    this.end = this.begin + length;
    if (last - first - length < 1) [this.begin, this.end] = this.span;
  }
}
