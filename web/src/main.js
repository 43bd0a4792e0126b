// The report page: reads its data, builds its parts, connects them.
import { isDark } from './colors.js';
import { el, plain, section } from './dom.js';
import { FrameStrip } from './frames.js';
import { bindKeys, helpDialog } from './keys.js';
import { Lane } from './lanes.js';
import { Loads } from './loads.js';
import * as sections from './sections.js';
import { State } from './state.js';
import { Timeline } from './timeline.js';
import { Units } from './units.js';

// Lines drawn at first; more than this many hide each other.
const FIRST_DRAWN = 6;

const data = JSON.parse(document.getElementById('report-data').textContent);
const loads = new Loads(data);
const state = new State(data, loads);
const ranked = data.analysis.units.map((unit, u) => u)
  .filter((u) => (data.analysis.units[u].sol_percent ?? data.analysis.units[u].active_percent) !== null);
for (const u of ranked.slice(FIRST_DRAWN)) state.hidden.add(u);

const timeline = new Timeline(state, ranked);
const strip = new FrameStrip(state, ranked, timeline);
const units = new Units(state, ranked, strip);
const lanes = data.lanes.map((lane) => new Lane(state, lane, timeline));

function toolbar() {
  const button = (label, sign, action) =>
    el('button', { type: 'button', 'aria-label': label, title: label, onclick: action }, sign);
  return el('div', { class: 'toolbar', role: 'group', 'aria-label': 'Timeline' },
    state.frames.count > 0 && [
      button('Previous frame', '[', () => state.stepFrame(-1)),
      button('Next frame', ']', () => state.stepFrame(1))],
    button('Pan left', '←', () => state.pan(-0.2)),
    button('Pan right', '→', () => state.pan(0.2)),
    button('Zoom in', '+', () => state.zoom(0.7)),
    button('Zoom out', '−', () => state.zoom(1 / 0.7)),
    button('Show all', 'All', () => state.reset()));
}

// A finding of one frame or of a named span shows that; any other the whole capture.
function jump(finding) {
  const frame = /^frame (\d+)/.exec(finding.where ?? '');
  const span = data.lanes.flatMap((lane) => lane.spans).find((s) => s.label === finding.where);
  if (frame) {
    const i = Number(frame[1]) - state.frames.first;
    const length = state.frames.end[i] - state.frames.begin[i];
    state.show(state.frames.begin[i] - length, state.frames.end[i] + length);
    state.selectFrame(i);
  } else if (span) {
    state.show(span.begin_ns, span.end_ns);
  } else {
    state.reset();
  }
  document.getElementById('timeline').scrollIntoView({ block: 'start' });
  timeline.node.focus({ preventScroll: true });
}

// A pass of the typical frame, with as much time around it; moments are the capture's own.
function showPass(beginNs, endNs) {
  const zero = data.zero_ns;
  const around = Math.max(endNs - beginNs, 1e5);
  state.show(beginNs - zero - around, endNs - zero + around);
  document.getElementById('timeline').scrollIntoView({ block: 'start' });
  timeline.node.focus({ preventScroll: true });
}

function timelineSection() {
  if (loads.bins === 0 || (ranked.length === 0 && !loads.elapsed)) {
    return section('timeline', 'Timeline', el('p', {}, 'No unit can be judged over time from these counters.'));
  }
  const what = data.analysis.clock.source === null ? 'Percent of peak while busy' : 'Percent of peak';
  return section('timeline', 'Timeline',
    toolbar(),
    state.frames.count > 0 && [el('h3', {}, 'Frame times'), strip.node],
    el('h3', {}, `${what}, by unit${loads.elapsed ? '; shaded: GPU busy' : ''}${loads.clock ? '; below: clock in MHz' : ''}`),
    timeline.node,
    lanes.map((lane) => lane.node),
    el('p', { class: 'unseen' }, `Loads over the analysed range: ${sections.loadsInWords(data)}`));
}

function setTheme(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
  const button = document.getElementById('theme');
  button.textContent = isDark() ? 'Light' : 'Dark';
  button.setAttribute('aria-label', `Switch to the ${isDark() ? 'light' : 'dark'} theme`);
  state.changed('theme');
}

function start() {
  const name = plain(data.analysis.capture.file).split('/').pop();
  document.title = `${name}: ${data.verdict}`;
  document.getElementById('file').textContent = name;
  const parts = [
    sections.summary(data),
    el('div', { class: 'desk' }, timelineSection(), units.node),
    sections.passes(data, state, showPass),
    sections.advice(data),
    sections.findings(data, jump),
    el('div', { class: 'pair' }, sections.causes(data), sections.health(data)),
    sections.missing(data),
    sections.trust(data),
    sections.counters(data),
    sections.methods(data),
  ].filter(Boolean);
  document.getElementById('main').replaceChildren(...parts);
  document.getElementById('nav').append(...[...document.querySelectorAll('main section')].map((part) =>
    el('a', { href: `#${part.id}` }, part.id)));

  const help = helpDialog(document.getElementById('help'));
  const toggle = () => setTheme(isDark() ? 'light' : 'dark');
  document.getElementById('help-button').addEventListener('click', help);
  document.getElementById('theme').addEventListener('click', toggle);
  bindKeys(state, { help, theme: toggle });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () =>
    setTheme(document.documentElement.dataset.theme));

  let before;
  addEventListener('beforeprint', () => {
    before = document.documentElement.dataset.theme;
    setTheme('light');
    state.flush();
  });
  addEventListener('afterprint', () => setTheme(before));

  if (timeline.node.isConnected) timeline.start();
  units.start();
  setTheme();
  state.changed('start');
}

start();
