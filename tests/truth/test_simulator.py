"""The main job against simulated captures with known truth (no real Mali capture is public)."""

import csv
import sys
import unittest

import simulator
from simulator import simulate, tilebound

SINGLE_LIMITER = ('e_alu_bound', 'e_texture_bound', 'e_bandwidth_bound', 'e_geometry_bound')


def analyze(capture, *options, source=None, device=True):
    device_options = ['--device', capture.device, '--force-device'] if device else []
    return tilebound('analyze', source or capture.trace, *device_options, *options)


def finding_ids(result):
    return {f['id'] for f in result['findings']}


class SingleLimiter(unittest.TestCase):
    def test_names_the_true_limiter(self):
        for scenario in SINGLE_LIMITER:
            for seed in ('3', '11'):
                with self.subTest(scenario=scenario, seed=seed):
                    capture = simulate(scenario, '--seed', seed, '--seconds', '1')
                    limits = capture.true_limiters()
                    true = max(limits, key=limits.get)
                    verdict = analyze(capture)['verdict']
                    self.assertEqual(verdict['limiters'][0], true, verdict)
                    self.assertEqual(verdict['case'], 'high')

    def test_geometry_is_never_busy_without_work(self):
        for seed in ('3', '11', '12'):
            capture = simulate('e_geometry_bound', '--seed', seed, '--seconds', '1')
            for device in (True, False):
                self.assertNotIn('busy_without_work', finding_ids(analyze(capture, device=device)))

    def test_others_are_never_busy_without_work(self):
        for scenario in ('a_mobile_forward_10fps', 'e_alu_bound', 'f_cpu_bound', 'g_deferred_gbuffer'):
            capture = simulate(scenario, '--seed', '5', '--seconds', '1')
            self.assertNotIn('busy_without_work', finding_ids(analyze(capture)), scenario)


class EmptyDraws(unittest.TestCase):
    def test_thousands_of_empty_draws_are_told(self):
        for seed in ('3', '11', '12'):
            capture = simulate('d_empty_tiler_jobs', '--seed', seed, '--seconds', '2')
            for device in (True, False):
                with self.subTest(seed=seed, device=device):
                    result = analyze(capture, device=device)
                    self.assertIn('busy_without_work', finding_ids(result))


class Percentages(unittest.TestCase):
    def check(self, capture, *options):
        result = analyze(capture, *options, *capture.range_option(*capture.complete_range()))
        true = capture.true_percentages()
        found = {u['id']: u for u in result['units']}
        begin, end = capture.complete_range()
        busy = capture.window_totals()['GPU_ACTIVE'] / capture.elapsed_cycles(begin, end)
        self.assertAlmostEqual(result['verdict']['idle_percent'], 100 * (1 - busy), delta=0.5)
        for unit, (sol, active) in true.items():
            if unit not in found:
                continue
            self.assertAlmostEqual(found[unit]['sol_percent'], sol, delta=0.5, msg=unit)
            self.assertAlmostEqual(found[unit]['active_percent'], active, delta=0.5, msg=unit)
        self.assertGreaterEqual(len(set(true) & set(found)), 12)

    def test_every_scenario(self):
        for scenario in ('a_mobile_forward_10fps', 'b_mobile_forward_uncapped', 'c_renderer_a',
                         'd_empty_tiler_jobs', *SINGLE_LIMITER, 'f_cpu_bound', 'g_deferred_gbuffer'):
            with self.subTest(scenario=scenario):
                self.check(simulate(scenario, '--seed', '7', '--seconds', '1.5'))

    def test_complete_frames_are_found_without_a_range(self):
        capture = simulate('a_mobile_forward_10fps', '--seed', '7', '--seconds', '1.5')
        result = analyze(capture)
        self.assertEqual(result['frames']['method'], 'idle_gaps')
        self.assertEqual(result['frames']['count'], len(capture.frames()))
        for unit, (sol, active) in capture.true_percentages().items():
            found = {u['id']: u for u in result['units']}.get(unit)
            if found:
                self.assertAlmostEqual(found['sol_percent'], sol, delta=0.5, msg=unit)
                self.assertAlmostEqual(found['active_percent'], active, delta=0.5, msg=unit)

    def test_idle_is_the_case_of_a_capped_frame_rate(self):
        capture = simulate('a_mobile_forward_10fps', '--seed', '7', '--seconds', '1.5')
        self.assertEqual(analyze(capture)['verdict']['case'], 'idle')


class Totals(unittest.TestCase):
    def test_equal_the_truth(self):
        capture = simulate('a_mobile_forward_10fps', '--seed', '7', '--seconds', '1.5')
        cores = capture.truth['gpu']['cores']
        totals = {c['id']: c['total'] for c in tilebound('info', capture.trace)['counters']}
        compared = 0
        for counter in capture.truth['counters']:
            true = capture.truth['totals'].get(counter['hw'], 0)
            found = totals[counter['id']] * (cores if counter['divided_by_cores'] else 1)
            self.assertAlmostEqual(found, true, delta=1e-9 * max(1, true), msg=counter['hw'])
            compared += 1
        self.assertGreater(compared, 60)

    def test_perfetto_and_csv_agree(self):
        for names in ('display', 'machine'):
            capture = simulate('a_mobile_forward_10fps', '--seed', '7', '--seconds', '1.5',
                               '--csv-names', names)
            zero = (capture.truth['samples']['first_stamp_ns'])
            trace = analyze(capture)
            table = analyze(capture, source=capture.csv)
            # The table has no clock events; units while busy do not need them.
            a = {u['id']: u['active_percent'] for u in trace['units']}
            b = {u['id']: u['active_percent'] for u in table['units']}
            self.assertEqual(set(a), set(b))
            per_second = {c['name'].lstrip('$'): c['per_second'] for c in table['counters']}
            self.assertGreater(zero, 0)
            for unit, value in a.items():
                if unit != 'external_memory':  # also judged per second, which needs the clock
                    self.assertAlmostEqual(b[unit], value, delta=0.01, msg=(names, unit))
            self.assertGreater(len(per_second), 60)
            totals = [sorted(c['total'] for c in tilebound('info', source)['counters'])
                      for source in (capture.trace, capture.csv)]
            for x, y in zip(*totals):
                self.assertAlmostEqual(x, y, delta=1e-6 * max(1, x))

    def test_averages_and_sums_give_the_same_gpu(self):
        averaged = simulate('b_mobile_forward_uncapped', '--seed', '7', '--seconds', '1')
        summed = simulate('b_mobile_forward_uncapped', '--seed', '7', '--seconds', '1',
                          '--per-core', 'sum')
        a = {c['id']: c['total'] for c in analyze(averaged)['counters']}
        b = {c['id']: c['total'] for c in analyze(summed)['counters']}
        self.assertEqual(set(a), set(b))
        for counter, value in a.items():
            self.assertAlmostEqual(b[counter], value, delta=1e-9 * max(1, value), msg=counter)

    def test_core_count_is_found(self):
        for cores in (4, 7, 9):
            capture = simulate('b_mobile_forward_uncapped', '--seed', '7', '--seconds', '0.5',
                               '--set', f'gpu.cores={cores}')
            device = tilebound('analyze', capture.trace)['device']
            self.assertEqual(device['cores'], cores)
            self.assertEqual(device['core_counters'], 'average')


class Spellings(unittest.TestCase):
    def test_ids_alone_and_names_give_the_same_units(self):
        named = simulate('b_mobile_forward_uncapped', '--seed', '7', '--seconds', '0.5')
        bare = simulate('b_mobile_forward_uncapped', '--seed', '7', '--seconds', '0.5', '--set',
                        'faults.missing_descriptor=true')
        self.assertEqual(units_of(named.trace), units_of(bare.trace))

    def test_streamline_titles_and_perfetto_give_the_same_units(self):
        capture = simulate('b_mobile_forward_uncapped', '--seed', '7', '--seconds', '0.5')
        titles = {}
        for counter in tilebound('counters', '--gpu', 'G77')['counters']:
            for spelling in counter['spellings']:
                if ': ' in spelling:
                    titles.setdefault(counter['display_name'], spelling)
        with capture.csv.open() as file:
            rows = list(csv.reader(file))
        rows[0] = ['Time (s)'] + [titles.get(name, name) for name in rows[0][1:]]
        self.assertIn('Mali GPU Cycles: GPU active', rows[0])
        table = capture.folder / 'streamline-names.csv'
        with table.open('w', newline='') as out:
            csv.writer(out).writerows(rows)
        a, b = units_of(capture.trace), units_of(table)
        self.assertEqual(set(a), set(b))
        for unit, value in a.items():
            if value is not None:
                self.assertAlmostEqual(b[unit], value, delta=1e-4 * max(1, value), msg=unit)


def units_of(source):
    """Percent while busy by the peaks of the calibration document, whatever device it is."""
    result = tilebound('analyze', source, '--device', 'redmi-12', '--force-device', '--cores', 9)
    percentages = {u['id']: u['active_percent'] for u in result['units']}
    assert sum(p is not None for p in percentages.values()) >= 14, percentages
    assert all(u['forced_device'] for u in result['units'])
    return percentages


class Clock(unittest.TestCase):
    def test_streamline_clock_expression(self):
        busy = simulate('e_alu_bound', '--seed', '3', '--seconds', '1')
        begin, end = busy.complete_range()
        result = analyze(busy, *busy.range_option(begin, end))
        self.assertLess(result['verdict']['idle_percent'], 1)
        self.assertAlmostEqual(result['clock']['expression_percent'],
                               result['clock']['mean_percent'], delta=1)
        capped = simulate('a_mobile_forward_10fps', '--seed', '7', '--seconds', '1.5')
        result = analyze(capped)
        share = 1 - result['verdict']['idle_percent'] / 100
        self.assertAlmostEqual(result['clock']['expression_percent'],
                               result['clock']['mean_percent'] * share, delta=0.1)
        self.assertIn('clock_expression_counts_idle',
                      {n['id'] for n in result['capture']['notes']})

    def test_mean_and_throttling(self):
        capture = simulate('b_mobile_forward_uncapped', '--seed', '7')
        begin, end = capture.complete_range()
        result = analyze(capture, *capture.range_option(begin, end))
        mean = capture.elapsed_cycles(begin, end) / (end - begin) * 1e9
        self.assertAlmostEqual(result['clock']['mean_hz'] / mean, 1, delta=0.001)
        self.assertTrue(result['clock']['throttled'])
        fixed = simulate('e_alu_bound', '--seed', '3', '--seconds', '1')
        self.assertFalse(analyze(fixed)['clock']['throttled'])

    def test_is_estimated_without_events(self):
        capture = simulate('b_mobile_forward_uncapped', '--seed', '7', '--set',
                           'perfetto.gpu_frequency=false')
        begin, end = capture.complete_range()
        result = analyze(capture, *capture.range_option(begin, end))
        mean = capture.elapsed_cycles(begin, end) / (end - begin) * 1e9
        self.assertAlmostEqual(result['clock']['mean_hz'] / mean, 1, delta=0.02)
        self.assertLess(result['clock']['confidence'], 1)


class Faults(unittest.TestCase):
    def test_bad_capture_gives_the_same_units(self):
        bad = simulate('i_faulty_capture', '--seed', '7')
        notes = {n['id'] for n in tilebound('info', bad.trace)['capture']['notes']}
        for wanted in ('truncated', 'wrapped_value', 'duplicate_descriptor', 'out_of_order', 'holes',
                       'several_gpus'):
            self.assertIn(wanted, notes)
        result = analyze(bad)
        true = bad.true_percentages()
        for unit in result['units']:
            if unit['active_percent'] is not None:
                self.assertAlmostEqual(unit['active_percent'], true[unit['id']][1], delta=1.5,
                                       msg=unit['id'])


if __name__ == '__main__':
    if not simulator.available():
        print(f'skipped: no simulator at {simulator.SIMULATOR}')
        sys.exit(simulator.SKIPPED)
    unittest.main()
