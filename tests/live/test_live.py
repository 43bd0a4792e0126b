"""Programs captured while they run on the software Vulkan driver, and linted.

Other people's, and one of our own (programs/). GFXReconstruct needs its layer and converter,
RenderDoc its renderdoccmd and our library that triggers it; what is absent is skipped.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TILEBOUND = os.environ.get('TILEBOUND', str(ROOT / 'build/asan/tilebound'))
LAYER = 'VK_LAYER_LUNARG_gfxreconstruct'
LAYERS = [pathlib.Path(folder) / 'vulkan' / kind
          for folder in ('/usr/share', '/etc', '/usr/local/share')
          for kind in ('explicit_layer.d', 'implicit_layer.d')]
PROGRAMS = pathlib.Path(os.environ.get('TILEBOUND_PROGRAMS', ROOT / 'build/asan/tests/live/programs'))
OWN = PROGRAMS / 'indirect_draws'
TRIGGER = PROGRAMS / 'libtrigger_capture.so'
SKIPPED = 77
SECONDS = 20


def missing():
    """What this test needs and the machine lacks."""
    absent = [name for name in ('gfxrecon-convert',) if shutil.which(name) is None]
    manifests = [path for folder in LAYERS if folder.is_dir() for path in folder.glob('*.json')]
    if not any(LAYER in path.read_text() for path in manifests):
        absent.append(LAYER)
    return absent


class Display:
    """An X server of our own, on a number that it chooses itself."""

    def __enter__(self):
        read, write = os.pipe()
        self.server = subprocess.Popen(
            ['Xvfb', '-displayfd', str(write), '-screen', '0', '800x600x24'],
            pass_fds=[write], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as answer:
            self.name = ':' + answer.readline().strip()
        return self

    def __exit__(self, *_):
        self.server.terminate()
        self.server.wait()


def capture(folder, program, *arguments, frame):
    """Runs a program with the layer until it has recorded one frame; the capture's path."""
    wanted = pathlib.Path(folder) / f'run_frame_{frame}.gfxr'
    with Display() as display:
        environment = dict(os.environ, DISPLAY=display.name, VK_INSTANCE_LAYERS=LAYER,
                           GFXRECON_CAPTURE_FILE=str(pathlib.Path(folder) / 'run.gfxr'),
                           GFXRECON_CAPTURE_FILE_TIMESTAMP='false',
                           GFXRECON_CAPTURE_FRAMES=str(frame))
        run = subprocess.Popen([program, *arguments], env=environment, text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        said = ''
        try:
            # The layer says when the frame is complete; some programs go on until they are ended.
            for line in run.stdout:
                said += line
                if 'Finished recording' in line:
                    break
            run.wait(timeout=1)
        except subprocess.TimeoutExpired:
            run.terminate()
            run.wait(timeout=SECONDS)
        finally:
            run.stdout.close()
    if not wanted.is_file():
        raise AssertionError(f'{program} left no capture: {said[-400:]}')
    return wanted


def render_doc(folder, program, *arguments):
    """Runs a program under RenderDoc, which captures one frame; the capture's path."""
    start = pathlib.Path(folder) / 'capture'
    with Display() as display:
        environment = dict(os.environ, DISPLAY=display.name)
        if pathlib.Path(program) != OWN:
            environment['LD_PRELOAD'] = str(TRIGGER)
        done = subprocess.run(['renderdoccmd', 'capture', '-w', '-c', str(start), program,
                               *arguments], env=environment, capture_output=True, text=True,
                              timeout=SECONDS, check=False)
    written = list(pathlib.Path(folder).glob('*.rdc'))
    if len(written) != 1:
        raise AssertionError(f'{program} left {len(written)} captures: {done.stderr[-400:]}')
    return written[0]


def lint(path, *options):
    done = subprocess.run([TILEBOUND, 'lint', str(path), '--format', 'json', *options],
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return json.loads(done.stdout)


def ids(report):
    return [finding['id'] for finding in report['findings']]


@unittest.skipIf(missing(), f'absent: {", ".join(missing())}')
class WithGfxReconstruct(unittest.TestCase):
    def record(self, program, *arguments, frame=5):
        if shutil.which(program) is None:
            self.skipTest(f'no {program}')
        with tempfile.TemporaryDirectory(prefix='tilebound-live-') as folder:
            return lint(capture(folder, program, *arguments, frame=frame))

    def render_passes(self, report):
        return [p for p in report['passes'] if p['kind'] == 'render']

    def test_vkcube(self):
        report = self.record('vkcube', '--c', '30')
        passes = self.render_passes(report)
        self.assertEqual(len(passes), 1)
        self.assertEqual(passes[0]['draws']['count'], 1)
        formats = [a['format'] for a in passes[0]['attachments']]
        self.assertEqual(len(formats), 2)
        self.assertIn('D16_UNORM', formats)
        # Its depth is dropped at the end of the pass, so no depth store is found.
        self.assertNotIn('depth_stored_never_read', [f['id'] for f in report['findings']])

    def test_direct3d_gears(self):
        report = self.record('vkd3d-gears')
        passes = self.render_passes(report)
        self.assertEqual(len(passes), 3)
        self.assertEqual(sum(p['draws']['count'] for p in passes), 6)
        # Two passes only clear what the third loads, and the depth is stored for nobody.
        self.assertIn('clear_only_pass', ids(report))
        self.assertIn('depth_stored_never_read', ids(report))

    @unittest.skipUnless(OWN.is_file(), f'no {OWN}')
    def test_indirect_records_that_the_text_lacks_are_unknown(self):
        with tempfile.TemporaryDirectory(prefix='tilebound-live-') as folder:
            path = pathlib.Path(folder) / 'own.gfxr'
            environment = dict(os.environ, VK_INSTANCE_LAYERS=LAYER, GFXRECON_CAPTURE_FILE=str(path),
                               GFXRECON_CAPTURE_FILE_TIMESTAMP='false')
            subprocess.run([OWN, '1'], env=environment, capture_output=True, timeout=SECONDS,
                           check=True)
            report = lint(path)
        draws = self.render_passes(report)[0]['draws']
        self.assertEqual((draws['count'], draws['indirect']), (1, 1))
        self.assertIsNone(draws['indirect_records'])
        self.assertNotIn('indirect_empty_records', ids(report))
        self.assertIn('unknown_indirect', [n['id'] for n in report['capture']['notes']])


@unittest.skipIf(shutil.which('renderdoccmd') is None, 'no renderdoccmd')
@unittest.skipUnless(TRIGGER.is_file(), f'no {TRIGGER}')
class WithRenderDoc(unittest.TestCase):
    def record(self, program, *arguments):
        if shutil.which(program) is None:
            self.skipTest(f'no {program}')
        with tempfile.TemporaryDirectory(prefix='tilebound-live-') as folder:
            return lint(render_doc(folder, program, *arguments))

    def test_vkcube(self):
        report = self.record('vkcube', '--c', '1000')
        self.assertEqual([p['draws']['count'] for p in report['passes']], [1])
        self.assertEqual(ids(report), [])

    def test_direct3d_gears(self):
        report = self.record('vkd3d-gears')
        self.assertEqual([p['draws']['count'] for p in report['passes']], [0, 0, 6])
        self.assertIn('clear_only_pass', ids(report))
        self.assertIn('depth_stored_never_read', ids(report))

    def test_thousands_of_records_that_draw_nothing(self):
        report = self.record(str(OWN), '3')
        scene = report['passes'][0]
        self.assertEqual(scene['label'], 'Scene')
        self.assertEqual(scene['draws']['indirect_records'], 4096)
        self.assertEqual(scene['draws']['empty_records'], 4096 - 4096 // 8)
        self.assertEqual(sorted(ids(report)), ['base_instance_indirect', 'depth_stored_never_read',
                                               'indirect_empty_records'])


if __name__ == '__main__':
    if shutil.which('Xvfb') is None or (missing() and shutil.which('renderdoccmd') is None):
        print('skipped: neither GFXReconstruct nor RenderDoc with Xvfb')
        sys.exit(SKIPPED)
    unittest.main()
