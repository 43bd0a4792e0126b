// The frame strip: a bar a frame, its length the frame's time, its filled part the GPU-active time in
// the colour of the unit that limits it.
import { colorOf, css, surface } from './colors.js';
import { lastAtOrBelow } from './columns.js';
import { el } from './dom.js';

const HEIGHT = 72;
const TOP = 6;
const BOTTOM = 12;

export class FrameStrip {
  constructor(state, ranked, timeline) {
    this.state = state;
    this.ranked = ranked;
    this.timeline = timeline;
    const { frames } = state;
    this.ms = frames.begin.map((begin, i) => (frames.end[i] - begin) / 1e6);
    this.longest = this.ms.reduce((a, b) => Math.max(a, b), 0);
    this.canvas = el('canvas', {
      role: 'img',
      'aria-label': `Time of each of ${frames.count} frames, longest ${this.longest.toFixed(2)} ms. `
        + 'The bracket keys select the previous and the next frame.',
    });
    this.canvas.addEventListener('click', (event) => state.selectFrame(this.#at(event.offsetX)));
    this.canvas.addEventListener('mousemove', (event) => {
      const i = this.#at(event.offsetX);
      this.canvas.title = i < 0 ? '' : this.describe(i);
    });
    this.node = el('div', { class: 'strip' }, this.canvas);
    state.listen((what) => {
      if (['view', 'scope', 'theme', 'size', 'start'].some((w) => what.has(w))) this.draw();
    });
  }

  describe(i) {
    const { frames, data } = this.state;
    const limiters = frames.limiters[i].map((u) => data.definitions[u].label).join(', ');
    const active = Number.isFinite(frames.activeMs[i])
      ? `, GPU active ${frames.activeMs[i].toFixed(2)} ms` : '';
    return `Frame ${i + frames.first}: ${this.ms[i].toFixed(2)} ms${active}${limiters ? `, limited by ${limiters}` : ''}`;
  }

  // Several frames share a column where there are more than columns.
  get #columns() {
    const { count } = this.state.frames;
    const { left, width } = this.timeline.extent;
    const perColumn = Math.max(1, Math.ceil(count / Math.floor(width / 2)));
    const columns = Math.ceil(count / perColumn);
    return { left, perColumn, columns, pitch: width / columns };
  }

  #at(x) {
    const { left, perColumn, columns, pitch } = this.#columns;
    const column = Math.floor((x - left) / pitch);
    return column < 0 || column >= columns
      ? -1 : Math.min(this.state.frames.count - 1, column * perColumn);
  }

  draw() {
    const { frames, scope, begin, end, whole } = this.state;
    const { left, perColumn, columns, pitch } = this.#columns;
    const width = this.node.clientWidth;
    const context = surface(this.canvas, width, HEIGHT);
    const room = HEIGHT - TOP - BOTTOM;
    const y = (ms) => TOP + room * (1 - ms / this.longest);
    context.fillStyle = css('--muted');
    context.textAlign = 'right';
    context.fillText(`${this.longest.toFixed(this.longest < 10 ? 1 : 0)} ms`, left - 6, TOP + 8);
    context.fillText('0', left - 6, TOP + room);
    const gap = pitch > 4 ? 1 : 0;
    const back = css('--bar');
    for (let c = 0; c < columns; ++c) {
      let tallest = c * perColumn;
      const stop = Math.min(frames.count, tallest + perColumn);
      for (let i = tallest + 1; i < stop; ++i) if (this.ms[i] > this.ms[tallest]) tallest = i;
      const x = left + c * pitch;
      context.fillStyle = back;
      context.fillRect(x, y(this.ms[tallest]), pitch - gap, TOP + room - y(this.ms[tallest]));
      const rank = this.ranked.indexOf(frames.limiters[tallest][0]);
      const active = Math.min(this.ms[tallest], frames.activeMs[tallest] || 0);
      context.fillStyle = rank < 0 ? css('--muted') : colorOf(rank);
      context.fillRect(x, y(active), pitch - gap, TOP + room - y(active));
    }
    const mark = (from, to, color, thickness) => {
      const x = left + Math.floor(from / perColumn) * pitch;
      context.fillStyle = color;
      context.fillRect(x, TOP + room + 3, (Math.floor(to / perColumn) + 1) * pitch - gap - (x - left), thickness);
    };
    if (!whole) {
      const first = Math.max(0, lastAtOrBelow(frames.end, begin) + 1);
      mark(Math.min(first, frames.count - 1), Math.max(first, lastAtOrBelow(frames.begin, end)), css('--boundary'), 3);
    }
    if (scope.kind === 'frame') mark(scope.frame, scope.frame, css('--accent'), 6);
  }
}
