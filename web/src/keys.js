// Keyboard and the list of what it does.
import { el } from './dom.js';

const STEP = 0.2;

export const KEYS = [
  ['← →', 'pan', ['ArrowLeft', 'ArrowRight']],
  ['+ −', 'zoom in and out', ['+', '=', '-', '_']],
  ['0', 'show the whole capture', ['0']],
  ['[ ]', 'previous and next frame', ['[', ']']],
  ['t', 'light or dark', ['t']],
  ['?', 'this list', ['?']],
];
const MOUSE = [
  ['drag', 'zoom to a range'],
  ['wheel', 'zoom at the pointer'],
  ['shift-drag, sideways wheel', 'pan'],
  ['click', 'select the frame under the pointer'],
  ['double-click', 'show the whole capture'],
];

export function bindKeys(state, { help, theme }) {
  const actions = {
    ArrowLeft: () => state.pan(-STEP),
    ArrowRight: () => state.pan(STEP),
    '+': () => state.zoom(0.7),
    '=': () => state.zoom(0.7),
    '-': () => state.zoom(1 / 0.7),
    _: () => state.zoom(1 / 0.7),
    0: () => state.reset(),
    '[': () => state.stepFrame(-1),
    ']': () => state.stepFrame(1),
    t: theme,
    '?': help,
  };
  document.addEventListener('keydown', (event) => {
    const free = !event.ctrlKey && !event.metaKey && !event.altKey;
    const scrolls = event.target instanceof Element && event.target.closest('.wide, dialog, summary');
    const action = actions[event.key];
    if (!free || !action || (scrolls && event.key.startsWith('Arrow'))) return;
    if (document.querySelector('dialog[open]') && event.key !== '?') return;
    event.preventDefault();
    action();
  });
}

export function helpDialog(dialog) {
  const rows = (list) => list.map(([keys, text]) => el('tr', {},
    el('th', { scope: 'row' }, el('kbd', {}, keys)), el('td', {}, text)));
  dialog.append(
    el('h2', { id: 'help-title' }, 'Keys and mouse'),
    el('table', { class: 'rows' }, el('tbody', {}, rows(KEYS), rows(MOUSE))),
    el('form', { method: 'dialog' }, el('button', { type: 'submit' }, 'Close')));
  return () => (dialog.open ? dialog.close() : dialog.showModal());
}
