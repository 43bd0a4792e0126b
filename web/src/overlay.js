// What is drawn behind the lines of the timeline, in the canvas' own pixels.
import { css } from './colors.js';
import { lastAtOrBelow } from './columns.js';

const LEAST_FRAME_PIXELS = 5;

// To be undone with restore().
function clip({ ctx, bbox }) {
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
}

// The selected frame or what the analysed range leaves out, and where frames end.
export function drawFrames(plot, state) {
  const { frames, scope, span } = state;
  const { ctx, bbox } = plot;
  const x = (ns) => plot.valToPos(ns / 1e9, 'x', true);
  clip(plot);
  if (scope.kind === 'frame') {
    ctx.fillStyle = css('--select');
    ctx.fillRect(x(scope.begin), bbox.top, Math.max(1, x(scope.end) - x(scope.begin)), bbox.height);
  } else if (scope.kind === 'analysed') {
    // What the analysed range leaves out.
    ctx.fillStyle = css('--outside');
    ctx.fillRect(x(span[0]), bbox.top, x(scope.begin) - x(span[0]), bbox.height);
    ctx.fillRect(x(scope.end), bbox.top, x(span[1]) - x(scope.end), bbox.height);
  }
  const first = Math.max(0, lastAtOrBelow(frames.begin, state.begin));
  const last = Math.min(frames.count - 1, lastAtOrBelow(frames.begin, state.end) + 1);
  if (last > first && bbox.width / (last - first) >= LEAST_FRAME_PIXELS * devicePixelRatio) {
    ctx.strokeStyle = css('--boundary');
    ctx.lineWidth = devicePixelRatio;
    ctx.setLineDash([3 * devicePixelRatio, 3 * devicePixelRatio]);
    ctx.beginPath();
    for (let i = first; i <= last; ++i) {
      const at = Math.round(x(frames.end[i])) + 0.5;
      ctx.moveTo(at, bbox.top);
      ctx.lineTo(at, bbox.top + bbox.height);
    }
    ctx.stroke();
  }
  ctx.restore();
}

// Lowest to highest of `values` (one a bin) in each group of bins.
export function drawBand(plot, { values, starts, seconds, color, alpha }) {
  const { ctx } = plot;
  clip(plot);
  ctx.fillStyle = color;
  ctx.globalAlpha = alpha;
  for (let g = 0; g + 1 < starts.length; ++g) {
    let least = Infinity;
    let most = -Infinity;
    for (let i = starts[g]; i < starts[g + 1]; ++i) {
      if (values[i] < least) least = values[i];
      if (values[i] > most) most = values[i];
    }
    if (most < least) continue;
    const left = plot.valToPos(seconds[g], 'x', true);
    const right = plot.valToPos(seconds[g + 1], 'x', true);
    const top = plot.valToPos(most, 'y', true);
    ctx.fillRect(left, top, Math.max(1, right - left), plot.valToPos(least, 'y', true) - top);
  }
  ctx.restore();
}
