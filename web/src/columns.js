// Long columns of numbers as report/page_columns.h writes them.

const UNAVAILABLE = 65535;

function bytes(text) {
  const raw = atob(text);
  const out = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; ++i) out[i] = raw.charCodeAt(i);
  return out.buffer;
}

export function decode(column) {
  if (!column) return null;
  if (column.f64 !== undefined) return new Float64Array(bytes(column.f64));
  if (column.f32 !== undefined) return Float64Array.from(new Float32Array(bytes(column.f32)));
  return Float64Array.from(new Uint16Array(bytes(column.u16)), (code) =>
    code === UNAVAILABLE ? NaN : code * column.scale);
}

// prefix[i] is the sum of the first i values; what is no number counts as nothing.
export function prefixSums(values, weight = () => 1) {
  const out = new Float64Array(values.length + 1);
  for (let i = 0; i < values.length; ++i) {
    out[i + 1] = out[i] + (Number.isNaN(values[i]) ? 0 : values[i] * weight(i));
  }
  return out;
}

// The sum up to bin `x`, a fraction of a bin counting as that share of it.
export function upTo(prefix, x) {
  const i = Math.floor(x);
  if (i >= prefix.length - 1) return prefix[prefix.length - 1];
  return x === i ? prefix[i] : prefix[i] + (x - i) * (prefix[i + 1] - prefix[i]);
}

export const between = (prefix, from, to) => upTo(prefix, to) - upTo(prefix, from);

// Index of the last value at or below `wanted` in an ascending array, -1 without one.
export function lastAtOrBelow(sorted, wanted) {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] <= wanted) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
