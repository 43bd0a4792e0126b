// A unit keeps one colour and dash on the whole page, by its rank in the analysed range: eight hues
// that stay apart for colour-blind eyes, then the same ones dashed and dotted.

const HUES = 8;
const DASHES = [[], [7, 4], [2, 3], [10, 3, 2, 3]];

export const hueOf = (rank) => `--unit-${rank % HUES}`;
export const dashOf = (rank) => DASHES[Math.floor(rank / HUES) % DASHES.length];

export const css = (name) =>
  getComputedStyle(document.documentElement).getPropertyValue(name).trim();

export const colorOf = (rank) => css(hueOf(rank));

export function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
}

// A canvas of the size of its box, cleared, in CSS pixels.
export function surface(canvas, width, height) {
  const ratio = devicePixelRatio || 1;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const context = canvas.getContext('2d');
  context.scale(ratio, ratio);
  context.font = `11px ${getComputedStyle(document.body).fontFamily}`;
  return context;
}
