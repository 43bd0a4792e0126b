"""Frames that a trace names itself equal the simulator's truth.

The simulator writes counters only; here its truth is appended to the trace as drivers and Android
would have recorded it: GpuRenderStageEvents, FrameTimelineEvents and fences of GraphicsFrameEvents.
Concatenated packets are a legal trace.
"""

import bisect
import pathlib
import sys
import unittest

import simulator
from simulator import simulate, tilebound

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'golden'))
from make_traces import chunk, number  # noqa: E402

UNCAPPED = 'b_mobile_forward_uncapped'
CAPPED = 'a_mobile_forward_10fps'
SCENARIOS = (UNCAPPED, CAPPED, 'e_geometry_bound', 'f_cpu_bound', 'g_deferred_gbuffer')
DEVICE, COMPOSITOR = 0x7000, 0x9000
MONOTONIC = 3


def packet(time, body, sequence=900, clock=None):
    head = number(8, time) + (number(58, clock) if clock else b'')
    return chunk(1, head + body + number(10, sequence))


def render_stages(truth, submissions='frame', targets=3, passes=True, compositor=False):
    """Every job as a stage. `submissions`: a 'frame', a 'pass', or None; `targets`: images of the
    swapchain that the last pass draws to in turn; `passes`: with render pass handles."""
    names = b''.join(chunk(24, number(1, i + 1) + chunk(2, name)) for i, name in enumerate(
        ('vertex queue', 'fragment queue', 'vertex', 'fragment')))
    out = packet(0, chunk(12, names) + number(13, 1))
    ids = {p['name']: 0x100 + i for i, p in enumerate(truth['passes'])}
    render = {p['name'] for p in truth['passes'] if p['type'] != 'compute'}
    last = [n for n in ids if n in render][-1]
    submission = 0
    for k, frame in enumerate(truth['frames']):
        submission += 1
        done = set()
        for job in frame['jobs']:
            if job['end_ns'] is None:
                continue  # still running when the capture ended
            if submissions == 'pass' and job['pass'] not in done:
                submission += 1
            done.add(job['pass'])
            fragment = job['queue'] == 'fragment'
            target = 0x200 + ids[job['pass']]
            if job['pass'] == last and targets:
                target = 0x800 + k % targets
            body = number(2, job['end_ns'] - job['start_ns']) + number(5, DEVICE) + \
                number(8, target) + number(13, 2 if fragment else 1) + \
                number(14, 4 if fragment else 3)
            if passes:
                body += number(9, ids[job['pass']])
            if submissions:
                body += number(10, submission)
            out += packet(job['start_ns'], chunk(53, body) + number(13, 2))
        if compositor and frame['complete']:
            body = number(2, 200_000) + number(5, COMPOSITOR) + number(13, 2) + number(14, 4)
            out += packet(frame['end_ns'] + 300_000, chunk(53, body) + number(13, 2))
    return out


def frame_timeline(truth, layer='game', late_ns=0, every=1, pid=4242, cookie=0):
    """Actual surface frames that end with the GPU's work, or `late_ns` after it, on MONOTONIC."""
    offset = truth['time']['monotonic_offset_ns']
    out = b''
    for k, frame in enumerate(f for f in truth['frames'][::every] if f['complete']):
        start = frame['submit_ns'] - offset
        head = number(1, cookie + 2 * k) + number(2, 1000 + k) + number(3, 5000 + k) + \
            number(4, pid) + chunk(5, layer)
        expected = number(1, cookie + 2 * k + 1) + number(2, 1000 + k) + number(4, pid)
        out += packet(start, chunk(76, chunk(3, expected)), clock=MONOTONIC)
        out += packet(start, chunk(76, chunk(4, head + number(6, 1))), clock=MONOTONIC)
        out += packet(start + 16_000_000, chunk(76, chunk(5, number(1, cookie + 2 * k + 1))),
                      clock=MONOTONIC)
        out += packet(frame['end_ns'] - offset + late_ns,
                      chunk(76, chunk(5, number(1, cookie + 2 * k))), clock=MONOTONIC)
    return out


ACQUIRE, PRESENT = 4, 8


def fences(truth, kinds, delay_ns=0, layer='game'):
    out = b''
    for k, frame in enumerate(f for f in truth['frames'] if f['complete']):
        for kind in kinds:
            end = frame['end_ns'] + (delay_ns if kind == PRESENT else 0)
            event = number(1, k) + number(2, kind) + chunk(3, layer) + number(4, 1000)
            out += packet(end - 1000, chunk(57, chunk(1, event)))
    return out


class Marks(unittest.TestCase):
    def analyze(self, capture, extra):
        trace = capture.folder / 'marked.perfetto-trace'
        trace.write_bytes(capture.trace.read_bytes() + extra)
        return tilebound('analyze', trace)

    def true_frames(self, capture):
        samples = capture.truth['samples']
        return [f for f in capture.frames()
                if samples['first_stamp_ns'] < f['end_ns'] <= samples['last_stamp_ns']]

    def check_equal(self, capture, result, method, begins=True):
        frames = result['frames']
        true = self.true_frames(capture)
        self.assertEqual(frames['method'], method, frames['reason'])
        self.assertGreater(len(true), 5)
        self.assertEqual([f['end_ns'] for f in frames['list']], [f['end_ns'] for f in true])
        if begins:
            self.assertEqual([f['begin_ns'] for f in frames['list']],
                             [f['start_ns'] for f in true])
        self.assertGreaterEqual(frames['confidence'], 0.95)
        period = (true[-1]['end_ns'] - true[0]['end_ns']) / (len(true) - 1) / 1e6
        self.assertAlmostEqual(frames['period_ms'], period, places=9)

    def test_render_stages_of_one_submission_a_frame(self):
        for scenario in SCENARIOS:
            with self.subTest(scenario=scenario):
                capture = simulate(scenario, '--seed', '31', '--seconds', '1.2')
                result = self.analyze(capture, render_stages(capture.truth))
                self.check_equal(capture, result, 'render_stages')

    def test_render_stages_of_a_submission_a_pass(self):
        for change in ('frame.work_jitter=0.06', 'passes.ShadowMap.every=2',
                       'frame.hitch={"every":15,"gpu_scale":2.5}',
                       'scene_change={"at_fraction":0.5,"geometry_scale":0.7,"pixel_scale":1.2}'):
            with self.subTest(change=change):
                capture = simulate(UNCAPPED, '--seed', '32', '--seconds', '1.2', '--set', change)
                result = self.analyze(capture, render_stages(capture.truth, 'pass'))
                self.check_equal(capture, result, 'render_stages')

    def test_render_stages_without_submissions(self):
        """As of GLES: targets only, and those of the display take turns."""
        for scenario in (UNCAPPED, CAPPED):
            with self.subTest(scenario=scenario):
                capture = simulate(scenario, '--seed', '33', '--seconds', '1.2')
                result = self.analyze(capture, render_stages(capture.truth, None))
                self.check_equal(capture, result, 'render_stages')

    def test_which_stage_ends_a_frame_is_not_made_up(self):
        capture = simulate(UNCAPPED, '--seed', '34', '--seconds', '1.2')
        stages = render_stages(capture.truth, None, targets=0, passes=False)
        self.assertEqual(self.analyze(capture, stages)['frames']['method'], 'periodicity')
        # The compositor knows.
        result = self.analyze(capture, stages + frame_timeline(capture.truth))
        self.check_equal(capture, result, 'render_stages')
        result = self.analyze(capture, stages + fences(capture.truth, [ACQUIRE]))
        self.check_equal(capture, result, 'render_stages')

    def test_stages_of_the_compositor_are_told_apart(self):
        capture = simulate(CAPPED, '--seed', '35', '--seconds', '1.2')
        result = self.analyze(capture, render_stages(capture.truth, compositor=True))
        self.check_equal(capture, result, 'render_stages')
        notes = [n for n in result['capture']['notes'] if n['id'] == 'other_contexts']
        self.assertEqual(len(notes), 1)

    def test_stages_of_a_part_are_not_taken_for_the_whole(self):
        capture = simulate(UNCAPPED, '--seed', '36', '--seconds', '1.2')
        truth = dict(capture.truth, frames=capture.truth['frames'][:len(capture.frames()) // 3])
        result = self.analyze(capture, render_stages(truth))
        self.assertEqual(result['frames']['method'], 'periodicity')
        self.assertIn('marks_cover_part', {n['id'] for n in result['capture']['notes']})

    def test_frame_timeline(self):
        for scenario in SCENARIOS:
            with self.subTest(scenario=scenario):
                capture = simulate(scenario, '--seed', '37', '--seconds', '1.2')
                extra = frame_timeline(capture.truth) + frame_timeline(
                    capture.truth, 'status bar', every=3, pid=900, cookie=1 << 20)
                result = self.analyze(capture, extra)
                self.check_equal(capture, result, 'frame_timeline', begins=False)
                notes = [n['message'] for n in result['capture']['notes']
                         if n['id'] == 'other_surfaces']
                self.assertEqual(len(notes), 1)
                self.assertIn('status bar', notes[0])

    def test_begins_beside_marks_are_within_two_samples(self):
        capture = simulate(CAPPED, '--seed', '38', '--seconds', '1.5')
        frames = self.analyze(capture, frame_timeline(capture.truth))['frames']['list']
        period = capture.truth['samples']['period_ns']
        for found, true in list(zip(frames, self.true_frames(capture)))[1:]:
            self.assertLessEqual(abs(found['begin_ns'] - true['start_ns']), 2 * period)

    def test_a_mark_long_after_the_work_moves_back_to_it(self):
        capture = simulate(CAPPED, '--seed', '39', '--seconds', '1.5')
        period = capture.truth['samples']['period_ns']
        for extra, method in (
                (frame_timeline(capture.truth, late_ns=5_000_000), 'frame_timeline'),
                (fences(capture.truth, [PRESENT], delay_ns=20_000_000), 'idle_gaps')):
            frames = self.analyze(capture, extra)['frames']
            true = [f['end_ns'] for f in self.true_frames(capture)]
            self.assertEqual(frames['method'], method)
            self.assertGreaterEqual(len(frames['list']), len(true) - 1)
            for frame in frames['list']:
                at = bisect.bisect(true, frame['end_ns'])
                nearest = min(abs(t - frame['end_ns']) for t in true[max(0, at - 1):at + 1])
                self.assertLessEqual(nearest, period)

    def test_acquire_fences(self):
        for scenario in (UNCAPPED, CAPPED):
            capture = simulate(scenario, '--seed', '40', '--seconds', '1.2')
            result = self.analyze(capture, fences(capture.truth, [ACQUIRE, PRESENT],
                                                  delay_ns=20_000_000))
            self.check_equal(capture, result, 'presented', begins=False)

    def test_display_times_alone_give_the_rate_and_are_not_trusted(self):
        capture = simulate('e_geometry_bound', '--seed', '41', '--seconds', '1.2')
        result = self.analyze(capture, fences(capture.truth, [PRESENT], delay_ns=4_000_000))
        true = self.true_frames(capture)
        period = (true[-1]['end_ns'] - true[0]['end_ns']) / (len(true) - 1) / 1e6
        self.assertAlmostEqual(result['frames']['period_ms'] / period, 1, delta=0.01)
        if result['frames']['method'] == 'presented':
            self.assertLess(result['frames']['confidence'], 0.7)


if __name__ == '__main__':
    if not simulator.available():
        print(f'skipped: no simulator at {simulator.SIMULATOR}')
        sys.exit(simulator.SKIPPED)
    unittest.main()
