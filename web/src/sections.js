// The parts of the report that are text and tables.
import { el, percent, section, short } from './dom.js';

const list = (kind, items) => el('ul', { class: kind }, items.map((item) => el('li', {}, item)));

export function summary(data) {
  const v = data.analysis.verdict;
  const labels = new Map(data.definitions.map((unit) => [unit.id, unit.label]));
  const names = (ids) => ids.map((id) => labels.get(id) ?? id).join(', ');
  return section('verdict', 'Verdict',
    el('p', { class: `verdict ${v.case ?? ''}` }, data.verdict),
    el('div', { class: 'columns' },
      el('div', {},
        list('evidence', v.evidence),
        data.gains.length > 0 && list('gains', data.gains),
        v.secondary.length > 0 && el('p', {}, el('b', {}, 'Next in line: '), names(v.secondary)),
        v.interface_limited.length > 0 && el('p', {}, el('b', {}, 'Limited by the interface between: '),
          v.interface_limited.map(names).join('; ')),
        v.not_worth.length > 0 && el('p', { class: 'muted' }, el('b', {}, 'Not worth work here: '), names(v.not_worth))),
      el('dl', { class: 'facts' }, data.facts.map(([label, sentence]) =>
        [el('dt', {}, label), el('dd', {}, sentence)]))));
}

export function findings(data, jump) {
  const all = data.analysis.findings;
  if (all.length === 0) return null;
  return section('findings', 'Findings', el('ol', { class: 'cards' }, all.map((f, i) => {
    const saving = [];
    if (f.saving.ms_per_frame !== null) saving.push(`up to ${f.saving.ms_per_frame.toFixed(2)} ms a frame`);
    if (f.saving.bytes_per_frame !== null) saving.push(`${short(f.saving.bytes_per_frame)}B a frame`);
    return el('li', { class: `card ${f.severity}` },
      el('h3', {}, f.title),
      el('p', { class: 'meta' }, el('code', {}, f.id), ` · ${f.where || 'whole capture'}`,
        saving.length > 0 && ` · ${saving.join(', ')}`, f.saving.bound && ` (${f.saving.bound})`),
      list('evidence', f.evidence),
      f.advice.length > 0 && list('advice', f.advice),
      f.related.length > 0 && el('p', { class: 'muted' }, 'See also: ', f.related.join(', ')),
      el('button', { type: 'button', class: 'jump', 'data-finding': i, onclick: () => jump(f) },
        'Show on the timeline'));
  })));
}

export function advice(data) {
  const all = data.analysis.verdict.advice;
  if (all.length === 0) return null;
  const items = (chosen) => el('ul', { class: 'advice' }, chosen.map((one) => el('li', {},
    el('span', { title: `Source: ${one.source}` }, one.text),
    el('span', { class: 'muted' }, ` — ${one.where}: ${one.because}`))));
  const worth = all.filter((one) => !one.against);
  const against = all.filter((one) => one.against);
  return section('advice', 'What to do',
    worth.length > 0 && items(worth),
    against.length > 0 && [el('h3', {}, 'Not worth work'), items(against)]);
}

// Passes of an API capture on the counters: times of the typical frame, a row for each queue.
export function passes(data, state, show) {
  const all = data.analysis.passes;
  const { alignment } = data.analysis;
  if (!alignment) return null;
  const labels = new Map(data.definitions.map((unit) => [unit.id, unit.label]));
  const rows = all.flatMap((pass) => ['non_fragment', 'fragment']
    .filter((queue) => pass.queue_intervals[queue] !== null)
    .map((queue) => ({ pass, queue, on: pass.queue_intervals[queue] })));
  const nameOf = new Map(all.map((pass) => [pass.index, pass.label]));
  const limited = ({ on }) => (on.merged_with.length > 0
    ? `one group with ${groupOf(on.merged_with.map((index) => nameOf.get(index)))}`
    : on.limiters.map((id) => labels.get(id) ?? id).join(', ') || 'unknown');
  const groupOf = ([first, ...others]) => (others.length > 0 ? `${first} and ${others.length} more` : first);
  const ms = (ns) => (ns / 1e6).toFixed(2);
  const frame = alignment.frame;
  // The row of what is pointed at in a lane is marked, and the other way round.
  const rowOf = (row) => el('tr', {
    onmouseenter: () => state.point(row.pass.label), onmouseleave: () => state.point(null),
  },
  el('th', { scope: 'row' }, row.pass.label),
  el('td', {}, row.queue === 'fragment' ? 'fragment' : 'non-fragment'),
  el('td', { class: 'number' }, row.on.ms.toFixed(2)),
  el('td', { class: 'number' }, `${ms(row.on.min_ns)} … ${ms(row.on.max_ns)}`),
  el('td', {}, limited(row)),
  el('td', {}, row.on.begin_ns !== undefined && el('button', {
    type: 'button', class: 'jump', 'aria-label': `Show ${row.pass.label} on the timeline`,
    onclick: () => show(row.on.begin_ns, row.on.end_ns),
  }, 'Show')));
  const nodes = rows.map(rowOf);
  state.listen((what) => {
    if (!what.has('pointed')) return;
    nodes.forEach((node, i) => node.classList.toggle('pointed', rows[i].pass.label === state.pointed));
  });
  return section('passes', 'Passes',
    el('p', {}, `${alignment.matching} frames do what the API capture’s frame does. GPU active `
      + `${frame.active_ms.toFixed(2)} ms a frame, of which ${frame.unattributed_ms.toFixed(2)} ms in no pass; `
      + `both queues at once ${frame.overlap_ms.toFixed(2)} ms.`),
    el('div', { class: 'wide', tabindex: 0, role: 'region', 'aria-label': 'Passes' }, el('table', { class: 'rows' },
      el('thead', {}, el('tr', {}, el('th', { scope: 'col' }, 'Pass'), el('th', { scope: 'col' }, 'Queue'),
        el('th', { scope: 'col', class: 'number' }, 'ms a frame'), el('th', { scope: 'col', class: 'number' }, 'from … to'),
        el('th', { scope: 'col' }, 'Limited by'), el('th', { scope: 'col' }, 'Where'))),
      el('tbody', {}, nodes))));
}

export function causes(data) {
  const v = data.analysis.verdict;
  if (v.low_top_causes.length === 0 || v.case === null) return null;
  const words = { yes: 'yes', no: 'no', cannot_tell: 'cannot tell' };
  return section('causes', 'Why the top is not higher', el('table', { class: 'rows' },
    el('thead', {}, el('tr', {}, ['Cause', 'Here', 'What tells'].map((t) => el('th', { scope: 'col' }, t)))),
    el('tbody', {}, v.low_top_causes.map((cause) => el('tr', {},
      el('th', { scope: 'row' }, cause.title),
      el('td', {}, el('span', { class: `tag ${cause.answer}` }, words[cause.answer])),
      el('td', {}, cause.evidence))))));
}

export function health(data) {
  const known = data.analysis.health.filter((m) => m.value !== null);
  if (known.length === 0) return null;
  const mark = (good) => (good === null ? ['', ''] : good ? ['yes', 'good'] : ['no', 'look at it']);
  return section('health', 'Health', el('table', { class: 'rows' },
    el('thead', {}, el('tr', {},
      el('th', { scope: 'col' }, 'Metric'), el('th', { scope: 'col', class: 'number' }, 'Value'),
      el('th', { scope: 'col' }, 'Unit'), el('th', { scope: 'col' }, 'Threshold'), el('th', { scope: 'col' }, 'Is it'))),
    el('tbody', {}, known.map((m) => {
      const [kind, word] = mark(m.good);
      return el('tr', {},
        el('th', { scope: 'row' }, m.title),
        el('td', { class: 'number' }, m.value >= 1000 ? short(m.value) : m.value.toFixed(2)),
        el('td', {}, m.unit), el('td', {}, m.threshold ?? ''),
        el('td', {}, word && el('span', { class: `tag ${kind === 'yes' ? 'fine' : 'poor'}` }, word)));
    }))));
}

const SHOWN = 12;
const someOf = (names) => names.slice(0, SHOWN).join(', ')
  + (names.length > SHOWN ? ` and ${names.length - SHOWN} more` : '');

export function missing(data) {
  const v = data.analysis.verdict;
  if (v.missing_counters.length === 0 && v.record_next.length === 0) return null;
  return section('missing', 'Not recorded',
    v.record_next.length > 0 && el('p', {}, el('b', {}, 'Record next: '), someOf(v.record_next)),
    v.missing_counters.length > 0 && el('details', { open: v.missing_counters.length <= 12 },
      el('summary', {}, `Lacking for a unit or the verdict: ${v.missing_counters.length}`),
      el('p', {}, v.missing_counters.join(', '))));
}

export function trust(data) {
  const { notes } = data.analysis.capture;
  const order = ['error', 'warning', 'info'];
  const sorted = [...notes].sort((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity));
  return section('trust', 'How far to trust it', sorted.length === 0
    ? el('p', {}, 'Nothing in the capture gives cause for doubt.')
    : el('ul', { class: 'notes' }, sorted.map((note) => el('li', {},
      el('span', { class: `tag ${note.severity}` }, note.severity), ' ', note.message,
      note.count > 1 && ` (${note.count} times)`, ' ', el('code', {}, note.id)))));
}

export function counters(data) {
  const all = data.analysis.counters;
  return section('counters', 'Counters', el('details', {},
    el('summary', {}, `${all.length} counters over the analysed range`),
    el('div', { class: 'wide', tabindex: 0, role: 'region', 'aria-label': 'Counters' }, el('table', { class: 'rows' },
      el('thead', {}, el('tr', {}, el('th', { scope: 'col' }, 'Counter'),
        ['Average', 'Per second', 'Per frame'].map((t) => el('th', { scope: 'col', class: 'number' }, t)))),
      el('tbody', {}, all.map((c) => el('tr', {},
        el('th', { scope: 'row' }, c.name, c.per_core && ' (per core)'),
        [c.average, c.per_second, c.per_frame].map((v) =>
          el('td', { class: 'number' }, v === null ? '–' : short(v))))))))));
}

export function methods(data) {
  const { clock, device } = data.analysis;
  const basis = [
    ['of peak', 'work / (peak × elapsed cycles): what the unit did of what it could have done; idle time lowers it.'],
    ['while busy', 'work / (peak × GPU-active cycles): the same without idle time.'],
    ['elapsed cycles', clock.source === null ? 'unknown here, so units are judged by busy time alone.'
      : `time × clock over the time that samples describe. Clock: ${clock.source}, confidence ${clock.confidence.toFixed(2)}.`],
    ['idle', '1 − GPU-active cycles / elapsed cycles.'],
    ['a range or a bin', 'every percentage is a ratio of sums over it, never a mean of ratios. Samples that a range cuts count by the share of their time inside. A line of the timeline that stands for several samples is their ratio of sums; the band around the unit in focus spans the lowest and the highest of them.'],
    ['paths', 'a unit with several paths is as busy as its busiest one.'],
    ['limiter', 'the unit with the highest percentage; others within 10 points limit together with it. Above 80 % take work off it, below 60 % raise it, between both.'],
    ['frames', 'a frame’s window runs from the end of the previous frame’s work to the end of its own, so windows add up.'],
    ['shader cores', device.cores === null ? 'their number is unknown; per-core peaks are compared with one core’s average.'
      : `${device.cores} (${device.cores_source}).`],
  ];
  return section('methods', 'How it was computed',
    el('dl', { class: 'facts' }, basis.map(([term, text]) => [el('dt', {}, term), el('dd', {}, text)])),
    el('h3', {}, 'What each unit is'),
    el('div', { class: 'wide', tabindex: 0, role: 'region', 'aria-label': 'Unit definitions' }, el('table', { class: 'rows definitions' },
      el('thead', {}, el('tr', {}, ['Unit', 'Path', 'Work', 'Peak', 'Where the peak comes from'].map((t) => el('th', { scope: 'col' }, t)))),
      el('tbody', {}, data.definitions.flatMap((unit) => unit.paths.map((path, i) => el('tr', {},
        i === 0 ? el('th', { scope: 'rowgroup', rowspan: unit.paths.length }, unit.label) : null,
        el('td', {}, path.label),
        el('td', {}, el('code', {}, path.work)),
        el('td', {}, peakText(path)),
        el('td', {}, path.peak === null ? '' : `${path.peak.provenance}: ${path.peak.source}`))))))));
}

function peakText(path) {
  if (path.ready_percent) return 'a percentage already';
  if (path.peak === null) return 'unknown';
  const per = { gpu_cycle: 'GPU cycle', core_cycle: 'core cycle', second: 'second' }[path.peak.per];
  return `${short(path.peak.value)} ${path.work_unit} per ${per}`;
}

// For readers without the canvas: the same numbers in words.
export const loadsInWords = (data) => data.analysis.units
  .filter((unit) => (unit.sol_percent ?? unit.active_percent) !== null)
  .map((unit) => `${unit.label} ${percent(unit.sol_percent ?? unit.active_percent)}`).join(', ');
