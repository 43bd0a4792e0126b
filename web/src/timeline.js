// The timeline: percent of peak by unit, the clock below it. uPlot draws and tracks the cursor; what
// is visible, and at which resolution, is decided here.
import uPlot from 'uplot';
import { colorOf, css, dashOf } from './colors.js';
import { lastAtOrBelow } from './columns.js';
import { el } from './dom.js';
import { drawBand, drawFrames } from './overlay.js';
import { bindPointer, panByDragging } from './pointer.js';

const MOST_POINTS = 1000;
const LEFT = 52;
const RIGHT = 12;
const SYNC = 'time';
// Stands for a unit where the share of busy time is drawn: the ground that units stand on.
const BUSY = -1;

export class Timeline {
  constructor(state, ranked) {
    this.state = state;
    this.ranked = ranked; // units that can be drawn, by rank
    this.perBin = new Map(); // unit: value of every bin
    this.percentBox = el('div', { class: 'plot' });
    this.clockBox = state.loads.clock ? el('div', { class: 'plot' }) : null;
    this.node = el('div', {
      class: 'plots', tabindex: 0, role: 'application',
      'aria-label': 'Timeline of unit loads. Left and right arrow keys pan, plus and minus zoom, 0 shows all.',
    }, this.percentBox, this.clockBox);
    state.listen((what) => this.#update(what));
  }

  // To be called once the node is in the page.
  start() {
    this.#create();
    let width = this.node.clientWidth;
    new ResizeObserver(() => {
      if (this.node.clientWidth === width || this.node.clientWidth === 0) return;
      width = this.node.clientWidth;
      for (const plot of this.plots) plot.setSize({ width, height: plot.height });
      this.state.changed('size');
    }).observe(this.node);
  }

  // Where the time axis lies, for strips above and below.
  get extent() {
    return { left: LEFT, width: Math.max(1, this.node.clientWidth - LEFT - RIGHT) };
  }

  #create() {
    for (const plot of this.plots ?? []) plot.destroy();
    this.#group();
    this.percentPlot = this.#plot(this.percentBox, this.#percentOptions(), this.#percentData());
    this.plots = [this.percentPlot];
    if (this.clockBox) {
      this.clockPlot = this.#plot(this.clockBox, this.#clockOptions(), this.#clockData());
      this.plots.push(this.clockPlot);
    }
    for (const plot of this.plots) this.#setView(plot);
  }

  #update(what) {
    if (!this.plots) return;
    if (what.has('theme')) {
      this.#create();
      return;
    }
    if (what.has('view') || what.has('units') || what.has('size')) {
      this.#group();
      const data = [this.#percentData(), this.clockPlot && this.#clockData()];
      this.plots.forEach((plot, i) => plot.batch(() => {
        plot.setData(data[i], false);
        this.#setView(plot);
      }));
    } else if (what.has('scope') || what.has('focus')) {
      for (const plot of this.plots) plot.redraw(false);
    }
  }

  #setView(plot) {
    plot.setScale('x', { min: this.state.begin / 1e9, max: this.state.end / 1e9 });
  }

  // Bins are drawn in groups, few enough for the screen; a group's value is the ratio of its sums.
  // Groups begin at multiples of their size, so that they do not flicker while the view moves.
  #group() {
    const { loads, begin, end } = this.state;
    const from = Math.max(0, Math.floor(loads.position(begin)) - 1);
    const to = Math.min(loads.bins, Math.ceil(loads.position(end)) + 1);
    const [first, last] = this.state.span;
    const shown = (loads.bins * (end - begin)) / (last - first);
    const size = Math.max(1, Math.ceil(shown / MOST_POINTS));
    if (size !== this.size) this.known = new Map();
    this.starts = [];
    for (let i = from - (from % size); i < to; i += size) this.starts.push(i);
    this.starts.push(Math.min(loads.bins, this.starts.at(-1) + size));
    this.seconds = this.starts.map((i) => loads.edges[i] / 1e9);
    this.size = size;
  }

  #series(value) {
    const out = [];
    for (let g = 0; g + 1 < this.starts.length; ++g) {
      const v = value(this.starts[g], this.starts[g + 1], g);
      out.push(Number.isFinite(v) ? v : null);
    }
    out.push(out.at(-1) ?? null);
    return out;
  }

  #percentData() {
    const { hidden } = this.state;
    const empty = new Array(this.starts.length).fill(null);
    return [this.seconds, this.#unitSeries(BUSY), ...this.ranked.map((u) => (hidden.has(u) ? empty : this.#unitSeries(u)))];
  }

  // Groups keep their values while the view moves; only a new size needs new ones.
  #unitSeries(u) {
    const { loads } = this.state;
    if (!this.known.has(u)) this.known.set(u, new Map());
    const known = this.known.get(u);
    return this.#series((from, to) => {
      let value = known.get(from);
      if (value === undefined) {
        value = u === BUSY ? 100 * loads.activity(from, to).busy : loads.unit(u, from, to).value;
        known.set(from, value);
      }
      return value;
    });
  }

  #clockData() {
    const { loads } = this.state;
    return [this.seconds, this.#series((from, to) =>
      loads.clockHz(from, to, loads.edges[from], loads.edges[to]) / 1e6)];
  }

  #plot(box, options, data) {
    return new uPlot({
      width: this.node.clientWidth,
      legend: { show: false },
      padding: [8, RIGHT, 6, 0],
      ...options,
      cursor: this.#cursor(),
    }, data, box);
  }

  #cursor() {
    return {
      sync: { key: SYNC, scales: ['x', null] },
      y: false,
      drag: { x: true, y: false, setScale: false },
      points: { size: (plot, series) => (series === 1 ? 0 : 6) },
      // A value holds from its moment to the next one.
      dataIdx: (plot, series, closest, x) => Math.min(
        Math.max(0, lastAtOrBelow(plot.data[0], x)), Math.max(0, plot.data[0].length - 2)),
      bind: {
        mousedown: (plot, target, handler) => (event) =>
          (event.shiftKey || event.button === 1
            ? panByDragging(event, this.state, this.extent.width) : handler(event)),
        dblclick: () => () => this.state.reset(),
      },
    };
  }

  #axis(extra) {
    return {
      stroke: css('--muted'),
      font: '11px system-ui, sans-serif',
      grid: { stroke: css('--grid'), width: 1 },
      ticks: { stroke: css('--grid'), width: 1, size: 4 },
      ...extra,
    };
  }

  #timeAxis(show) {
    return this.#axis({
      show,
      size: 28,
      space: 80,
      values: (plot, splits) => splits.map((s) => `${Number(s.toFixed(7))} s`),
    });
  }

  #percentOptions() {
    const top = (max) => Math.max(100, Math.ceil((max - 1) / 10) * 10);
    return {
      height: innerWidth < 600 ? 220 : 340,
      scales: { x: { time: false }, y: { range: (plot, min, max) => [0, top(max ?? 0)] } },
      axes: [
        this.#timeAxis(!this.clockBox),
        this.#axis({ size: LEFT, gap: 4, values: (plot, splits) => splits.map((s) => `${s} %`) }),
      ],
      series: [{}, {
        label: 'GPU busy',
        fill: css('--shade'),
        width: 0,
        paths: uPlot.paths.stepped({ align: 1 }),
        points: { show: false },
      }, ...this.ranked.map((u, rank) => ({
        label: this.state.data.definitions[u].label,
        stroke: colorOf(rank),
        width: rank === 0 ? 2 : 1.25,
        dash: dashOf(rank),
        paths: uPlot.paths.stepped({ align: 1 }),
        points: { show: false },
      }))],
      hooks: {
        ...this.#hooks(),
        drawAxes: [(plot) => drawFrames(plot, this.state), (plot) => this.#drawBand(plot)],
        setCursor: [(plot) => this.#hover(plot)],
      },
    };
  }

  #clockOptions() {
    const max = (this.state.data.analysis.clock.max_hz ?? 0) / 1e6;
    return {
      height: 96,
      scales: { x: { time: false }, y: { range: (plot, least, most) => [0, Math.max(max, most ?? 0) * 1.1 || 1] } },
      axes: [
        this.#timeAxis(true),
        this.#axis({ size: LEFT, gap: 4, space: 24, values: (plot, splits) => splits.map((s) => `${s}`) }),
      ],
      series: [{}, {
        label: 'Clock, MHz',
        stroke: css('--muted'),
        fill: css('--shade'),
        width: 1.25,
        paths: uPlot.paths.stepped({ align: 1 }),
        points: { show: false },
      }],
      hooks: { ...this.#hooks(), drawAxes: [(plot) => drawFrames(plot, this.state)] },
    };
  }

  #hooks() {
    return {
      ready: [(plot) => bindPointer(plot, this.state)],
      setSelect: [(plot) => {
        const { left, width } = plot.select;
        if (width > 3) {
          this.state.show(plot.posToVal(left, 'x') * 1e9, plot.posToVal(left + width, 'x') * 1e9);
          plot.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
        }
      }],
    };
  }

  #hover(plot) {
    const { left } = plot.cursor;
    if (!(left >= 0) && this.state.hover === null) return;
    const g = left >= 0 ? lastAtOrBelow(this.seconds, plot.posToVal(left, 'x')) : -1;
    const { edges } = this.state.loads;
    this.state.hover = g < 0 || g + 1 >= this.starts.length ? null : {
      from: this.starts[g], to: this.starts[g + 1],
      begin: edges[this.starts[g]], end: edges[this.starts[g + 1]],
    };
    this.state.changed('hover');
  }

  // Where several bins share a point, the unit in focus shows their lowest and highest value.
  #drawBand(plot) {
    const unit = this.state.focus ?? this.ranked[0];
    const rank = this.ranked.indexOf(unit);
    if (this.size === 1 || rank < 0 || this.state.hidden.has(unit)) return;
    drawBand(plot, {
      values: this.#everyBin(unit), starts: this.starts, seconds: this.seconds,
      color: colorOf(rank), alpha: this.state.focus === null ? 0.1 : 0.25,
    });
  }

  #everyBin(unit) {
    const { loads } = this.state;
    if (!this.perBin.has(unit)) {
      const values = new Float32Array(loads.bins);
      for (let i = 0; i < loads.bins; ++i) values[i] = loads.unit(unit, i, i + 1).value;
      this.perBin.set(unit, values);
    }
    return this.perBin.get(unit);
  }
}
