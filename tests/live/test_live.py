"""Programs captured while they run on the software Vulkan driver, and linted.

Other people's, and some of our own (programs/). GFXReconstruct needs its layer and converter,
RenderDoc its renderdoccmd and our library that triggers it; what is absent is skipped.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from capturing import (BLUR, LAYER, OWN, OWN_GLES, QT_VULKAN, SCENE, SECONDS, SKIPPED, TRIGGER, ZINK,
                       capture, ids, lint, missing, qml, render_doc, structure)


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

    def test_opengl_over_vulkan(self):
        """glmark2's blur through Mesa's zink, which loads what it draws over again and again."""
        with tempfile.TemporaryDirectory(prefix='tilebound-live-') as folder:
            if shutil.which('glmark2-es2') is None:
                self.skipTest('no glmark2-es2')
            report = lint(capture(folder, 'glmark2-es2', *BLUR, frame=5, **ZINK))
        passes = self.render_passes(report)
        self.assertEqual(len(passes), 11)
        self.assertEqual(sum(p['attachments'][0]['load'] == {'color': 'LOAD'} for p in passes), 9)
        self.assertEqual(sum(p['draws']['count'] for p in passes), 14)
        self.assertIn('clear_only_pass', ids(report))

    @unittest.skipUnless(qml(), 'no QML with Qt Quick 3D')
    def test_qt_quick_3d(self):
        with tempfile.TemporaryDirectory(prefix='tilebound-live-') as folder:
            report = lint(capture(folder, qml(), str(SCENE), frame=30, **QT_VULKAN))
        # Shadow map, its blur in two directions, the scene resolved in its pass, the window.
        self.assertEqual([p['draws']['count'] for p in report['passes']], [7, 1, 1, 7, 1])
        scene = report['passes'][3]['attachments']
        self.assertEqual([a['samples'] for a in scene], [4, 4, 1])
        self.assertEqual([list(a['store'].values())[0] for a in scene], ['DONT_CARE', 'DONT_CARE', 'STORE'])
        self.assertNotIn('msaa_stored', ids(report))
        self.assertNotIn('depth_stored_never_read', ids(report))
        self.assertIn('could_be_transient', ids(report))

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
        report = self.record('vkcube')
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


@unittest.skipIf(shutil.which('renderdoccmd') is None, 'no renderdoccmd')
@unittest.skipUnless(TRIGGER.is_file(), f'no {TRIGGER}')
class OpenGlEs(unittest.TestCase):
    def record(self, program, *arguments):
        if shutil.which(program) is None:
            self.skipTest(f'no {program}')
        with tempfile.TemporaryDirectory(prefix='tilebound-live-') as folder:
            return lint(render_doc(folder, program, *arguments, LIBGL_ALWAYS_SOFTWARE='1'))

    @unittest.skipUnless(OWN_GLES.is_file(), f'no {OWN_GLES}')
    def test_what_a_careful_program_tells_the_driver(self):
        report = self.record(str(OWN_GLES), 'careful')
        self.assertEqual(report['capture']['api'], 'gles')
        self.assertEqual([(p['label'], p['kind']) for p in report['passes']],
                         [('Shadow', 'render'), ('Scene', 'render'), ('Scene', 'transfer'),
                          ('Filter', 'compute'), ('Post', 'render')])
        scene = report['passes'][1]
        self.assertEqual([(a['load'], a['store']) for a in scene['attachments']],
                         [({'color': 'CLEAR'}, {'color': 'STORE'}),
                          ({'depth': 'CLEAR', 'stencil': 'CLEAR'},
                           {'depth': 'DONT_CARE', 'stencil': 'DONT_CARE'})])
        self.assertEqual((scene['draws']['indirect_records'], scene['draws']['empty_records']), (2, 1))
        self.assertEqual(sorted(ids(report)), ['indirect_empty_records', 'msaa_resolved_outside'])

    @unittest.skipUnless(OWN_GLES.is_file(), f'no {OWN_GLES}')
    def test_what_a_wasteful_program_costs(self):
        report = self.record(str(OWN_GLES), 'wasteful')
        scene = report['passes'][1]
        self.assertEqual([(a['load'], a['store']) for a in scene['attachments']],
                         [({'color': 'LOAD'}, {'color': 'STORE'}),
                          ({'depth': 'LOAD', 'stencil': 'NONE'},
                           {'depth': 'STORE', 'stencil': 'NONE'})])
        # Its colour is resolved outside the pass, its depth is stored for nothing.
        self.assertEqual(ids(report).count('msaa_resolved_outside'), 1)
        self.assertEqual(ids(report).count('msaa_stored'), 1)
        self.assertIn('loaded', ids(report))

    def test_shadow_of_glmark2(self):
        """The window is cleared, left for the shadow map, and loaded again."""
        report = self.record('glmark2-es2', '-b', 'shadow')
        self.assertEqual([(p['draws']['count'], p['attachments'][0]['load']) for p in report['passes']],
                         [(0, {'color': 'CLEAR'}), (1, {'depth': 'CLEAR'}), (2, {'color': 'LOAD'})])
        self.assertEqual(ids(report).count('clear_only_pass'), 2)

    @unittest.skipIf(missing(), f'absent: {", ".join(missing())}')
    def test_its_passes_are_those_of_a_driver(self):
        """What Mesa's zink makes of the same OpenGL ES calls in Vulkan."""
        ours = self.record('glmark2-es2', *BLUR)
        with tempfile.TemporaryDirectory(prefix='tilebound-live-') as folder:
            zink = lint(capture(folder, 'glmark2-es2', *BLUR, frame=5, **ZINK))
        self.assertEqual(structure(ours), structure(zink))
        self.assertEqual([p['attachments'][0]['load'] for p in ours['passes']],
                         [p['attachments'][0]['load'] for p in zink['passes']])


@unittest.skipIf(missing(), f'absent: {", ".join(missing())}')
@unittest.skipIf(shutil.which('renderdoccmd') is None, 'no renderdoccmd')
@unittest.skipUnless(TRIGGER.is_file(), f'no {TRIGGER}')
class OfBothTools(unittest.TestCase):
    """RenderDoc's and GFXReconstruct's captures of one program tell the same of its frame."""

    def check(self, program, *arguments, frame=5, **variables):
        if shutil.which(program) is None:
            self.skipTest(f'no {program}')
        with tempfile.TemporaryDirectory(prefix='tilebound-live-') as folder:
            path = capture(folder, program, *arguments, frame=frame, **variables)
            reconstruct = lint(path)
            path.unlink()
            renderdoc = lint(render_doc(folder, program, *arguments, **variables))
        fields = ('role', 'format', 'samples', 'load', 'store')
        self.assertEqual(structure(renderdoc, *fields), structure(reconstruct, *fields))
        self.assertGreater(len(renderdoc['passes']), 0)

    def test_vkcube(self):
        self.check('vkcube')

    def test_direct3d_gears(self):
        self.check('vkd3d-gears')

    @unittest.skipUnless(qml(), 'no QML with Qt Quick 3D')
    def test_qt_quick_3d(self):
        # RenderDoc 1.24 crashes on multisampled images of this driver.
        self.check(qml(), str(SCENE), '--', 'plain', frame=30, **QT_VULKAN)


if __name__ == '__main__':
    if shutil.which('Xvfb') is None or (missing() and shutil.which('renderdoccmd') is None):
        print('skipped: neither GFXReconstruct nor RenderDoc with Xvfb')
        sys.exit(SKIPPED)
    unittest.main()
