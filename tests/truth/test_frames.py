"""Frame boundaries against simulated captures with known truth."""

import bisect
import csv
import statistics
import sys
import unittest

import simulator
from simulator import simulate, tilebound

UNCAPPED = 'b_mobile_forward_uncapped'
SCENES = (UNCAPPED, 'e_alu_bound', 'e_texture_bound', 'e_bandwidth_bound', 'e_geometry_bound')


class Result:
    """Found frame ends beside the true ones."""

    def __init__(self, scenario, *options):
        self.capture = simulate(scenario, *options)
        self.frames = tilebound('analyze', self.capture.trace)['frames']
        self.found = [f['end_ns'] for f in self.frames['list']]
        self.sample_ns = self.capture.truth['samples']['period_ns']
        ends = [f['end_ns'] for f in self.capture.frames()]
        self.true = [t for t in ends if self.found and
                     self.found[0] - self.sample_ns <= t <= self.found[-1] + self.sample_ns]
        self.true_period = (ends[-1] - ends[0]) / (len(ends) - 1) / 1e6
        self.errors = [self.nearest(t) - t for t in self.true]

    def leave_out_ends_in_runs_of_lost_samples(self):
        """Where two samples or more in a row are lost."""
        stamps = sorted(t for fault in self.capture.truth['faults']
                        for t in fault.get('stamps_ns', []))
        runs = [(a - self.sample_ns, b) for a, b in zip(stamps, stamps[1:])
                if b - a < 1.5 * self.sample_ns]
        self.true = [t for t in self.true if not any(a <= t <= b for a, b in runs)]
        self.errors = [self.nearest(t) - t for t in self.true]

    def right(self, period_ms):
        return period_ms is not None and abs(period_ms / self.true_period - 1) <= 0.05

    def nearest(self, time):
        i = bisect.bisect(self.found, time)
        return min(self.found[max(0, i - 1):i + 1], key=lambda f: abs(f - time))

    def share_within_a_sample(self, offset=0.0):
        return sum(abs(e - offset) <= self.sample_ns for e in self.errors) / len(self.errors)


def summed(one, other):
    """A table of both captures' counters, sample by sample; stamps are those of the first."""
    with open(one.csv, encoding='utf-8') as a, open(other.csv, encoding='utf-8') as b:
        rows, others = list(csv.reader(a)), list(csv.reader(b))
    assert rows[0] == others[0]
    path = one.folder / 'summed.csv'
    with open(path, 'w', encoding='utf-8', newline='') as out:
        writer = csv.writer(out)
        writer.writerow(rows[0])
        for x, y in zip(rows[1:], others[1:]):
            writer.writerow([x[0]] + [repr(float(u) + float(v)) for u, v in zip(x[1:], y[1:])])
    return path


class Frames(unittest.TestCase):
    def check(self, result, share=0.99, method='periodicity'):
        offset = statistics.median(result.errors)
        self.assertEqual(result.frames['method'], method)
        self.assertGreaterEqual(result.share_within_a_sample(offset), share)
        self.assertLessEqual(abs(offset) / 1e6, 0.1 * result.true_period)
        self.assertAlmostEqual(result.frames['period_ms'] / result.true_period, 1, delta=0.05)
        self.assertGreaterEqual(result.frames['confidence'], 0.8)

    def test_capped(self):
        for seed in ('101', '102'):
            result = Result('a_mobile_forward_10fps', '--seed', seed, '--seconds', '2')
            self.check(result, method='idle_gaps')
            self.assertGreaterEqual(result.share_within_a_sample(), 0.99)

    def test_uncapped_and_throttled(self):
        for seed in ('101', '102'):
            self.check(Result(UNCAPPED, '--seed', seed, '--seconds', '3'))

    def test_every_unit_may_limit(self):
        for scenario in SCENES[1:]:
            with self.subTest(scenario=scenario):
                self.check(Result(scenario, '--seed', '101', '--seconds', '1.5'), share=0.98)

    def test_sampling_periods(self):
        for sample_ms in ('0.5', '2'):
            with self.subTest(sample_ms=sample_ms):
                self.check(Result(UNCAPPED, '--seed', '101', '--seconds', '2', '--sample-ms',
                                  sample_ms))

    def test_scene_change_and_jitter(self):
        for change in ('scene_change={"at_fraction":0.5,"geometry_scale":0.7,"pixel_scale":1.2}',
                       'frame.work_jitter=0.06', 'sampling.jitter=0.2'):
            with self.subTest(change=change):
                self.check(Result(UNCAPPED, '--seed', '101', '--seconds', '2', '--set', change))

    def test_scenes_with_periods_of_their_own(self):
        counted = 0
        for geometry, pixels in ((0.7, 1.2), (1.5, 0.6), (0.5, 0.5), (2, 1.5)):
            for scenario in SCENES:
                with self.subTest(scenario=scenario, geometry=geometry, pixels=pixels):
                    result = Result(scenario, '--seed', '131', '--seconds', '2', '--set',
                                    'scene_change={"at_fraction":0.5,"geometry_scale":%s,'
                                    '"pixel_scale":%s}' % (geometry, pixels))
                    offset = statistics.median(result.errors)
                    found = result.share_within_a_sample(offset) >= 0.98
                    # The frames of the change itself may be off.
                    right = found or result.right(result.frames['period_ms'])
                    self.assertTrue(right or result.frames['confidence'] < 0.5)
                    counted += found
        self.assertGreaterEqual(counted, 17)  # of 20

    def test_lost_samples(self):
        lost = 'faults.drop_samples={"prob":0.05,"mode":"lost"}'
        for scenario, seed in ((s, n) for n in ('101', '111', '112', '113') for s in SCENES):
            with self.subTest(scenario=scenario, seed=seed):
                result = Result(scenario, '--seed', seed, '--seconds', '3', '--set', lost)
                result.leave_out_ends_in_runs_of_lost_samples()
                self.check(result, share=0.985)

    def test_few_samples_a_frame(self):
        for scenario in (UNCAPPED, 'e_alu_bound', 'e_bandwidth_bound'):
            period = Result(scenario, '--seed', '101', '--seconds', '1').true_period
            with self.subTest(scenario=scenario, samples=8):
                self.check_period(scenario, period / 8, share=0.95)
            with self.subTest(scenario=scenario, samples=5):
                self.check_period(scenario, period / 5, share=0)

    def check_period(self, scenario, sample_ms, share):
        result = Result(scenario, '--seed', '101', '--seconds', '3', '--sample-ms',
                        f'{sample_ms:.3f}')
        right = result.right(result.frames['period_ms'])
        self.assertTrue(right or result.frames['confidence'] < 0.5, result.frames['reason'])
        if share:
            self.assertTrue(right)
            offset = statistics.median(result.errors)
            self.assertGreaterEqual(result.share_within_a_sample(offset), share)

    def test_hitches_are_found_and_none_invented(self):
        """In 2,000 frames and more, of several scenes and seeds."""
        counted = 0
        for scenario, hitch in ((UNCAPPED, 'frame.hitch={"every":50,"gpu_scale":2.5}'),
                                ('a_mobile_forward_10fps', 'frame.hitch={"every":20,"gpu_scale":4}'),
                                (UNCAPPED, None)):
            for seed in ('121', '122'):
                with self.subTest(scenario=scenario, hitch=hitch, seed=seed):
                    seconds = '12' if scenario == UNCAPPED else '10'
                    options = ['--set', hitch] if hitch else []
                    counted += self.check_hitches(Result(scenario, '--seed', seed, '--seconds',
                                                         seconds, *options))
        self.assertGreater(counted, 2000)

    def check_hitches(self, result):
        """A long frame may hold the next one too where the GPU does not pause between them."""
        usual = statistics.median(b - a for a, b in zip(result.true, result.true[1:]))
        true, found = ([(a, b) for a, b in zip(ends, ends[1:]) if b - a > 1.5 * usual]
                       for ends in (result.true, result.found))

        def alike(one, others):
            return any(min(one[1], o[1]) - max(one[0], o[0]) > 0.8 * usual for o in others)

        self.assertGreaterEqual(sum(alike(t, found) for t in true), 0.95 * len(true))
        self.assertEqual([f for f in found if not alike(f, true)], [])
        return len(result.true)

    def test_a_hitch_that_leaves_no_pause(self):
        """The frame after it follows at once; tiles say where the long one ends."""
        for scenario, hitch in (('a_mobile_forward_10fps', '{"every":5,"gpu_scale":3}'),
                                ('a_mobile_forward_10fps', '{"every":5,"gpu_scale":4}'),
                                ('c_renderer_b', '{"every":20,"gpu_scale":6}'),
                                ('f_cpu_bound', '{"every":20,"gpu_scale":6}'),
                                ('g_deferred_gbuffer', '{"every":20,"gpu_scale":5}')):
            for seed in ('104', '105'):
                with self.subTest(scenario=scenario, hitch=hitch, seed=seed):
                    result = Result(scenario, '--seed', seed, '--seconds', '2', '--set',
                                    f'frame.hitch={hitch}')
                    self.assertEqual(len(result.found), len(result.true))
                    self.assertGreaterEqual(result.share_within_a_sample(), 0.99)

    def test_a_delayed_first_pass_shows_no_phase(self):
        """Geometry comes later than the frame before ends, while fragments go on."""
        for delay in ('1', '3', '5'):
            with self.subTest(delay=delay):
                frames = Result(UNCAPPED, '--seed', '101', '--seconds', '2', '--set',
                                f'passes.ShadowMap.submit_delay_ms={delay}').frames
                self.assertEqual(frames['phase'], 'assumed')

    def test_a_hitch_is_one_long_frame(self):
        result = Result(UNCAPPED, '--seed', '101', '--seconds', '4', '--set',
                        'frame.hitch={"every":40,"gpu_scale":2.5}')
        self.check(result)
        self.assertEqual(len(result.true), len(result.found))

    def test_two_rhythms_are_not_trusted(self):
        """A pass every second frame, be it most of the frame's fragment work or a small part.

        Where hardly a third of a sample is left of the other frame, nothing shows that it is one."""
        passes = {UNCAPPED: ('ShadowMap', 'ColorGradingLUT', 'ForwardColor', 'UberPost'),
                  'a_mobile_forward_10fps': ('ForwardColor',), 'c_renderer_b': ('Shadow', 'Forward'),
                  'd_empty_tiler_jobs': ('Forward',), 'e_texture_bound': ('Ui',),
                  'g_deferred_gbuffer': ('GBuffer', 'Lighting')}
        for scenario, name in ((s, n) for s, names in passes.items() for n in names):
            with self.subTest(scenario=scenario, every_second=name):
                self.check_two_rhythms(Result(scenario, '--seed', '101', '--seconds', '3', '--set',
                                              f'passes.{name}.every=2'))

    def test_a_compositor_is_not_the_frame(self):
        """Another program's work every 16.67 ms, its counters added (no contention)."""
        even = ('--seconds', '2', '--set', 'sampling.jitter=0', '--set', 'sampling.stamp_noise_us=0')
        compositor = simulate('e_alu_bound', '--seed', '7', *even, '--set', 'frame.mode="capped"',
                              '--set', 'frame.fps_cap=60', '--set', 'passes.Main.draws.0.coverage=0.1')
        for scenario, *options in ((UNCAPPED,), ('a_mobile_forward_10fps',), ('e_alu_bound',),
                                   ('a_mobile_forward_10fps', '--set', 'frame.fps_cap=30', '--set',
                                    'governor.floor_mhz=700'),
                                   ('c_renderer_b', '--set', 'frame.fps_cap=30')):
            with self.subTest(scenario=scenario, options=options):
                alone = Result(scenario, '--seed', '101', *even, *options)
                alone.frames = tilebound('analyze', summed(alone.capture, compositor))['frames']
                self.check_two_rhythms(alone)

    def check_two_rhythms(self, result):
        found = result.frames['period_ms']
        periods = [found] + [a['period_ms'] for a in result.frames['alternatives']]
        right = [result.right(p) for p in periods]
        self.assertTrue(any(right), periods)
        self.assertTrue(right[0] or result.frames['confidence'] < 0.5, periods)

    def test_too_few_samples_are_not_trusted(self):
        result = Result(UNCAPPED, '--seed', '101', '--seconds', '3', '--sample-ms', '5')
        self.assertLess(result.frames['confidence'], 0.5)


if __name__ == '__main__':
    if not simulator.available():
        print(f'skipped: no simulator at {simulator.SIMULATOR}')
        sys.exit(simulator.SKIPPED)
    unittest.main()
