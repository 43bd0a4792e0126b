"""Captures with known truth from the simulator in the folder of extra captures.

The simulator is no part of this project: tests that need it are skipped where it is absent.
"""

import functools
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXTRA = pathlib.Path(os.environ.get('TILEBOUND_EXTRA_DATA', ROOT / '../shared')).resolve()
SIMULATOR = EXTRA / 'sim' / 'tbdrsim.py'
TILEBOUND = os.environ.get('TILEBOUND', str(ROOT / 'build/asan/tilebound'))
SKIPPED = 77

# The simulator's units as ours; its truth may bring a map of its own.
UNIT_MAP = {
    'fma': 'alu', 'cvt': 'alu', 'sfu': 'alu', 'msg': 'message', 'tex': 'texture', 'var': 'varying',
    'ls': 'load_store', 'frag_warp': 'shader_core', 'nonfrag_warp': 'shader_core', 'rast': 'raster',
    'ezs': 'early_zs', 'lzs': 'late_zs', 'tile': 'tile_setup', 'tile_wr': 'tile_write',
    'vertex': 'vertex', 'tiler': 'tiler', 'l2_rd': 'l2_read', 'ext_rd': 'external_memory',
    'ext_wr': 'external_memory', 'dram': 'external_memory',
}

_FOLDER = tempfile.TemporaryDirectory(prefix='tilebound-truth-')


def available():
    return SIMULATOR.is_file()


class Capture:
    """One simulated capture with its truth."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.trace = self.folder / 'trace.perfetto-trace'
        self.csv = self.folder / 'counters.csv'
        self.truth = json.loads((self.folder / 'truth.json').read_text())
        self.unit_map = self.truth.get('unit_map', UNIT_MAP)

    @functools.cached_property
    def device(self):
        """A device profile with the simulated GPU's true peaks."""
        path = self.folder / 'device.toml'
        path.write_text(device_profile(self.truth, self.unit_map))
        return path

    def frames(self):
        return [f for f in self.truth['frames'] if f['complete']]

    def complete_range(self):
        """(begin, end) in ns: from the end of the first complete frame to that of the last."""
        done = self.frames()
        return done[0]['end_ns'], done[-1]['end_ns']

    def range_option(self, begin, end):
        zero = self.truth['samples']['first_stamp_ns']
        return ['--range', f'{(begin - zero) / 1e9:.9f}s:{(end - zero) / 1e9:.9f}s']

    def elapsed_cycles(self, begin, end):
        steps = [(c['t_ns'], c['mhz']) for c in self.truth['clock']]
        total = 0.0
        for i, (t, mhz) in enumerate(steps):
            until = steps[i + 1][0] if i + 1 < len(steps) else end
            a, b = max(t, begin), min(until, end)
            if b > a:
                total += (b - a) * 1e-3 * mhz
        return total

    def window_totals(self):
        """Counter totals of all complete frames but the first, by hardware name."""
        sums = {}
        for frame in self.frames()[1:]:
            for name, value in frame['window']['totals'].items():
                sums[name] = sums.get(name, 0) + value
        return sums

    def true_percentages(self):
        """{our unit: (sol, active)} over complete_range()."""
        begin, end = self.complete_range()
        totals = self.window_totals()
        seconds = (end - begin) / 1e9
        elapsed = self.elapsed_cycles(begin, end)
        active = totals['GPU_ACTIVE']
        cores = self.truth['gpu']['cores']
        out = {}
        for peak in self.truth['peaks']:
            work = sum(totals.get(c, 0) for c in peak['counters']) * peak['scale']
            if peak['per'] == 'second':
                sol = work / (peak['peak'] * seconds)
                busy = work / (peak['peak'] * seconds * active / elapsed)
            else:
                factor = cores if peak['per'] == 'core-cycle' else 1
                sol = work / (peak['peak'] * factor * elapsed)
                busy = work / (peak['peak'] * factor * active)
            unit = self.unit_map[peak['unit']]
            best = out.get(unit, (0, 0))
            out[unit] = (max(best[0], 100 * sol), max(best[1], 100 * busy))
        return out

    def true_limiters(self):
        """Time in ns by our unit: how long each limited a job."""
        out = {}
        for frame in self.frames():
            for job in frame['jobs']:
                if job['limiter']:
                    unit = self.unit_map[job['limiter']]
                    out[unit] = out.get(unit, 0) + job['end_ns'] - job['start_ns']
        return out


def device_profile(truth, unit_map):
    lines = ['id = "simulated"', 'name = "Simulated GPU"', 'vendor = "arm"', 'gpu = "G77"',
             f'cores = {truth["gpu"]["cores"]}']
    machine = {c['hw']: (c['machine'] or '$' + c['hw']) for c in truth['counters']}
    units = {}
    for peak in truth['peaks']:
        if all(c in machine for c in peak['counters']):
            units.setdefault(unit_map[peak['unit']], []).append(peak)
    per = {'core-cycle': 'core_cycle', 'gpu-cycle': 'gpu_cycle', 'second': 'second'}
    for unit, paths in units.items():
        lines += ['', '[[unit]]', f'id = "{unit}"']
        for peak in paths:
            work = ' + '.join(machine[c] for c in peak['counters'])
            if peak['scale'] != 1:
                work = f'({work}) * {peak["scale"]}'
            lines += ['', '[[unit.path]]', f'id = "{peak["unit"]}"', f'label = "{peak["unit"]}"',
                      f'work = "{work}"', f'work_unit = "{peak["work_unit"]}"',
                      f'peak = {{ value = {peak["peak"]!r}, per = "{per[peak["per"]]}", '
                      'provenance = "measured", source = "truth of the simulation" }']
    return '\n'.join(lines) + '\n'


@functools.lru_cache(maxsize=None)
def simulate(scenario, *options):
    """Runs the simulator once for each distinct set of arguments. `scenario` is a name of the
    simulator's own, or the path of a file."""
    folder = tempfile.mkdtemp(dir=_FOLDER.name)
    path = scenario
    if not isinstance(scenario, pathlib.Path):
        path = SIMULATOR.parent / 'scenarios' / (scenario + '.json')
    subprocess.run([sys.executable, str(SIMULATOR), str(path), '-o', folder, '--no-capture',
                    '--compact', *options], check=True, capture_output=True)
    return Capture(folder)


def tilebound(*arguments):
    """Runs the program; its JSON, or an AssertionError with what it said."""
    done = subprocess.run([TILEBOUND, *map(str, arguments), '--format', 'json'],
                          capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError(f'tilebound {arguments}: exit {done.returncode}: {done.stderr}')
    return json.loads(done.stdout)
