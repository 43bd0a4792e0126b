// The mouse on a plot, beyond the drag that uPlot itself turns into a selection.

const CLICK_PIXELS = 3;
const ZOOM_PER_PIXEL = 1.0015;
const PAN_PER_PIXEL = 0.001;

// Wheel zooms at the pointer, sideways or with shift it pans; a click selects the frame there.
export function bindPointer(plot, state) {
  const moment = (event) => plot.posToVal(event.offsetX, 'x') * 1e9;
  plot.over.addEventListener('wheel', (event) => {
    event.preventDefault();
    const sideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
    if (sideways) state.pan((event.deltaX || event.deltaY) * PAN_PER_PIXEL);
    else state.zoom(ZOOM_PER_PIXEL ** event.deltaY, moment(event));
  }, { passive: false });
  let downAt = 0;
  plot.over.addEventListener('mousedown', (event) => { downAt = event.clientX; });
  plot.over.addEventListener('click', (event) => {
    if (Math.abs(event.clientX - downAt) > CLICK_PIXELS) return;
    state.selectFrame(state.frameAt(moment(event)));
  });
}

// Moves the view with the pointer until the button is let go; `width` is the view's, in pixels.
export function panByDragging(down, state, width) {
  let at = down.clientX;
  const move = (event) => {
    state.pan((at - event.clientX) / width);
    at = event.clientX;
  };
  const up = () => {
    document.removeEventListener('mousemove', move);
    document.removeEventListener('mouseup', up);
  };
  document.addEventListener('mousemove', move);
  document.addEventListener('mouseup', up);
}
