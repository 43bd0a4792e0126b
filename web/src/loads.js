// Percent of peak of each unit over any range of bins: the arithmetic of src/analyze/units.cpp on
// sums over the range, so that a range here and `--range` on the command line say the same.
import { between, decode, lastAtOrBelow, prefixSums } from './columns.js';

// A counter that misses more of a range than this says nothing about it.
const LEAST_COVERAGE = 0.5;

export class Loads {
  constructor(data) {
    const t = data.timeline;
    this.bins = t.bins;
    this.samplesPerBin = t.samples_per_bin;
    this.edges = decode(t.edges);
    this.covered = {};
    for (const [axis, column] of Object.entries(t.covered)) {
      this.covered[axis] = prefixSums(decode(column));
    }
    const active = t.active === null ? [] : decode(t.counters[t.active].bins);
    this.cycles = prefixSums(active);
    this.counters = t.counters.map((counter) => this.#counter(counter, active));
    this.active = t.active;
    this.coreCycles = t.core_cycles;
    this.coreCyclesApart = t.core_cycles_apart;
    this.cores = data.analysis.device.cores;
    this.elapsed = t.elapsed && prefixSums(decode(t.elapsed));
    const clock = decode(t.clock_hz);
    this.clock = clock && prefixSums(clock, (i) => this.edges[i + 1] - this.edges[i]);
    this.units = data.definitions.map((unit) => ({
      ...unit,
      paths: unit.paths.map((path) => ({ ...path, evaluate: this.#compile(path.postfix) })),
    }));
  }

  // Position of a moment in bins, with its fraction.
  position(ns) {
    const i = lastAtOrBelow(this.edges, ns);
    if (i < 0) return 0;
    if (i >= this.bins) return this.bins;
    return i + (ns - this.edges[i]) / (this.edges[i + 1] - this.edges[i]);
  }

  clockHz(from, to, beginNs, endNs) {
    return this.clock ? between(this.clock, from, to) / (endNs - beginNs) : NaN;
  }

  activity(from, to) {
    const active = this.active === null ? NaN : this.#value(this.active, 'gpu', from, to);
    const elapsed = this.elapsed ? between(this.elapsed, from, to) : NaN;
    const busy = elapsed > 0 ? Math.min(1, Math.max(0, active / elapsed)) : NaN;
    const covered = this.active === null
      ? this.#longestCover(from, to)
      : between(this.covered[this.counters[this.active].axis], from, to);
    return { active, busy, seconds: covered / 1e9, idle: 100 * (1 - busy) };
  }

  // {sol, busy, path} of unit `u`; `value` is what it is judged by.
  unit(u, from, to, activity = this.activity(from, to)) {
    const out = { sol: NaN, busy: NaN, value: NaN, path: null, perCycle: NaN, workUnit: '' };
    const loads = this.units[u].paths.map((path) => this.#path(path, activity, from, to));
    loads.forEach((load, i) => {
      const value = Number.isFinite(load.sol) ? load.sol : load.busy;
      if (Number.isFinite(value) && !(value <= out.value)) {
        Object.assign(out, { sol: load.sol, busy: load.busy, value, path: i });
      }
    });
    for (const load of loads) if (load.busy > out.busy) out.busy = load.busy;
    const shown = loads[out.path ?? loads.findIndex((load) => Number.isFinite(load.perCycle))];
    if (shown) Object.assign(out, { perCycle: shown.perCycle, workUnit: shown.workUnit });
    return out;
  }

  #path(path, activity, from, to) {
    const out = { sol: NaN, busy: NaN, perCycle: NaN, workUnit: path.work_unit };
    const work = path.evaluate(from, to, path.basis);
    if (!Number.isFinite(work)) return out;
    if (path.ready_percent) {
      out.busy = work;
      out.sol = work * activity.busy;
      return out;
    }
    if (activity.active > 0) out.perCycle = work / activity.active;
    if (!path.peak) return out;
    if (path.peak.per === 'second') {
      out.sol = (100 * work) / activity.seconds / path.peak.value;
      out.busy = out.sol / activity.busy;
      return out;
    }
    if (activity.active === 0 && activity.busy === 0) {
      out.sol = 0; // of idle time nothing was used, and there is no busy time to judge
      return out;
    }
    out.busy = (100 * work) / (this.#peakCycles(path, activity, from, to) * path.peak.value);
    out.sol = out.busy * activity.busy;
    return out;
  }

  #peakCycles(path, activity, from, to) {
    if (path.peak.per !== 'core_cycle') return activity.active;
    if (this.coreCyclesApart) {
      return this.coreCycles === null ? NaN : this.#value(this.coreCycles, path.basis, from, to);
    }
    return path.basis === 'core' ? activity.active : activity.active * (this.cores ?? NaN);
  }

  // Total of a counter, or its average by time; what single bins lack is made up for by the others.
  #value(index, basis, from, to) {
    const counter = this.counters[index];
    const factor = counter.factors[basis];
    const described = between(
      counter.ofBusyTime ? this.cycles : this.covered[counter.axis], from, to);
    const available = between(counter.available, from, to);
    if (factor === null || !(available > 0) || available < LEAST_COVERAGE * described) return NaN;
    const sum = between(counter.sums, from, to);
    return counter.averaged ? sum / available : ((sum * described) / available) * factor;
  }

  #counter(counter, active) {
    const values = decode(counter.bins);
    const covered = counter.of_busy_time ? this.cycles : this.covered[counter.axis];
    const width = counter.of_busy_time
      ? (i) => active[i] : (i) => covered[i + 1] - covered[i];
    return {
      averaged: counter.averaged,
      ofBusyTime: counter.of_busy_time,
      axis: counter.axis,
      factors: { gpu: counter.gpu_factor, core: counter.core_factor },
      sums: prefixSums(values, counter.averaged ? width : undefined),
      available: values.some(Number.isNaN)
        ? prefixSums(values.map((v) => (Number.isNaN(v) ? NaN : 1)), width)
        : covered,
    };
  }

  #longestCover(from, to) {
    return Math.max(0, ...Object.values(this.covered).map((prefix) => between(prefix, from, to)));
  }

  // An expression in postfix order as nested functions of (from, to, basis).
  #compile(postfix) {
    const stack = [];
    for (const op of postfix) {
      if (op === null) stack.push(() => NaN);
      else if (typeof op === 'number') stack.push(() => op);
      else if (op[0] === 'c') stack.push((from, to, basis) => this.#value(op[1], basis, from, to));
      else if (op[0] === 'seconds') stack.push((from, to) => this.#longestCover(from, to) / 1e9);
      else {
        const args = stack.splice(stack.length - op[1]);
        stack.push(OPERATORS[op[0]](args));
      }
    }
    return stack.pop() ?? (() => NaN);
  }
}

const unary = (f) => ([a]) => (from, to, basis) => f(a(from, to, basis));
const binary = (f) => ([a, b]) => (from, to, basis) => f(a(from, to, basis), b(from, to, basis));
const all = (f) => (args) => (from, to, basis) => f(...args.map((arg) => arg(from, to, basis)));
const OPERATORS = {
  '+': binary((a, b) => a + b),
  '-': binary((a, b) => a - b),
  '*': binary((a, b) => a * b),
  '/': binary((a, b) => (b === 0 ? NaN : a / b)),
  neg: unary((a) => -a),
  abs: unary(Math.abs),
  min: all(Math.min),
  max: all(Math.max),
  if: ([c, a, b]) => (from, to, basis) => {
    const condition = c(from, to, basis);
    if (Number.isNaN(condition)) return NaN;
    return condition > 0 ? a(from, to, basis) : b(from, to, basis);
  },
};
