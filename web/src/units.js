// The units: bars for what is selected, values under the cursor, and what is drawn.
import { dashOf, hueOf } from './colors.js';
import { duration, el, exactMs, moment, percent, short } from './dom.js';

export class Units {
  constructor(state, ranked, strip) {
    this.state = state;
    this.ranked = ranked;
    this.strip = strip;
    const { definitions } = state.data;
    this.rows = definitions.map((definition, u) => this.#row(definition, u));
    const drawn = ranked.map((u) => this.rows[u].node);
    const others = definitions.map((d, u) => u).filter((u) => !ranked.includes(u));
    this.scope = el('p', { class: 'scope', 'aria-live': 'polite' });
    this.command = el('code', { class: 'command' });
    this.under = el('p', { class: 'under' });
    this.node = section(
      el('h2', { id: 'units-title' }, 'Units'),
      this.scope,
      drawn.length > 0 && el('table', { class: 'units' },
        el('thead', {}, el('tr', {},
          el('th', { scope: 'col' }, 'Unit'),
          el('th', { scope: 'col', class: 'bar-head' }, el('span', { class: 'unseen' }, 'Bar')),
          el('th', { scope: 'col', class: 'number', title: 'Work over what the unit could have done in the elapsed time' }, 'of peak'),
          el('th', { scope: 'col', class: 'number', title: 'The same over GPU-active time' }, 'while busy'),
          el('th', { scope: 'col', class: 'number', title: 'Under the cursor in the timeline' }, 'cursor'))),
        el('tbody', {}, drawn)),
      others.length > 0 && el('details', { open: drawn.length === 0 },
        el('summary', {}, `${others.length} units without a known peak`),
        el('table', { class: 'units raw' }, el('tbody', {}, others.map((u) => this.rows[u].node)))),
      this.under,
      el('p', { class: 'hint' }, 'The same numbers on the command line: ', this.command),
    );
    state.listen((what) => this.#update(what));
  }

  start() {
    this.#update(new Set(['scope', 'hover', 'units']));
  }

  #row(definition, u) {
    const rank = this.ranked.indexOf(u);
    const row = {
      bar: el('div', { class: 'fill' }),
      path: el('span', { class: 'path' }),
      sol: el('td', { class: 'number' }),
      busy: el('td', { class: 'number' }),
      cursor: el('td', { class: 'number cursor' }),
    };
    const line = rank < 0 ? null : svgLine(rank);
    row.button = rank < 0 ? null : el('button', {
      type: 'button', class: 'unit', title: 'Draw in the timeline or not',
      onclick: () => this.state.toggle(u),
    }, line, definition.label);
    if (rank < 0) {
      row.node = el('tr', { 'data-unit': definition.id },
        el('th', { scope: 'row' }, definition.label), el('td', { class: 'number' }, row.path));
      return row;
    }
    row.node = el('tr', { 'data-unit': definition.id },
      el('th', { scope: 'row' }, row.button, row.path),
      el('td', { class: 'bar' }, el('div', { class: 'track' }, row.bar)),
      row.sol, row.busy, row.cursor);
    row.bar.style.background = `var(${hueOf(rank)})`;
    const focus = (unit) => () => {
      this.state.focus = unit;
      this.state.changed('focus');
    };
    row.node.addEventListener('mouseenter', focus(u));
    row.node.addEventListener('mouseleave', focus(null));
    return row;
  }

  #update(what) {
    if (what.has('scope')) this.#showScope();
    if (what.has('hover')) this.#showCursor();
    if (what.has('units')) {
      this.ranked.forEach((u) => {
        const drawn = !this.state.hidden.has(u);
        this.rows[u].button.setAttribute('aria-pressed', String(drawn));
        this.rows[u].node.classList.toggle('off', !drawn);
      });
    }
  }

  // The analysed range and frames show the numbers of the analysis; a range is summed from bins.
  #values(u, from, to, activity) {
    const { loads, scope, data, frames } = this.state;
    if (scope.kind === 'analysed') {
      const unit = data.analysis.units[u];
      const index = unit.paths.findIndex((p) => (p.sol_percent ?? p.active_percent) === (unit.sol_percent ?? unit.active_percent));
      return {
        sol: unit.sol_percent ?? NaN, busy: unit.active_percent ?? NaN, path: index < 0 ? null : index,
        perCycle: unit.work_per_cycle ?? NaN, workUnit: unit.work_unit ?? '',
      };
    }
    const load = loads.unit(u, from, to, activity);
    if (scope.kind === 'frame' && Number.isFinite(frames.units[u][scope.frame])) {
      load[Number.isFinite(load.sol) ? 'sol' : 'busy'] = frames.units[u][scope.frame];
    }
    return load;
  }

  #showScope() {
    const { loads, scope, data } = this.state;
    const [from, to] = [loads.position(scope.begin), loads.position(scope.end)];
    const activity = loads.activity(from, to);
    this.state.data.definitions.forEach((definition, u) => {
      const row = this.rows[u];
      const load = this.#values(u, from, to, activity);
      const value = Number.isFinite(load.sol) ? load.sol : load.busy;
      const judged = Number.isFinite(value);
      row.sol.textContent = percent(load.sol);
      row.busy.textContent = percent(load.busy);
      row.bar.style.width = judged ? `${Math.min(100, value)}%` : '0';
      row.node.classList.toggle('none', !judged);
      row.path.textContent = !judged && Number.isFinite(load.perCycle)
        ? `${short(load.perCycle)} ${load.workUnit}/cycle`
        : !judged ? 'n/a'
          : definition.paths.length > 1 && load.path !== null ? definition.paths[load.path].label : '';
    });
    const length = scope.end - scope.begin;
    const where = `${moment(scope.begin, length / 100)} to ${moment(scope.end, length / 100)}`;
    const title = scope.kind === 'frame' ? this.strip.describe(scope.frame)
      : scope.kind === 'range' ? `Shown range, ${duration(length)}` : `Analysed range: ${data.analysis.range.what}`;
    const idle = scope.kind === 'analysed' ? data.analysis.activity.idle_percent ?? NaN : activity.idle;
    this.scope.replaceChildren(el('strong', {}, title), el('br', {}), el('span', {}, where),
      Number.isFinite(idle) ? ` · idle ${idle.toFixed(1)} %` : '');
    this.scope.dataset.begin = Math.round(scope.begin);
    this.scope.dataset.end = Math.round(scope.end);
    this.command.textContent = `--range ${exactMs(scope.begin)}:${exactMs(scope.end)}`;
  }

  #showCursor() {
    const { hover, loads } = this.state;
    const activity = hover && loads.activity(hover.from, hover.to);
    for (const u of this.ranked) {
      this.rows[u].cursor.textContent = hover
        ? percent(loads.unit(u, hover.from, hover.to, activity).value) : '';
    }
    this.under.replaceChildren();
    if (!hover) {
      delete this.under.dataset.begin;
      this.under.append('Move over the timeline to read values.');
      return;
    }
    this.under.dataset.begin = hover.begin;
    this.under.dataset.end = hover.end;
    const samples = (hover.to - hover.from) * loads.samplesPerBin;
    const clock = loads.clockHz(hover.from, hover.to, hover.begin, hover.end);
    this.under.append(`Cursor: ${moment(hover.begin, hover.end - hover.begin)}, ${samples === 1 ? 'one sample' : `mean of ${samples} samples`}`
      + `${Number.isFinite(activity.busy) ? `, GPU busy ${percent(100 * activity.busy)}` : ''}`
      + `${Number.isFinite(clock) ? `, ${(clock / 1e6).toFixed(0)} MHz` : ''}`);
  }
}

const section = (...children) =>
  el('section', { id: 'units', 'aria-labelledby': 'units-title' }, children.filter(Boolean));

// A sample of the line that the timeline draws.
function svgLine(rank) {
  const space = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(space, 'svg');
  svg.setAttribute('viewBox', '0 0 22 10');
  svg.setAttribute('aria-hidden', 'true');
  const line = document.createElementNS(space, 'line');
  const shape = { x1: 0, x2: 22, y1: 5, y2: 5, 'stroke-width': 3, 'stroke-dasharray': dashOf(rank).join(' ') || 'none' };
  for (const [name, value] of Object.entries(shape)) line.setAttribute(name, value);
  line.style.stroke = `var(${hueOf(rank)})`;
  svg.append(line);
  return svg;
}
