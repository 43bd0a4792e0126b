"""The passes of an API capture on counters of another run, both real, on the software Vulkan driver.

A layer of our own (programs/pass_times.cpp) says when each pass of the first run began and ended, by the
driver's timestamps: software timing, not a GPU's. Its amounts (tasks of 32 pixels, warps, primitives), spread
evenly over each pass and sampled, make the counter track. The API capture is of a second run. The
stamps are the truth that `align` does not see.
"""

import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import unittest

from capturing import (PROGRAMS, QT_VULKAN, SCENE, SECONDS, SKIPPED, TILEBOUND, Display, capture, missing,
                       qml)

TIMES = PROGRAMS / 'libpass_times.so'
LAYER = 'VK_LAYER_TILEBOUND_pass_times'
RUN_SECONDS = 6
WARM_UP_FRAMES = 20
PASSES = 5
COUNTERS = ('MaliGPUActiveCy', 'MaliFragQueueActiveCy', 'MaliFragQueueTask', 'MaliFragQueueJob',
            'MaliFragWarp', 'MaliFragRdPrim')


class Pass:
    def __init__(self, line):
        (self.frame, self.begin, self.end, self.width, self.height, self.primitives,
         self.fragments) = map(int, line.split())

    def amounts(self):
        """By counter, for a clock of 1 GHz."""
        busy = self.end - self.begin
        return {'MaliGPUActiveCy': busy, 'MaliFragQueueActiveCy': busy,
                'MaliFragQueueTask': math.ceil(self.width / 32) * math.ceil(self.height / 32),
                'MaliFragWarp': self.fragments / 16, 'MaliFragRdPrim': self.primitives}


def run_with_times(folder):
    """The passes of a run, whole frames only."""
    manifest = {'file_format_version': '1.1.2',
                'layer': {'name': LAYER, 'type': 'GLOBAL', 'library_path': str(TIMES),
                          'api_version': '1.3.0', 'implementation_version': '1',
                          'description': 'Times of render passes'}}
    (folder / 'pass_times.json').write_text(json.dumps(manifest))
    times = folder / 'times.txt'
    with Display() as display:
        environment = dict(os.environ, DISPLAY=display.name, VK_LAYER_PATH=str(folder),
                           VK_INSTANCE_LAYERS=LAYER, PASS_TIMES=str(times), **QT_VULKAN)
        run = subprocess.Popen([qml(), str(SCENE)], env=environment, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
        try:
            run.wait(timeout=RUN_SECONDS)
        except subprocess.TimeoutExpired:
            run.terminate()
            run.wait(timeout=SECONDS)
    frames = {}
    for line in times.read_text().splitlines():
        one = Pass(line)
        frames.setdefault(one.frame, []).append(one)
    return [passes for frame, passes in sorted(frames.items())
            if frame >= WARM_UP_FRAMES and len(passes) == PASSES]


def write_track(path, frames, period):
    """Samples of cumulative counters, as hardware gives them; the time of its begin."""
    begin = frames[0][0].begin - 5 * period
    samples = (frames[-1][-1].end - begin) // period + 5
    columns = {name: [0.0] * samples for name in COUNTERS}
    for one in (p for frame in frames for p in frame):
        for at in range((one.begin - begin) // period, (one.end - begin) // period + 1):
            inside = min(one.end, begin + (at + 1) * period) - max(one.begin, begin + at * period)
            for name, amount in one.amounts().items():
                columns[name][at] += amount * inside / (one.end - one.begin)
        columns['MaliFragQueueJob'][(one.end - begin) // period] += 1
    rows = ['Time,' + ','.join(COUNTERS)]
    sums, given = dict.fromkeys(COUNTERS, 0.0), dict.fromkeys(COUNTERS, 0)
    for at in range(samples):
        row = [f'{(at + 1) * period / 1e9:.6f}']
        for name in COUNTERS:
            sums[name] += columns[name][at]
            row.append(str(math.floor(sums[name] + 1e-6) - given[name]))
            given[name] = math.floor(sums[name] + 1e-6)
        rows.append(','.join(row))
    path.write_text('\n'.join(rows) + '\n')
    return begin


@unittest.skipIf(missing(), f'absent: {", ".join(missing())}')
@unittest.skipUnless(TIMES.is_file(), f'no {TIMES}')
@unittest.skipUnless(qml(), 'no QML with Qt Quick 3D')
class QtQuick3D(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix='tilebound-live-')
        cls.addClassCleanup(cls.folder.cleanup)
        folder = pathlib.Path(cls.folder.name)
        cls.frames = run_with_times(folder)
        cls.api = capture(folder, qml(), str(SCENE), frame=30, **QT_VULKAN)

    def check(self, period):
        track = pathlib.Path(self.folder.name) / f'track_{period}.csv'
        begin = write_track(track, self.frames, period)
        done = subprocess.run([TILEBOUND, 'align', str(track), str(self.api), '--device', 'mali-g77',
                               '--cores', '1', '--format', 'json'],
                              capture_output=True, text=True, check=True)
        report = json.loads(done.stdout)
        found = [f for f in report['alignment']['frames'] if f['matches']]
        self.assertGreaterEqual(len(found), 0.9 * len(self.frames))
        within = []
        for frame in found:
            true = min(self.frames, key=lambda f: abs(f[0].begin - begin - frame['begin_ns']))
            for one in frame['fragment']:
                stamps = true[one['pass'] - 1]
                within.append(abs(one['begin_ns'] + begin - stamps.begin) <= period)
                within.append(abs(one['end_ns'] + begin - stamps.end) <= period)
        self.assertGreaterEqual(statistics.mean(within), 0.99)
        for number, one in enumerate(report['passes']):
            times = [(f[number].end - f[number].begin) / 1e6 for f in self.frames]
            if statistics.median(times) * 1e6 < period:
                continue
            self.assertAlmostEqual(one['queue_intervals']['fragment']['ms'] / statistics.median(times), 1,
                                   delta=0.15)

    def test_samples_of_half_a_millisecond(self):
        self.check(500_000)

    def test_samples_of_a_millisecond(self):
        self.check(1_000_000)

    def test_samples_of_two_milliseconds(self):
        self.check(2_000_000)


if __name__ == '__main__':
    if missing() or not TIMES.is_file():
        print('skipped: no GFXReconstruct, or no Vulkan headers when this was built')
        sys.exit(SKIPPED)
    unittest.main()
