"""Two simulated captures whose difference is known: what `compare` says of it.

TILEBOUND_PAIRS sets how many pairs of seeds the noise tests take (100 by hand, few in every run).
"""

import csv
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import simulator
from simulator import simulate

PAIRS = int(os.environ.get('TILEBOUND_PAIRS', '4'))
BASE = 'c_renderer_a'
SCREEN = ('--resolution', '2400x1080')
FULL_SCREEN = {'primitives': 2, 'vertices': 4, 'partial': 0.0, 'coverage': 1.0}
DEPTH = {'format': 'D24S8', 'load': 'CLEAR', 'store': 'STORE'}
COLOR = {'format': 'RGBA8', 'load': 'DONT_CARE', 'store': 'STORE'}

_FOLDER = tempfile.TemporaryDirectory(prefix='tilebound-compare-')


def scenario(name):
    return json.loads((simulator.SIMULATOR.parent / 'scenarios' / (name + '.json')).read_text())


def forward(**changes):
    """The base with its first forward draw, or the pass itself (keys with a dot: attachments), changed."""
    made = scenario(BASE)
    target = next(p for p in made['passes'] if p['name'] == 'Forward')
    for key, value in changes.items():
        if key == 'fs':
            target['draws'][0]['fs'].update(value)
        elif key == 'attachment':
            index, what = value
            target['attachments'][index].update(what)
        elif key == 'draw':
            target['draws'].append(value)
        elif key == 'constant_tiles':
            target['constant_tiles'] = value
        else:
            target['draws'][0][key] = value
    return made


def with_pass(*draws, attachments=(DEPTH,), **keys):
    made = scenario(BASE)
    extra = {'name': 'Extra', 'width': 2400, 'height': 1080, 'attachments': list(attachments),
             'draws': list(draws), **keys}
    made['passes'].insert(2, extra)
    return made


def with_compute():
    made = scenario(BASE)
    made['passes'].insert(2, {'name': 'Simulation', 'type': 'compute', 'dispatches': 4,
                              'groups': [60, 34, 1], 'local': [8, 8, 1],
                              'work': {'fma': 60, 'ls_rd': 2, 'ls_wr': 1}})
    return made


# One fault each, and the cause that is to be claimed for it, alone.
FAULTS = {
    'clear pass': (lambda: with_pass(), 'extra_passes'),
    'depth-only pass': (lambda: with_pass(dict(FULL_SCREEN, coverage=1.9, ezs_kill=0.3)), 'extra_passes'),
    'blit': (lambda: with_pass(dict(FULL_SCREEN, fs={'tex': 1, 'fma': 2}), attachments=(COLOR,)),
             'extra_passes'),
    'split pass': (lambda: with_pass(attachments=(dict(COLOR, load='LOAD'), dict(DEPTH, load='LOAD'))),
                   'extra_passes'),
    'clear inside': (lambda: forward(draw=dict(FULL_SCREEN, late_z=1.0)), 'in_pass_clear'),
    'overdraw': (lambda: forward(coverage=2.3), 'extra_quads'),
    'discard': (lambda: forward(late_z=0.3), 'late_zs'),
    'draw order': (lambda: forward(ezs_kill=0.1), 'early_zs'),
    'samples': (lambda: forward(fs={'tex': 2}), 'texture_samples'),
    'trilinear': (lambda: forward(fs={'filter': 'trilinear'}), 'texture_filter'),
    'no mipmaps': (lambda: forward(fs={'tex_ext_bytes': 7}), 'texture_memory'),
    'small triangles': (lambda: forward(partial=0.2), 'partial_quads'),
    'blending': (lambda: forward(blend=True), 'occluders'),
    'pixel kill': (lambda: forward(fpk_kill=0.0), 'pixel_kill'),
    'registers': (lambda: forward(fs={'regs64': True}), 'registers'),
    'elimination': (lambda: forward(constant_tiles=0.0), 'lost_elimination'),
    'depth stored': (lambda: forward(attachment=(1, {'store': 'STORE'})), 'write_back'),
    'color loaded': (lambda: forward(attachment=(0, {'load': 'LOAD'})), 'tile_loads'),
    'more FMA': (lambda: forward(fs={'fma': 22}), 'shader_code'),
    'more CVT': (lambda: forward(fs={'cvt': 22}), 'shader_code'),
    'more loads': (lambda: forward(fs={'ls_rd': 3}), 'load_store'),
    'full precision': (lambda: forward(fs={'var32': 6, 'var16': 0}), 'lost_mediump'),
    'empty draws': (lambda: forward(zero_instance_draws=800), 'draw_calls'),
    'base instance': (lambda: forward(base_instance=True), 'tiler_path'),
    'compute': (with_compute, 'compute_work'),
}


def run(made, *options):
    """Simulates a scenario given as an object, or by name."""
    if isinstance(made, str):
        return simulate(made, *options)
    text = json.dumps(made, sort_keys=True)
    path = pathlib.Path(_FOLDER.name) / f'{abs(hash(text))}.json'
    path.write_text(text)
    return simulate(path, *options)


def base(seed, seconds='2', *options):
    return run(BASE, '--seed', str(seed), '--seconds', seconds, *options)


def compare(*arguments, allow='all', code=0):
    """The JSON of a comparison; captures may stand for their traces."""
    files = [str(a.trace if isinstance(a, simulator.Capture) else a) for a in arguments]
    command = [simulator.TILEBOUND, 'compare', *files, '--format', 'json']
    if allow:
        command += ['--allow', allow]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != code:
        raise AssertionError(f'{command}: exit {done.returncode}: {done.stderr}')
    return json.loads(done.stdout) if done.stdout else done.stderr


def ratios(result):
    return {c['key']: c['ratio'] for c in result['counters']}


def cause_ids(result):
    return [c['id'] for c in result['causes']]


def steps(result):
    return {s['step']: s for s in result['reading']}


def guards(result):
    return {g['id']: g['holds'] for g in result['guards']}


def true_means(capture):
    totals = capture.window_totals()
    frames = len(capture.frames()) - 1
    return {k: v / frames for k, v in totals.items()}


def true_ms(capture):
    return true_means(capture)['GPU_ACTIVE'] / capture.truth['clock'][0]['mhz'] / 1e3


class Table(unittest.TestCase):
    def test_ratios_are_the_true_ones(self):
        a, b = base(1), run('c_renderer_b', '--seed', '2', '--seconds', '2')
        result = compare(a, b, '--same-scene', *SCREEN)
        true_a, true_b = true_means(a), true_means(b)
        hardware = {c['machine'].lstrip('$'): c['hw'] for c in a.truth['counters'] if c['machine']}
        met = 0
        for row in result['counters']:
            true = true_a.get(hardware.get(row['key']))
            if row['ratio'] and true:
                met += 1
                expected = true_b.get(hardware[row['key']], 0) / true
                self.assertAlmostEqual(row['ratio'] / expected, 1, delta=0.01, msg=row['name'])
        self.assertGreater(met, 50)
        self.assertAlmostEqual(ratios(result)['MaliFragTile'], 1.46, delta=0.01)
        self.assertAlmostEqual(ratios(result)['MaliFragQueueActiveCy'], 1.33, delta=0.01)
        self.assertAlmostEqual(result['gap']['ms'], true_ms(b) - true_ms(a), delta=0.01)

    def test_sorted_by_cost_and_derived_apart(self):
        result = compare(base(1), base(2))
        rows = [c for c in result['counters'] if not c['derived']]
        costs = [c['a_per_frame'] for c in rows]
        self.assertEqual(costs, sorted(costs, reverse=True))
        self.assertFalse(any(c['significant'] for c in result['counters'] if c['derived']))

    def test_same_bytes_twice(self):
        a, b = base(1), base(2)
        self.assertEqual(compare(a, b), compare(a, b))


class Catalogue(unittest.TestCase):
    def test_each_fault_is_claimed_alone(self):
        a = base(1)
        matrix = {}
        for name, (made, cause) in FAULTS.items():
            b = run(made(), '--seed', '2', '--seconds', '2')
            result = compare(a, b, *SCREEN)
            matrix[name] = (cause, cause_ids(result))
            gap = true_ms(b) - true_ms(a)
            with self.subTest(fault=name):
                self.assertAlmostEqual(result['gap']['ms'], gap, delta=0.01)
                self.assertLessEqual(abs(result['gap']['remainder_ms']), max(0.1 * abs(gap), 0.01))
                for found in result['causes']:
                    if found['id'] == cause:
                        self.assertAlmostEqual(found['ms'], gap, delta=max(0.15 * abs(gap), 0.05))
        wrong = {n: c for n, c in matrix.items() if c[1] != [c[0]]}
        self.assertLessEqual(len(wrong), len(matrix) // 10, wrong)

    def test_extra_passes_are_counted(self):
        result = compare(base(1), run(with_pass(), '--seed', '2', '--seconds', '2'), *SCREEN)
        self.assertAlmostEqual(steps(result)['tiles']['numbers']['extra_passes'], 1, delta=0.02)
        self.assertIn('only clears', steps(result)['tiles']['conclusion'])
        without = compare(base(1), run(with_pass(), '--seed', '2', '--seconds', '2'))
        self.assertIsNone(steps(without)['tiles']['numbers']['extra_passes'])
        self.assertIn('--resolution', steps(without)['tiles']['conclusion'])

    def test_clears_inside_passes_are_counted(self):
        made = forward(draw=dict(FULL_SCREEN, late_z=1.0, count=2, coverage=2.0))
        result = compare(base(1), run(made, '--seed', '2', '--seconds', '2'), *SCREEN)
        quads = steps(result)['rasterized_quads']
        self.assertAlmostEqual(quads['numbers']['extra_full_screen_draws'], 2, delta=0.1)

    def test_two_causes_share_the_gap(self):
        a = base(1)
        made = with_pass(dict(FULL_SCREEN, coverage=1.9, ezs_kill=0.3))
        one = run(made, '--seed', '2', '--seconds', '2')
        made['passes'][3]['constant_tiles'] = 0.0
        both = run(made, '--seed', '2', '--seconds', '2')
        result = compare(a, both, *SCREEN)
        self.assertEqual(set(cause_ids(result)), {'extra_passes', 'lost_elimination'})
        true = {'extra_passes': true_ms(one) - true_ms(a), 'lost_elimination': true_ms(both) - true_ms(one)}
        for cause in result['causes']:
            expected = true[cause['id']]
            self.assertAlmostEqual(cause['ms'], expected, delta=max(0.15 * expected, 0.05), msg=cause)

    def test_the_other_way_round(self):
        slow = run(with_pass(), '--seed', '2', '--seconds', '2')
        result = compare(slow, base(1), *SCREEN)
        self.assertEqual(cause_ids(result), ['extra_passes'])
        self.assertLess(result['causes'][0]['ms'], 0)
        self.assertIn('A is the slower', result['summary'])


class Noise(unittest.TestCase):
    """Of 100 pairs: 0 false claims in 95 and more, a change of 2 % found in 90 and more."""

    @staticmethod
    def scaled(factor):
        made = scenario(BASE)
        for render_pass in made['passes']:
            for draw in render_pass['draws']:
                draw['vs'] = {'fma': 30 * factor}
                if 'fs' in draw:
                    draw['fs']['fma'] = draw['fs'].get('fma', 0) * factor
        return made

    def test_two_seeds_claim_nothing_and_two_percent_are_found(self):
        false, missed = [], []
        for seed in range(PAIRS):
            a = run(self.scaled(1), '--seed', str(seed), '--seconds', '3')
            same = compare(a, run(self.scaled(1), '--seed', str(1000 + seed), '--seconds', '3'))
            other = compare(a, run(self.scaled(1.02), '--seed', str(2000 + seed), '--seconds', '3'))
            claims = [c['name'] for c in same['counters'] if c['significant']] + cause_ids(same)
            if claims:
                false.append((seed, claims))
            found = [c['key'] for c in other['counters'] if c['significant']]
            if 'MaliEngFMAInstr' not in found or cause_ids(other) != ['shader_code']:
                missed.append((seed, found, cause_ids(other)))
        self.assertLessEqual(len(false), 0.05 * PAIRS, false)
        self.assertLessEqual(len(missed), 0.1 * PAIRS, missed)

    def test_frames_that_resemble_their_neighbours(self):
        """A slow wave over the frames is noise of the whole run, not of each frame."""
        false = 0
        for seed in range(6):
            a, b = (wave_capture(f'wave{seed}{side}', 6 * seed + phase)
                    for side, phase in (('a', 0), ('b', 2)))
            false += any(c['significant'] for c in compare(a, b)['counters'])
        self.assertLessEqual(false, 1)


def wave_capture(name, phase):
    """60 frames a second of which each one's work is an AR(1) step from the one before."""
    import random
    rng = random.Random(phase)
    level, rows = 0.0, []
    for i in range(2400):
        if i % 8 == 0:
            level = 0.9 * level + rng.gauss(0, 0.02)
        busy = i % 8 < 5
        work = 1 + level if busy else 0
        rows.append([f'{(i + 1) * 0.002:.4f}', round(800000 * work) if busy else 0,
                     round(700000 * work) if busy else 0, round(5000 * work), round(90000 * work)])
    return write_csv(name, ['GPU active cycles', 'Fragment queue active cycles', 'Tiles',
                            'Rasterized fine quads'], rows)


def write_csv(name, columns, rows):
    path = pathlib.Path(_FOLDER.name) / (name + '.csv')
    with path.open('w', newline='') as out:
        writer = csv.writer(out)
        writer.writerow(['Time (s)', *columns])
        writer.writerows(rows)
    return path


class RatesOnly(unittest.TestCase):
    """Samples of 20 ms: nothing but the frame rate tells what a frame costs."""

    def test_the_same_reading(self):
        slow = ('--set', 'sampling.period_ms=20')
        a = base(1, '5', *slow)
        for name in ('clear pass', 'clear inside', 'elimination', 'more FMA'):
            made, cause = FAULTS[name]
            b = run(made(), '--seed', '2', '--seconds', '5', *slow)
            rates = [f'{c.truth["summary"]["mean_fps"]:.2f}' for c in (a, b)]
            result = compare(a, b, '--fps-a', rates[0], '--fps-b', rates[1], *SCREEN)
            with self.subTest(fault=name):
                self.assertEqual(cause_ids(result), [cause])
                self.assertEqual(result['a'][0]['cut_by'], 'rate')

    def test_a_rate_is_asked_for(self):
        slow = base(1, '3', '--set', 'sampling.period_ms=20')
        self.assertIn('--fps-a', compare(slow, slow, code=2))


class Guards(unittest.TestCase):
    def fails(self, guard, *arguments):
        result = compare(*arguments, allow=None, code=1)
        self.assertIs(guards(result)[guard], False, result['guards'])
        self.assertTrue(any(guard in f for f in result['failures']), result['failures'])
        others = [g for g, holds in guards(result).items() if holds is False and g != guard]
        compare(*arguments, allow=','.join([guard, *others]))
        return result

    def test_other_scene(self):
        result = self.fails('same_scene', base(1), run('c_renderer_b', '--seed', '2', '--seconds', '2'))
        self.assertEqual(result['reading'], [])
        self.assertIn('different scenes', result['no_reading'])
        self.assertEqual(result['causes'], [])

    def test_other_clock(self):
        made = scenario(BASE)
        made['governor'] = {'mode': 'locked', 'opps_mhz': [600], 'locked_mhz': 600}
        self.fails('same_clock', base(1), run(made, '--seed', '2', '--seconds', '2'))

    def test_moving_clock(self):
        moving = run('b_mobile_forward_uncapped', '--seed', '2', '--seconds', '4')
        self.fails('stable_clock', moving, moving)

    def test_cpu_bound(self):
        self.fails('gpu_bound', base(1), base(2))
        busy = [run('e_alu_bound', '--seed', str(s), '--seconds', '2') for s in (1, 2)]
        self.assertIs(guards(compare(*busy, allow=None))['gpu_bound'], True)

    def test_missing_counter(self):
        self.fails('same_counters', base(1), base(2, '2', '--counters', 'small'))

    def test_other_device(self):
        self.fails('same_device', base(1), base(2, '2', '--set', 'gpu.cores=7'))

    def test_other_sampling(self):
        self.fails('same_sampling', base(1), base(2, '2', '--set', 'sampling.period_ms=0.5'))

    def test_drift(self):
        change = ('--set', 'scene_change={"at_fraction": 0.5, "pixel_scale": 1.2}')
        self.fails('no_drift', base(1, '4', *change), base(2, '4', *change))

    def test_swapped_files(self):
        made = [scenario(BASE), scenario(BASE)]
        made[1]['frame']['fps_cap'] = 50
        fast, slow = (run(m, '--seed', '1', '--seconds', '2') for m in made)
        self.fails('file_order', slow, fast, '--fps-a', '60', '--fps-b', '50')
        held = compare(fast, slow, '--fps-a', '60', '--fps-b', '50')
        self.assertIs(guards(held)['file_order'], True)

    def test_other_resolution(self):
        made = scenario(BASE)
        for render_pass in made['passes']:
            render_pass['width'], render_pass['height'] = (
                round(render_pass['width'] * 0.8), round(render_pass['height'] * 0.8))
        self.fails('same_resolution', base(1), run(made, '--seed', '2', '--seconds', '2'))


class Gates(unittest.TestCase):
    def test_threshold_names_what_moved(self):
        a, b = base(1), run(with_pass(), '--seed', '2', '--seconds', '2')
        result = compare(a, b, '--fail-above', '5%', code=1)
        self.assertIn('Tiles', result['failures'][0])
        compare(a, b, '--fail-above', '40%')
        compare(a, base(2), '--fail-above', '1%')

    def test_baseline(self):
        a = base(1)
        saved = pathlib.Path(_FOLDER.name) / 'saved.json'
        saved.write_text(json.dumps(compare(a, base(2))))
        compare(a, base(3), '--baseline', saved, '--fail-above', '1%')
        worse = run(with_pass(), '--seed', '2', '--seconds', '2')
        result = compare(a, worse, '--baseline', saved, '--fail-above', '1%', code=1)
        self.assertIn('Tiles', result['failures'][0])
        saved.write_text('{}')
        compare(a, a, '--baseline', saved, code=2)

    def test_many_runs(self):
        many = [base(s) for s in (1, 2, 3)]
        result = compare(*many, '--', *(base(s) for s in (4, 5, 6)))
        self.assertEqual(cause_ids(result), [])
        self.assertEqual(len(result['b']), 3)
        slow = [run(with_pass(), '--seed', str(s), '--seconds', '2') for s in (4, 5)]
        self.assertEqual(cause_ids(compare(*many, '--', *slow, *SCREEN)), ['extra_passes'])
        # Runs that differ among themselves by as much as the sides do claim nothing.
        mixed = [base(1), run(with_pass(), '--seed', '8', '--seconds', '2')]
        other = [base(2), run(with_pass(), '--seed', '9', '--seconds', '2'),
                 run(with_pass(), '--seed', '10', '--seconds', '2')]
        self.assertEqual(cause_ids(compare(*mixed, '--', *other)), [])


class Ablation(unittest.TestCase):
    def test_cost_of_a_pass(self):
        extra = with_pass({'primitives': 40000, 'vertices': 25000, 'coverage': 1.9, 'ezs_kill': 0.3})
        for made in (extra, with_pass()):
            on = [run(made, '--seed', str(s), '--seconds', '2') for s in (11, 12)]
            off = [base(s) for s in (1, 2)]
            true = sum(map(true_ms, on)) / 2 - sum(map(true_ms, off)) / 2
            result = compare(*on, '--', *off, '--ablation', 'Extra', allow='gpu_bound')['ablation']
            self.assertEqual((result['label'], result['in']), ('Extra', 'a'))
            self.assertAlmostEqual(result['gpu_ms']['value'] / true, 1, delta=0.05)
            self.assertLess(result['gpu_ms']['low'], true)
            self.assertGreater(result['gpu_ms']['high'], true)


class ReferenceTable(unittest.TestCase):
    """The three findings of a published comparison, out of captures built with its ratios."""

    COLUMNS = {'GPU active cycles': 1.2e6, 'Fragment queue active cycles': 1.1e6,
               'Non-fragment queue active cycles': 3e5, 'Triangle primitives': 2e5,
               'Visible primitives': 1e5, 'Tiler position shading requests': 4e4,
               'Fragment active cycles': 1e6, 'Tiles': 2441.6, 'Killed unchanged tiles': 800.0,
               'Rasterized fine quads': 2.4e5, 'Late ZS tested quads': 1.4e5,
               'Early ZS tested quads': 1e5, 'Tile unit write beats to L2 memory system': 2e3,
               'Output external write beats': 5.656e5}

    def capture(self, name, **scale):
        names = list(self.COLUMNS)
        rows = []
        for i in range(1500):
            share = (1 + 0.01 * ((i * 7919) % 13 - 6) / 6) / 5 if i % 8 < 5 else 0
            rows.append([f'{(i + 1) * 0.002:.4f}'] +
                        [f'{self.COLUMNS[n] * scale.get(n, 1) * share:.4f}' for n in names])
        return write_csv(name, names, rows)

    def read(self, **scale):
        key = str(abs(hash(tuple(sorted(scale.items())))))
        return compare(self.capture('reference'), self.capture('reference' + key, **scale),
                       '--cores', '9', '--core-counters', 'average', *SCREEN)

    def test_extra_pass(self):
        result = self.read(**{'GPU active cycles': 1.31, 'Fragment queue active cycles': 1.33,
                              'Fragment active cycles': 1.33, 'Tiles': 1.46,
                              'Rasterized fine quads': 1.3, 'Late ZS tested quads': 1.2})
        self.assertEqual(cause_ids(result), ['extra_passes'])
        self.assertIs(steps(result)['geometry_identity']['applies'], True)
        self.assertAlmostEqual(steps(result)['tiles']['numbers']['extra_passes'],
                               0.46 * 2441.6 * 9 / 10200, delta=0.02)

    def test_lost_elimination(self):
        tile = 'Tile unit write beats to L2 memory system'
        result = self.read(**{tile: 23, 'Output external write beats': 1.7,
                              'Killed unchanged tiles': 0.07})
        self.assertEqual(cause_ids(result), ['lost_elimination'])
        self.assertAlmostEqual(steps(result)['write_back']['numbers']['explained_share'], 1, delta=0.05)
        self.assertIn('static scene', steps(result)['constant_tiles']['conclusion'])

    def test_clears_inside_passes(self):
        result = self.read(**{'GPU active cycles': 1.15, 'Fragment queue active cycles': 1.18,
                              'Fragment active cycles': 1.18, 'Rasterized fine quads': 1.26,
                              'Late ZS tested quads': 1.44})
        self.assertEqual(cause_ids(result), ['in_pass_clear'])
        self.assertIs(steps(result)['tiles']['applies'], False)


if __name__ == '__main__':
    if not simulator.available():
        print(f'skipped: no simulator at {simulator.SIMULATOR}')
        sys.exit(simulator.SKIPPED)
    unittest.main()
