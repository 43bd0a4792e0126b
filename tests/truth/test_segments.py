"""Segments of frames, their advice and per-frame limiters against simulated captures."""

import bisect
import collections
import sys
import unittest

import simulator
from simulator import simulate, tilebound

FORWARD = ('a_mobile_forward_10fps', 'b_mobile_forward_uncapped')


def critical_path(truth):
    """{frame index: [(begin, end, limiter)]}: the chain of jobs that each frame's end waited for.

    Followed back from the frame's last job: a job began when the one before it on its queue ended,
    or when the other queue's work that it needs ended.
    """
    by_end = collections.defaultdict(list)
    for frame in truth['frames']:
        for job in frame['jobs']:
            if job['start_ns'] is not None and job['end_ns'] is not None:
                by_end[job['end_ns']].append(job)
    complete = [f for f in truth['frames'] if f['complete']]
    out = {}
    for previous, frame in zip(complete, complete[1:]):
        job = max(frame['jobs'], key=lambda j: (j['end_ns'], j['queue'] == 'fragment'))
        chain = []
        while job is not None and job['end_ns'] > previous['end_ns']:
            chain.append((max(job['start_ns'], previous['end_ns']), job['end_ns'], job['limiter']))
            before = [j for j in by_end[job['start_ns']] if j['start_ns'] < job['start_ns']]
            same = [j for j in before if j['queue'] == job['queue']]
            job = (same or before or [None])[0]
        out[frame['index']] = chain
    return out


class Result:
    def __init__(self, scenario, *options):
        self.capture = simulate(scenario, *options)
        self.analysis = tilebound('analyze', self.capture.trace, '--device', self.capture.device)
        self.listed = [f for f in self.analysis['frames']['list'] if f.get('segments')]
        self.ends = [f['end_ns'] for f in self.listed]
        self.sample_ns = self.capture.truth['samples']['period_ns']

    def pairs(self):
        """(true frame, found frame) whose ends lie within two samples."""
        for true in self.capture.frames()[1:]:
            i = bisect.bisect(self.ends, true['end_ns'])
            near = min(self.listed[max(0, i - 1):i + 1],
                       key=lambda f: abs(f['end_ns'] - true['end_ns']))
            if abs(near['end_ns'] - true['end_ns']) <= 2 * self.sample_ns:
                yield true, near


class Limiters(unittest.TestCase):
    def check(self, scenario, *options, share=0.98, named=1):
        result = Result(scenario, *options)
        chains = critical_path(result.capture.truth)
        right = []
        for true, found in result.pairs():
            time = collections.Counter()
            for begin, end, limiter in chains[true['index']]:
                if limiter:
                    time[result.capture.unit_map[limiter]] += end - begin
            right.append(time.most_common(1)[0][0] in found['limiters'][:named])
        self.assertGreater(len(right), 0.9 * len(result.capture.frames()) - 3)
        self.assertGreaterEqual(sum(right) / len(right), share, f'{scenario} {options}')

    def test_by_critical_path(self):
        for scenario in FORWARD + ('c_renderer_a', 'e_alu_bound', 'e_bandwidth_bound',
                                   'e_geometry_bound', 'e_texture_bound', 'f_cpu_bound'):
            for period in ('1', '0.5'):
                with self.subTest(scenario=scenario, period=period):
                    self.check(scenario, '--seed', '103', '--seconds', '2', '--sample-ms', period)

    def test_short_frames(self):
        """Frames of 3 ms, at a sixteenth of a frame a sample.

        Half of a pass of c_renderer_b shares memory with vertex work and is limited by it then; the
        truth names one limiter a pass. There the true one is among those named, of two at most."""
        for seed in ('103', '106'):
            with self.subTest(seed=seed):
                options = ('--seed', seed, '--seconds', '2', '--sample-ms', '0.16')
                self.check('g_deferred_gbuffer', *options)
                self.check('c_renderer_b', *options, named=2)

    def test_empty_jobs_do_not_hide_the_limiter(self):
        result = Result('d_empty_tiler_jobs', '--seed', '103', '--seconds', '2', '--sample-ms', '0.5')
        for frame in result.listed:
            self.assertLessEqual(len(frame['limiters']), 3, frame['limiters'])
        self.check('d_empty_tiler_jobs', '--seed', '103', '--seconds', '2', '--sample-ms', '0.25')

    def test_shares_add_up(self):
        result = Result('a_mobile_forward_10fps', '--seed', '103', '--seconds', '2')
        for frame in result.listed:
            shares = [s['percent'] for s in frame['limiter_share']]
            self.assertEqual(shares, sorted(shares, reverse=True))
            self.assertLessEqual(sum(shares), 100.001)
            self.assertGreater(sum(shares), 97)


class Segments(unittest.TestCase):
    def boundaries(self, frame):
        """Where the main pass and post-processing begin: between the ends of what is before and the
        begin of what is after."""
        jobs = {j['pass']: j for j in frame['jobs'] if j['queue'] == 'fragment'}
        return {'main': (jobs['ShadowMap']['end_ns'], jobs['ForwardColor']['start_ns']),
                'post': (jobs['ForwardColor']['end_ns'], jobs['UberPost']['start_ns'])}

    def test_shadow_main_and_post(self):
        for scenario in FORWARD:
            for seed in ('104', '105'):
                for period in ('1', '0.5'):
                    with self.subTest(scenario=scenario, seed=seed, period=period):
                        self.check(Result(scenario, '--seed', seed, '--seconds', '2',
                                          '--sample-ms', period))

    def check(self, result):
        near = 2 * result.sample_ns
        found = collections.Counter()
        frames = 0
        for true, frame in result.pairs():
            frames += 1
            segments = frame['segments']
            for name, (first, last) in self.boundaries(true).items():
                found[name] += any(first - near <= s['begin_ns'] <= last + near
                                   for s in segments[1:])
            # The longest is the main pass, what follows it is post-processing.
            longest = max(range(len(segments)), key=lambda i: segments[i]['gpu_active_ms'])
            found['shading'] += segments[longest]['work'] == 'shading'
            found['limiter'] += segments[longest]['limiters'][0] == 'alu'
            found['full screen'] += segments[-1]['work'] == 'full_screen'
            found['depth'] += any(s['work'] == 'depth' for s in segments[:longest])
            found['few'] += len(segments) <= 7
            for before, after in zip(segments, segments[1:]):
                self.assertLessEqual(before['end_ns'], after['begin_ns'])
            if segments[-1]['work'] == 'full_screen':
                self.assertIn('fewer_effects', segments[-1]['advice'])
            self.assertIn('simpler_lighting', segments[longest]['advice'])
        self.assertGreater(frames, 15)
        for name in ('main', 'post', 'shading', 'limiter', 'full screen', 'depth', 'few'):
            self.assertGreaterEqual(found[name] / frames, 0.98, (name, found))

    def test_geometry_gets_vertex_advice(self):
        result = Result('e_geometry_bound', '--seed', '104', '--seconds', '1')
        advice = {a['id'] for a in result.analysis['verdict']['advice']}
        self.assertIn('fewer_vertices', advice)
        self.assertIn('vertex_format', advice)
        self.assertNotIn('simpler_lighting', advice)

    def test_advice_is_explained(self):
        result = Result('a_mobile_forward_10fps', '--seed', '104', '--seconds', '2')
        given = result.analysis['verdict']['advice']
        self.assertIn('cpu_calls', [a['id'] for a in given])
        texts = {a['id'] for a in result.analysis['advice']}
        for advice in given:
            for key in ('text', 'source', 'where', 'because'):
                self.assertTrue(advice[key], advice)
        for frame in result.listed:
            for segment in frame['segments']:
                self.assertLessEqual(set(segment['advice']), texts)


if __name__ == '__main__':
    if not simulator.available():
        print(f'skipped: no simulator at {simulator.SIMULATOR}')
        sys.exit(simulator.SKIPPED)
    unittest.main()
