// Coloured spans of work under the timeline, a lane each: {label, spans: [{begin_ns, end_ns, label}]}.
import { css, hueOf, surface } from './colors.js';
import { lastAtOrBelow } from './columns.js';
import { el, moment, plain } from './dom.js';

const HEIGHT = 22;
const LEAST_LABEL = 28;

export class Lane {
  constructor(state, lane, timeline) {
    this.state = state;
    this.lane = lane;
    this.timeline = timeline;
    this.begins = lane.spans.map((span) => span.begin_ns);
    const labels = [...new Set(lane.spans.map((span) => span.label))];
    this.hues = new Map(labels.map((label, i) => [label, i]));
    this.canvas = el('canvas', {
      role: 'img', 'aria-label': `Lane ${lane.label}: ${lane.spans.length} spans`,
    });
    this.canvas.addEventListener('mousemove', (event) => {
      const span = this.#at(event.offsetX);
      this.canvas.title = span
        ? plain(`${span.label}: ${moment(span.begin_ns)} to ${moment(span.end_ns)}`) : '';
      state.point(span?.label ?? null);
    });
    this.canvas.addEventListener('mouseleave', () => state.point(null));
    this.canvas.addEventListener('click', (event) => {
      const span = this.#at(event.offsetX);
      if (span) state.show(span.begin_ns, span.end_ns);
    });
    this.node = el('div', { class: 'lane' }, el('span', { class: 'lane-name' }, lane.label), this.canvas);
    state.listen((what) => {
      if (['view', 'theme', 'size', 'start', 'pointed'].some((w) => what.has(w))) this.draw();
    });
  }

  #at(x) {
    const { left, width } = this.timeline.extent;
    const { begin, end } = this.state;
    const ns = begin + ((x - left) / width) * (end - begin);
    const span = this.lane.spans[lastAtOrBelow(this.begins, ns)];
    return span && ns <= span.end_ns ? span : null;
  }

  draw() {
    const { begin, end } = this.state;
    const { left, width } = this.timeline.extent;
    const context = surface(this.canvas, this.node.clientWidth, HEIGHT);
    const x = (ns) => left + ((ns - begin) / (end - begin)) * width;
    context.beginPath();
    context.rect(left, 0, width, HEIGHT);
    context.clip();
    const first = Math.max(0, lastAtOrBelow(this.begins, begin));
    for (let i = first; i < this.lane.spans.length && this.begins[i] < end; ++i) {
      const span = this.lane.spans[i];
      const from = x(span.begin_ns);
      const length = Math.max(1, x(span.end_ns) - from - 1);
      context.globalAlpha = span.label === this.state.pointed ? 0.75 : 0.35;
      context.fillStyle = css(hueOf(this.hues.get(span.label)));
      context.fillRect(from, 2, length, HEIGHT - 4);
      context.globalAlpha = 1;
      if (length < LEAST_LABEL) continue;
      context.save();
      context.beginPath();
      context.rect(Math.max(from, left), 0, length - 4, HEIGHT);
      context.clip();
      context.fillStyle = css('--text');
      context.fillText(plain(span.label), Math.max(from, left) + 4, HEIGHT / 2 + 4);
      context.restore();
    }
  }
}
