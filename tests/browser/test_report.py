"""The HTML report in a real browser: what it shows is what the JSON says, and it can be used."""

import itertools
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import chromium
from chromium import Chromium

ROOT = pathlib.Path(__file__).resolve().parents[2]
TILEBOUND = os.environ.get('TILEBOUND', str(ROOT / 'build/asan/tilebound'))
AXE = pathlib.Path(TILEBOUND).resolve().parent / 'web/node_modules/axe-core/axe.min.js'
EXAMPLE = [str(ROOT / 'examples/forward-10fps.perfetto-trace'),
           '--device', 'mali-g77', '--cores', '9']
API = ['--api', str(ROOT / 'examples/forward-10fps.jsonl')]
SHIFT = 8
SKIPPED = 77
# Shown with one decimal.
ROUNDING = 0.06


def tilebound(*arguments):
    return subprocess.run([TILEBOUND, *arguments], capture_output=True, check=True).stdout


def analysis(*options):
    return json.loads(tilebound('analyze', *EXAMPLE, '--format', 'json', *options))


def number(text):
    return None if text == 'n/a' else float(text.split()[0])


class Report(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix='tilebound-report-')
        cls.page = pathlib.Path(cls.folder.name, 'report.html')
        tilebound('analyze', *EXAMPLE, '--format', 'html', '-o', str(cls.page))
        cls.passes = pathlib.Path(cls.folder.name, 'passes.html')
        tilebound('analyze', *EXAMPLE, *API, '--format', 'html', '-o', str(cls.passes))
        cls.lint = pathlib.Path(cls.folder.name, 'lint.html')
        tilebound('lint', API[1], '--device', 'mali-g77', '--format', 'html', '-o', str(cls.lint))
        cls.browser = Chromium()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.addClassCleanup(cls.browser.close)

    def setUp(self):
        self.browser.resize(1280, 1000)
        self.browser.theme('light')
        self.browser.open(self.page)

    def tearDown(self):
        self.assertEqual(self.browser.errors, [])

    # What the page shows.

    def scope(self):
        return self.browser.run('(({begin, end}) => [+begin, +end])'
                                '(document.querySelector(".scope").dataset)')

    def title(self):
        return self.browser.run('document.querySelector(".scope strong").textContent')

    def units(self, column):
        """Values by unit id: column 0 is of peak, 1 while busy, 2 under the cursor."""
        texts = self.browser.run(
            'Object.fromEntries([...document.querySelectorAll("tr[data-unit]")]'
            '.filter(r => r.querySelectorAll("td.number").length === 3).map(r => '
            f'[r.dataset.unit, r.querySelectorAll("td.number")[{column}].textContent]))')
        return {unit: number(text) for unit, text in texts.items()}

    def plot(self):
        return self.browser.box('.plot .u-over')

    def check_units(self, begin, end, column, key, tolerance):
        wanted = analysis('--range', f'{begin}ns:{end}ns')
        shown = self.units(column)
        self.assertTrue(shown)
        for unit in wanted['units']:
            if unit['id'] in shown and unit[key] is not None:
                self.assertAlmostEqual(shown[unit['id']], unit[key], delta=tolerance,
                                       msg=f'{unit["id"]} in {begin}..{end} ns')

    # Tests.

    def test_is_one_deterministic_file(self):
        again = tilebound('analyze', *EXAMPLE, '--format', 'html')
        self.assertEqual(again, self.page.read_bytes())
        self.assertEqual(self.browser.run('performance.getEntriesByType("resource").length'), 0)

    def test_says_the_verdict_of_the_text_report(self):
        text = ' '.join(tilebound('analyze', *EXAMPLE).decode().split())
        verdict = self.browser.run('document.querySelector(".verdict").textContent')
        self.assertIn(f'VERDICT {verdict}', text)
        whole = analysis()
        for unit in whole['units']:
            if unit['sol_percent'] is not None:
                self.assertAlmostEqual(self.units(0)[unit['id']], unit['sol_percent'],
                                       delta=ROUNDING)

    def test_drag_zooms_and_the_range_agrees_with_the_command_line(self):
        left, top, width, height = self.plot()
        for share0, share1 in ((0.2, 0.6), (0.31, 0.365), (0.5, 0.97)):
            with self.subTest(share0=share0):
                self.browser.key('0')
                self.browser.drag(left + share0 * width, left + share1 * width, top + height / 2)
                begin, end = self.scope()
                span = analysis()['capture']['duration_s'] * 1e9
                self.assertAlmostEqual((end - begin) / span, share1 - share0, delta=0.02)
                self.check_units(begin, end, 0, 'sol_percent', 0.5)
                self.check_units(begin, end, 1, 'active_percent', 0.5)

    def test_hover_shows_the_value_of_the_bin(self):
        left, top, width, height = self.plot()
        checked = 0
        for share in (0.06, 0.13, 0.215, 0.47, 0.71):
            self.browser.mouse('Moved', left + share * width, top + height / 2)
            self.browser.settle()
            begin, end = self.browser.run('(({begin, end}) => [+begin, +end])'
                                          '(document.querySelector(".under").dataset)')
            self.assertGreater(end, begin)
            self.check_units(int(begin), int(end), 2, 'sol_percent', ROUNDING)
            checked += 1
        self.assertEqual(checked, 5)

    def test_wheel_zooms_shift_drag_pans_double_click_resets(self):
        left, top, width, height = self.plot()
        x, y = left + width / 2, top + height / 2
        whole = self.scope()
        self.browser.mouse('Wheel', x, y, deltaX=0, deltaY=-500)
        self.browser.settle()
        begin, end = self.scope()
        self.assertLess(end - begin, 0.7 * (whole[1] - whole[0]))
        self.browser.drag(x, x - 100, y, modifiers=SHIFT)
        panned = self.scope()
        self.assertGreater(panned[0], begin)
        self.assertAlmostEqual(panned[1] - panned[0], end - begin, delta=2)
        self.browser.click(x, y)
        self.browser.click(x, y, count=2)
        self.assertIn('Analysed range', self.title())

    def test_frames_update_the_bars(self):
        frames = analysis()['frames']['list']
        self.browser.key(']')
        self.assertIn('Frame 2:', self.title())
        shown = self.units(0)
        for unit in frames[1]['units']:
            self.assertAlmostEqual(shown[unit['id']], unit['percent'], delta=ROUNDING)
        left, top, width, height = self.browser.box('.strip canvas')
        self.browser.click(left + width - 30, top + height / 2)
        self.assertIn(f'Frame {len(frames)}:', self.title())
        last = self.units(0)
        for unit in frames[-1]['units']:
            self.assertAlmostEqual(last[unit['id']], unit['percent'], delta=ROUNDING)
        self.browser.key('[')
        self.assertIn(f'Frame {len(frames) - 1}:', self.title())

    def test_keys(self):
        self.browser.key('+')
        zoomed = self.scope()
        self.assertIn('Shown range', self.title())
        self.browser.key('ArrowRight')
        self.assertGreater(self.scope()[0], zoomed[0])
        self.browser.key('ArrowLeft')
        self.assertAlmostEqual(self.scope()[0], zoomed[0], delta=2)
        self.browser.key('0')
        self.assertIn('Analysed range', self.title())
        self.browser.key('?')
        self.assertTrue(self.browser.run('document.getElementById("help").open'))
        self.browser.key('?')
        self.assertFalse(self.browser.run('document.getElementById("help").open'))
        self.browser.key('t')
        self.assertEqual(self.browser.run('document.documentElement.dataset.theme'), 'dark')

    def test_a_finding_jumps_to_its_place(self):
        for _ in range(4):
            self.browser.key('+')
        self.browser.run('document.querySelector(".jump").click()')
        self.browser.settle()
        self.assertIn('Analysed range', self.title())
        self.assertEqual(self.browser.run('document.activeElement.className'), 'plots')
        self.assertLess(abs(self.browser.box('#timeline')[1]), 120)

    def test_lanes_and_places_of_findings(self):
        """Spans of work and findings of one frame, put into the data of a report."""
        end = 400_000_000
        spans = [{'begin_ns': 200_000_000, 'end_ns': end, 'label': 'Shadow <map>'}]
        lane = json.dumps({'label': 'fragment', 'spans': spans}).replace('<', '\\u003c')
        text = self.page.read_text()
        for old, new in (('"lanes":[', f'"lanes":[{lane},'),
                         ('"where":"analysed range"', '"where":"frame 5"')):
            self.assertIn(old, text)
            text = text.replace(old, new, 1)
        page = pathlib.Path(self.folder.name, 'lanes.html')
        page.write_text(text)
        self.browser.open(page)
        self.browser.run('document.querySelector(".jump").click()')
        self.browser.settle()
        self.assertIn('Frame 5:', self.title())
        self.browser.key('0')
        self.browser.run('document.querySelector(".lane").scrollIntoView({block: "center"})')
        left, top, _, height = self.browser.box('.lane canvas')
        plot = self.plot()
        span = analysis()['capture']['duration_s'] * 1e9
        x = plot[0] + plot[2] * 300_000_000 / span
        self.browser.mouse('Moved', x, top + height / 2)
        self.assertIn('Shadow <map>', self.browser.run('document.querySelector(".lane canvas").title'))
        self.browser.click(x, top + height / 2)
        self.assertEqual(self.scope(), [200_000_000, end])

    def test_passes_are_lanes_and_rows(self):
        self.browser.open(self.passes)
        names = self.browser.run(
            '[...document.querySelectorAll(".lane-name")].map(n => n.textContent)')
        self.assertEqual(names[:2], ['fragment passes', 'non-fragment passes'])
        found = analysis(*API)
        forward = next(p for p in found['passes'] if p['label'] == 'ForwardColor')
        interval = forward['queue_intervals']['fragment']
        row = ('[...document.querySelectorAll("#passes tbody tr")].find(r => '
               'r.cells[0].textContent === "ForwardColor" && r.cells[1].textContent === "fragment")')
        self.assertEqual(self.browser.run(f'{row}.cells[2].textContent'), f'{interval["ms"]:.2f}')
        self.browser.run(f'{row}.querySelector("button").click()')
        self.browser.settle()
        begin, end = self.scope()
        zero = self.browser.run(
            'JSON.parse(document.getElementById("report-data").textContent).zero_ns')
        self.assertLess(begin, interval['begin_ns'] - zero)
        self.assertGreater(end, interval['end_ns'] - zero)
        self.assertLess(end - begin, 4 * (interval['end_ns'] - interval['begin_ns']))
        # Pointing at the span marks the row, and the other way round.
        middle = (interval['begin_ns'] + interval['end_ns']) / 2 - zero
        left, top, _, height = self.browser.box('.lane canvas')
        plot = self.plot()
        x = plot[0] + plot[2] * (middle - begin) / (end - begin)
        self.browser.mouse('Moved', x, top + height / 2)
        self.browser.settle()
        self.assertTrue(self.browser.run(f'{row}.classList.contains("pointed")'))
        self.browser.mouse('Moved', x, top - 200)
        self.browser.settle()
        self.assertFalse(self.browser.run(f'{row}.classList.contains("pointed")'))
        colour = ('(() => { const c = document.querySelector(".lane canvas"); const r = devicePixelRatio;'
                  f' return [...c.getContext("2d").getImageData({x - left} * r, 4 * r, 1, 1).data].join(); }})()')
        plain = self.browser.run(colour)
        self.browser.run(f'{row}.dispatchEvent(new MouseEvent("mouseenter"))')
        self.browser.settle()
        self.assertNotEqual(self.browser.run(colour), plain)

    def test_the_legend_hides_a_line(self):
        pressed = 'document.querySelector("button.unit").getAttribute("aria-pressed")'
        self.assertEqual(self.browser.run(pressed), 'true')
        self.browser.run('document.querySelector("button.unit").click()')
        self.browser.settle()
        self.assertEqual(self.browser.run(pressed), 'false')

    def test_fits_narrow_screens(self):
        self.browser.resize(400, 800)
        self.browser.open(self.page)
        self.assertLessEqual(self.browser.run('document.documentElement.scrollWidth'), 400)

    def test_prints(self):
        self.browser.theme('dark')
        self.browser.run('dispatchEvent(new Event("beforeprint"))')
        self.assertEqual(self.browser.run('document.documentElement.dataset.theme'), 'light')
        self.browser.run('dispatchEvent(new Event("afterprint"))')
        self.assertIsNone(self.browser.run('document.documentElement.dataset.theme ?? null'))
        pdf = self.browser.call('Page.printToPDF')['data']
        self.assertGreater(len(pdf), 20_000)

    @unittest.skipUnless(AXE.is_file(), 'axe-core is not installed')
    def test_is_accessible(self):
        axe = AXE.read_text()
        for page, theme, width in itertools.product((self.passes, self.lint), ('light', 'dark'),
                                                    (1280, 400)):
            with self.subTest(page=page.name, theme=theme, width=width):
                self.browser.theme(theme)
                self.browser.resize(width, 900)
                self.browser.open(page)
                self.browser.run('document.querySelectorAll("details").forEach(d => d.open = true)')
                self.browser.run(axe + '; 0')
                found = self.browser.run(
                    'axe.run().then(r => r.violations.filter(v => '
                    '["serious", "critical"].includes(v.impact)).map(v => '
                    '`${v.id}: ${v.nodes.slice(0, 3).map(n => n.html).join(" | ")}`))')
                self.assertEqual(found, [])

    def test_hostile_names_stay_text(self):
        names = ['GPU active cycles', '</script><script>window.hacked=1</script>',
                 '<img src=x onerror=window.hacked=1>', 'a\x01b\u202ec', '@REPORT_DATA@']
        rows = [','.join(['Time (s)', *names])]
        rows += [','.join([f'{i / 1000:.3f}', *['1000'] * len(names)]) for i in range(50)]
        capture = pathlib.Path(self.folder.name, '<b>hostile.csv')
        capture.write_text('\n'.join(rows) + '\n')
        page = pathlib.Path(self.folder.name, 'hostile.html')
        tilebound('analyze', str(capture), '--format', 'html', '-o', str(page))
        self.browser.open(page)
        self.assertIsNone(self.browser.run('window.hacked ?? null'))
        text = self.browser.run('document.querySelector("#counters").textContent')
        for name in names[:3]:
            self.assertIn(name, text)
        self.assertIn('\\x01', text)
        self.assertEqual(self.browser.run('document.querySelectorAll("main img, main b img").length'), 0)


def page_is_built():
    done = subprocess.run([TILEBOUND, 'analyze', *EXAMPLE, '--format', 'html'], capture_output=True)
    return done.returncode == 0 or b'no report page' not in done.stderr


if __name__ == '__main__':
    if not chromium.PROGRAM or not page_is_built():
        print('skipped: needs Chromium, and Node when the program is built')
        sys.exit(SKIPPED)
    unittest.main()
