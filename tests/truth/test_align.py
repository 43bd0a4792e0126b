"""Passes of an API capture on the timeline, against simulated captures.

The API capture is that of another run: another seed, and no labels in the capture of counters.
"""

import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import unittest

import simulator
import test_frame_marks
from simulator import TILEBOUND, simulate, tilebound

_FOLDER = tempfile.TemporaryDirectory(prefix='tilebound-align-')
QUEUES = (('fragment', 'fragment'), ('non_fragment', 'nonfragment'))


def scenario(name, change=None):
    """The path of a scenario of the simulator, changed."""
    folder = simulator.SIMULATOR.parent / 'scenarios'
    if change is None:
        return folder / f'{name}.json'
    path = pathlib.Path(_FOLDER.name) / f'{name}-{change.__name__}.json'
    if not path.exists():
        scene = json.loads((folder / f'{name}.json').read_text())
        if 'extends' in scene:
            base = json.loads((folder / scene.pop('extends')).read_text())
            for key, value in scene.items():
                base[key] = {**base[key], **value} if isinstance(value, dict) else value
            scene = base
        change(scene)
        path.write_text(json.dumps(scene))
    return path


def api_capture(path):
    """The API capture of one frame of another run, without labels."""
    folder = pathlib.Path(_FOLDER.name) / f'api-{path.stem}'
    capture = folder / 'capture.jsonl'
    if not capture.exists():
        subprocess.run([sys.executable, str(simulator.SIMULATOR), str(path), '--seed', '7',
                        '--frames', '4', '--no-csv', '--no-capture-labels', '-o', str(folder)],
                       check=True, capture_output=True)
    return capture, json.loads((folder / 'truth.json').read_text())


def calibration(scene):
    """Prepass and forward are one pass of the hardware; the table takes more than half a
    millisecond."""
    passes = {p['name']: p for p in scene['passes']}
    merged = passes['ForwardColor']
    merged['name'] = 'PrepassForward'
    merged['attachments'][1].update(load='CLEAR', store='DONT_CARE')
    merged['draws'].insert(0, passes['DepthPrepass']['draws'][0])
    passes['ColorGradingLUT']['draws'][0]['vertices'] = 4
    passes['ColorGradingLUT']['draws'][0]['fs'].update(fma=1100, cvt=420, sfu=200)
    scene['passes'] = [p for p in scene['passes'] if p['name'] != 'DepthPrepass']


def driver_blit(scene):
    """A pass that the application did not ask for."""
    at = [p['name'] for p in scene['passes']].index('ForwardColor') + 1
    scene['passes'].insert(at, {
        'name': 'DriverBlit', 'width': 1600, 'height': 720, 'draws': [],
        'attachments': [{'format': 'RGBA8', 'load': 'DONT_CARE', 'store': 'STORE'}]})


class Aligned:
    """One alignment with its truth."""

    def __init__(self, counters, api, *options):
        self.capture = simulate(counters, *options)
        path, self.api_truth = api_capture(api)
        self.result = tilebound('align', self.capture.trace, path, '--device', self.capture.device)
        self.names = {p['index']: self.api_truth['passes'][i]['name']
                      for i, p in enumerate(self.result['passes'])}
        self.sample_ns = self.capture.truth['samples']['period_ns']
        self.jobs = [{queue: {j['pass']: j for j in f['jobs'] if j['queue'] == queue}
                      for queue in ('fragment', 'nonfragment')} for f in self.capture.frames()]
        self.ends = [max(j['end_ns'] for j in jobs['fragment'].values()) for jobs in self.jobs]
        self.frame_ns = statistics.median(b - a for a, b in zip(self.ends, self.ends[1:]))

    def true_jobs(self, frame):
        """Of the true frame that ends where a found one does."""
        end = frame['fragment'][-1]['end_ns']
        return self.jobs[min(range(len(self.ends)), key=lambda i: abs(self.ends[i] - end))]

    def boundaries(self, key, queue):
        """Distances of begins and ends from the truth, in frames that match."""
        out = []
        for frame in self.result['alignment']['frames']:
            if not frame['matches'] or not frame['fragment']:
                continue
            true = self.true_jobs(frame)[queue]
            for one in frame[key]:
                job = true.get(self.names[one['pass']])
                if job is not None:
                    out += [abs(one['begin_ns'] - job['start_ns']),
                            abs(one['end_ns'] - job['end_ns'])]
        return out

    def passes(self, key, queue):
        """(pass, name, interval, true lengths, true limiters) of passes that the truth has."""
        for one in self.result['passes']:
            interval = one['queue_intervals'][key]
            name = self.names[one['index']]
            jobs = [jobs[queue][name] for jobs in self.jobs if name in jobs[queue]]
            if interval is not None and jobs:
                limiters = [self.capture.unit_map[j['limiter']] for j in jobs if j['limiter']]
                yield (one, name, interval, [j['end_ns'] - j['start_ns'] for j in jobs], limiters)


class Exact(unittest.TestCase):
    SCENES = ('a_mobile_forward_10fps', 'b_mobile_forward_uncapped', 'c_renderer_a',
              'c_renderer_b', 'd_empty_tiler_jobs', 'e_bandwidth_bound', 'e_geometry_bound',
              'f_cpu_bound', 'g_deferred_gbuffer')

    def check(self, aligned):
        alignment = aligned.result['alignment']
        self.assertGreaterEqual(alignment['matching'], 0.9 * len(alignment['frames']))
        self.assertGreaterEqual(len(alignment['frames']), len(aligned.ends) - 3)
        for key, queue in QUEUES:
            self.assertEqual(alignment['queues'][key]['method'], 'exact')
            off = aligned.boundaries(key, queue)
            near = sum(o <= aligned.sample_ns for o in off) / len(off)
            fine = aligned.sample_ns <= aligned.frame_ns / 16
            least = 0.99 if key == 'fragment' else 0.95 if fine else 0
            self.assertGreaterEqual(near, least, key)
        errors = {True: [], False: []}
        right = []
        for one, name, interval, lengths, limiters in aligned.passes('fragment', 'fragment'):
            true_ms = statistics.median(lengths) / 1e6
            samples = true_ms * 1e6 / aligned.sample_ns
            if interval['merged_with']:
                self.assertLess(samples, 1, name)
                continue
            self.assertGreater(samples, 0.2, name)
            errors[samples >= 1].append(abs(interval['ms'] / true_ms - 1))
            right.append(max(set(limiters), key=limiters.count) in interval['limiters'])
        for long, most in ((True, 0.05), (False, 0.10)):
            if errors[long]:
                self.assertLessEqual(statistics.median(errors[long]), most, errors)
        self.assertLessEqual(max(errors[True], default=0), 0.10)
        self.assertGreaterEqual(sum(right), 0.95 * len(right))

    def test_scenes(self):
        for name in self.SCENES:
            with self.subTest(scene=name):
                self.check(Aligned(name, scenario(name), '--seed', '211', '--seconds', '2'))

    def test_sampling_periods(self):
        for name in ('a_mobile_forward_10fps', 'b_mobile_forward_uncapped'):
            for period in ('0.25', '0.5', '2'):
                with self.subTest(scene=name, period=period):
                    self.check(Aligned(name, scenario(name), '--seed', '212', '--seconds', '2',
                                       '--sample-ms', period))

    def test_active_time_adds_up(self):
        for name in ('a_mobile_forward_10fps', 'b_mobile_forward_uncapped'):
            aligned = Aligned(name, scenario(name), '--seed', '213', '--seconds', '2')
            frame = aligned.result['alignment']['frame']
            self.assertLessEqual(frame['unattributed_ms'], 0.05 * frame['active_ms'])
            self.assertGreaterEqual(frame['active_ms'] + 1e-9,
                                    max(frame['fragment_ms'], frame['non_fragment_ms']))

    def test_better_than_an_equal_split(self):
        aligned = Aligned('b_mobile_forward_uncapped', scenario('b_mobile_forward_uncapped'),
                          '--seed', '214', '--seconds', '2')
        ours, equal = [], []
        for frame in aligned.result['alignment']['frames']:
            true = aligned.true_jobs(frame)['fragment']
            begin = min(j['start_ns'] for j in true.values())
            end = max(j['end_ns'] for j in true.values())
            for i, one in enumerate(frame['fragment']):
                at = true[aligned.names[one['pass']]]['end_ns']
                ours.append(abs(one['end_ns'] - at))
                equal.append(abs(begin + (end - begin) * (i + 1) / len(frame['fragment']) - at))
        self.assertLess(5 * sum(ours), sum(equal))

    def test_frames_of_full_load(self):
        """Where counters alone are not sure, the API capture cuts frames."""
        aligned = Aligned('e_alu_bound', scenario('e_alu_bound'), '--seed', '216', '--seconds', '2')
        path, _ = api_capture(scenario('e_alu_bound'))
        frames = tilebound('frames', aligned.capture.trace, '--api', path, '--device',
                           aligned.capture.device)['frames']
        self.assertEqual(frames['method'], 'api_guided')
        off = [min(abs(f['end_ns'] - end) for end in aligned.ends) for f in frames['list']]
        self.assertGreaterEqual(sum(o <= aligned.sample_ns for o in off), 0.99 * len(off))

    def test_render_stages_of_the_driver_are_used(self):
        capture = simulate('a_mobile_forward_10fps', '--seed', '217', '--seconds', '1')
        trace = pathlib.Path(_FOLDER.name) / 'stages.perfetto-trace'
        trace.write_bytes(capture.trace.read_bytes()
                          + test_frame_marks.render_stages(capture.truth))
        path, _ = api_capture(scenario('a_mobile_forward_10fps'))
        alignment = tilebound('align', trace, path, '--device', capture.device)['alignment']
        self.assertTrue(alignment['stages']['used'])
        self.assertLess(alignment['stages']['median_off_ms'], 0.5)
        jobs = {j['end_ns'] for f in capture.frames() for j in f['jobs']}
        for frame in alignment['frames']:
            if frame['matches']:
                self.assertIn(frame['fragment'][0]['end_ns'], jobs)

    def test_critical_path_ends_with_the_frame(self):
        aligned = Aligned('a_mobile_forward_10fps', scenario('a_mobile_forward_10fps'), '--seed',
                          '215', '--seconds', '1')
        path = aligned.result['alignment']['critical_path']
        self.assertEqual(path[0]['queue'], 'non_fragment')
        self.assertEqual(aligned.names[path[-1]['pass']], 'UberPost')
        for before, after in zip(path, path[1:]):
            self.assertLessEqual(before['end_ns'], after['begin_ns'] + aligned.sample_ns)


class Calibration(unittest.TestCase):
    """The pipeline of the calibration article: prepass and forward cannot be told apart."""

    def check(self, name, *options):
        aligned = Aligned(scenario(name, calibration), scenario('a_mobile_forward_10fps'),
                          '--seed', '221', '--seconds', '2', *options)
        by_name = {aligned.names[p['index']]: p for p in aligned.result['passes']}
        index = {aligned.names[p['index']]: p['index'] for p in aligned.result['passes']}
        prepass = by_name['DepthPrepass']['queue_intervals']['fragment']
        forward = by_name['ForwardColor']['queue_intervals']['fragment']
        self.assertIn(index['ForwardColor'], prepass['merged_with'])
        self.assertIn(index['DepthPrepass'], forward['merged_with'])
        merged = [j['fragment']['PrepassForward'] for j in aligned.jobs]
        true_ms = statistics.median(j['end_ns'] - j['start_ns'] for j in merged) / 1e6
        self.assertAlmostEqual(forward['max_ns'] / 1e6, true_ms, delta=0.05 * true_ms)
        self.assertEqual(forward['min_ns'], 0)
        for one, pass_name, interval, lengths, _ in aligned.passes('fragment', 'fragment'):
            if not interval['merged_with']:
                true_ms = statistics.median(lengths) / 1e6
                self.assertAlmostEqual(interval['ms'], true_ms, delta=0.1 * true_ms, msg=pass_name)
        self.assertEqual(by_name['ShadowMap']['queue_intervals']['fragment']['merged_with'], [])
        self.assertEqual(by_name['UberPost']['queue_intervals']['fragment']['merged_with'], [])

    def test_capped(self):
        self.check('a_mobile_forward_10fps')

    def test_uncapped(self):
        self.check('b_mobile_forward_uncapped')

    def test_separate_passes_stay_separate(self):
        aligned = Aligned('a_mobile_forward_10fps', scenario('a_mobile_forward_10fps'), '--seed',
                          '222', '--seconds', '2')
        index = {aligned.names[p['index']]: p for p in aligned.result['passes']}
        prepass = index['DepthPrepass']['queue_intervals']['fragment']
        self.assertNotIn(index['ForwardColor']['index'], prepass['merged_with'])


class General(unittest.TestCase):
    """Counters of known work are missing."""

    def check(self, name, hidden, methods):
        probe = simulate(name, '--seed', '231', '--seconds', '2', '--sample-ms', '0.5')
        kept = [c['hw'] for c in probe.truth['counters'] if c['hw'] not in hidden]
        aligned = Aligned(name, scenario(name), '--seed', '231', '--seconds', '2', '--sample-ms',
                          '0.5', '--counters', ','.join(kept))
        self.assertIn(aligned.result['alignment']['queues']['fragment']['method'], methods)
        off = aligned.boundaries('fragment', 'fragment')
        near = sum(o <= 0.08 * aligned.frame_ns for o in off) / len(off)
        self.assertGreaterEqual(near, 0.95, f'{name} without {hidden}')

    def test_hidden(self):
        for name in ('a_mobile_forward_10fps', 'b_mobile_forward_uncapped', 'c_renderer_b',
                     'g_deferred_gbuffer'):
            for hidden, methods in ((('FRAG_PTILES',), ('exact',)),
                                    (('FRAG_PTILES', 'JS0_TASKS'), ('exact',)),
                                    (('FRAG_PTILES', 'JS0_TASKS', 'JS0_JOBS'), ('mix',))):
                with self.subTest(scene=name, hidden=hidden):
                    self.check(name, hidden, methods)

    def test_driver_work_between_passes(self):
        for name in ('a_mobile_forward_10fps', 'b_mobile_forward_uncapped'):
            with self.subTest(scene=name):
                aligned = Aligned(scenario(name, driver_blit), scenario(name), '--seed', '232',
                                  '--seconds', '2')
                queue = aligned.result['alignment']['queues']['fragment']
                self.assertGreater(queue['unaccounted_share'], 0)
                notes = [n['id'] for n in aligned.result['capture']['notes']]
                self.assertIn('work_of_others', notes)
                off = aligned.boundaries('fragment', 'fragment')
                near = sum(o <= aligned.sample_ns for o in off) / len(off)
                self.assertGreaterEqual(near, 0.95)

    def test_missing_passes_are_said(self):
        def lacking(scene):
            drop = ('ColorGradingLUT', 'DepthPrepass', 'BloomDown2', 'BloomUp1')
            scene['passes'] = [p for p in scene['passes'] if p['name'] not in drop]
        aligned = Aligned('a_mobile_forward_10fps', scenario('a_mobile_forward_10fps', lacking),
                          '--seed', '233', '--seconds', '2')
        queues = aligned.result['alignment']['queues']
        self.assertTrue(all(queue['unaccounted_share'] > 0 for queue in queues.values()))
        self.assertLess(queues['fragment']['confidence'], 0.5)

    def test_another_scene_is_refused(self):
        for counters, api in (('a_mobile_forward_10fps', 'g_deferred_gbuffer'),
                              ('g_deferred_gbuffer', 'c_renderer_b'),
                              ('c_renderer_b', 'a_mobile_forward_10fps')):
            capture = simulate(counters, '--seed', '234', '--seconds', '2')
            path, _ = api_capture(scenario(api))
            done = subprocess.run([TILEBOUND, 'align', capture.trace, path], capture_output=True,
                                  text=True)
            self.assertEqual(done.returncode, 2, done.stdout)
            self.assertEqual(done.stdout, '')
            self.assertIn('a frame of the counters adds', done.stderr)


if __name__ == '__main__':
    if not simulator.available():
        print(f'skipped: no simulator at {simulator.SIMULATOR}')
        sys.exit(simulator.SKIPPED)
    unittest.main()
