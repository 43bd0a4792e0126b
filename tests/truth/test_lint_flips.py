#!/usr/bin/env python3
"""Captures with one flip of an op, a format or a usage, each against a clean twin.

Every flip must be found by the rule that is for it, and every twin must be silent.
"""
import copy
import json
import os
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import gfxr_scene  # noqa: E402

TILEBOUND = os.environ.get('TILEBOUND', 'build/asan/tilebound')
COLOR = 'R8G8B8A8_UNORM'
DEPTH = 'D24_UNORM_S8_UINT'


def keep(load='CLEAR', **more):
    return dict({'load': load, 'store': 'STORE'}, **more)


def drop(load='CLEAR', **more):
    return dict({'load': load, 'store': 'DONT_CARE'}, **more)


def screen_pass(*sampled):
    return {'attachments': {'screen': keep('DONT_CARE')}, 'samples_images': list(sampled),
            'draws': [{'vertices': 3}]}


def transient(form, samples=1, kind='color'):
    return {'format': form, 'usage': [kind, 'transient'], 'samples': samples, 'lazy': True}


SCREEN = {'format': COLOR, 'usage': ['color'], 'swapchain': True}
TARGET = {'format': COLOR, 'usage': ['color', 'sampled']}


def forward():
    """A scene with depth that the screen's pass samples."""
    return {'images': {'screen': dict(SCREEN), 'color': dict(TARGET),
                       'depth': transient(DEPTH, kind='depth')},
            'passes': [{'attachments': {'color': keep(), 'depth': drop()}, 'draws': [{}]},
                       screen_pass('color')]}


def msaa(samples=4):
    """Four samples resolved in the pass."""
    return {'images': {'screen': dict(SCREEN), 'many': transient(COLOR, samples),
                       'depth': transient(DEPTH, samples, 'depth')},
            'passes': [{'attachments': {'many': drop(resolve='screen'),
                                        'screen': keep('DONT_CARE'), 'depth': drop()},
                        'draws': [{}]}]}


def deferred():
    """A G-buffer read as input attachments in the tile."""
    gbuffer = {'format': COLOR, 'usage': ['color', 'input', 'transient'], 'lazy': True}
    return {'images': {'screen': dict(SCREEN), 'albedo': dict(gbuffer), 'normal': dict(gbuffer),
                       'depth': transient(DEPTH, kind='depth')},
            'passes': [{'attachments': {'albedo': drop(), 'normal': drop(),
                                        'screen': keep('DONT_CARE'), 'depth': drop()},
                        'subpasses': [{'colors': ['albedo', 'normal'], 'depth': 'depth'},
                                      {'colors': ['screen'], 'inputs': ['albedo', 'normal']}],
                        'dependencies': [(0, 1, 0x400, 0x80, 1)],
                        'draws': [{}, {'vertices': 3, 'next_subpass': True}]}]}


def one_pass():
    return {'images': {'screen': dict(SCREEN)},
            'passes': [{'attachments': {'screen': keep()}, 'draws': [{}]}]}


def indirect():
    scene = forward()
    scene['passes'][0]['draws'] = [{'indirect': [1, 2, 1, 3]}]
    return scene


def edit(path, value):
    """Sets scene[path...] = value."""
    def apply(scene):
        at = scene
        for key in path[:-1]:
            at = at[key]
        at[path[-1]] = value
    return apply


def both(*edits):
    def apply(scene):
        for one in edits:
            one(scene)
    return apply


def insert(at, what):
    return lambda scene: scene['passes'].insert(at, what)


A0, A1 = ('passes', 0, 'attachments'), ('passes', 1, 'attachments')
GOES_ON = {'attachments': {'screen': keep('LOAD')}, 'draws': [{}]}

# Name of the flip, the clean twin, the flip, the rule that finds it, options.
FLIPS = [
    ('depth stored', forward, edit((*A0, 'depth', 'store'), 'STORE'), 'depth_stored_never_read', []),
    ('depth stored, D32', forward,
     both(edit(('images', 'depth', 'format'), 'D32_SFLOAT'),
          edit((*A0, 'depth', 'store'), 'STORE')), 'depth_stored_never_read', []),
    ('4x depth stored', msaa, edit((*A0, 'depth', 'store'), 'STORE'), 'depth_stored_never_read', []),
    ('colour sampled by nobody', forward, edit(('passes', 1, 'samples_images'), []),
     'stored_never_read', []),
    ('G-buffer stored', deferred, edit((*A0, 'albedo', 'store'), 'STORE'), 'stored_never_read', []),
    ('loaded, then cleared', forward,
     both(edit((*A0, 'color'), keep('LOAD')), edit(('passes', 0, 'clears'), [0])),
     'cleared_after_load', []),
    ('load of undefined content', forward,
     edit((*A0, 'color'), keep('LOAD', layout='UNDEFINED')), 'loaded_undefined', []),
    ('load of the last frame', forward, edit((*A0, 'color'), keep('LOAD')), 'loaded', []),
    ('clear command after a load op', forward, edit(('passes', 0, 'clears'), [0]), 'clear_in_pass',
     []),
    ('pass that only clears', one_pass,
     both(insert(0, {'attachments': {'screen': keep()}, 'draws': []}),
          edit(('passes', 1, 'attachments', 'screen'), keep('LOAD'))), 'clear_only_pass', []),
    ('clear outside the pass', one_pass,
     both(edit((*A0, 'screen'), keep('LOAD')), insert(0, {'clear': 'screen'})),
     'clear_outside_pass', []),
    ('4x colour stored', msaa, edit((*A0, 'many', 'store'), 'STORE'), 'msaa_stored', []),
    ('resolved outside', msaa,
     both(edit((*A0,), {'many': keep(), 'depth': drop()}), edit(('images', 'many', 'lazy'), False),
          edit(('images', 'many', 'usage'), ['color', 'transfer_src']),
          insert(1, {'resolve': ['many', 'screen']})), 'msaa_resolved_outside', []),
    ('8 samples', msaa, both(edit(('images', 'many', 'samples'), 8),
                             edit(('images', 'depth', 'samples'), 8)), 'many_samples', []),
    ('2 samples', msaa, both(edit(('images', 'many', 'samples'), 2),
                             edit(('images', 'depth', 'samples'), 2)), 'two_samples_as_four',
     ['--device', 'mali-g77']),
    ('depth has memory', forward, both(edit(('images', 'depth', 'usage'), ['depth']),
                                       edit(('images', 'depth', 'lazy'), False)),
     'could_be_transient', []),
    ('transient but not lazy', forward, edit(('images', 'depth', 'lazy'), False),
     'transient_not_lazy', []),
    ('transient is stored', forward, edit((*A0, 'depth', 'store'), 'STORE'), 'transient_moved', []),
    ('input attachment has memory', deferred,
     both(edit(('images', 'normal', 'usage'), ['color', 'input']),
          edit(('images', 'normal', 'lazy'), False)), 'input_not_transient', []),
    ('two passes', one_pass, insert(1, copy.deepcopy(GOES_ON)), 'passes_could_merge', []),
    ('split by a dispatch', one_pass,
     both(insert(1, {'dispatch': True}), insert(2, copy.deepcopy(GOES_ON))), 'pass_split', []),
    ('not by region', deferred, edit(('passes', 0, 'dependencies'), [(0, 1, 0x400, 0x80, 0)]),
     'subpass_dependency', []),
    ('all commands', deferred, edit(('passes', 0, 'dependencies'), [(0, 1, 0x10000, 0x80, 1)]),
     'subpass_dependency', []),
    ('bottom of pipe', deferred, edit(('passes', 0, 'dependencies'), [(0, 1, 0x2000, 0x80, 1)]),
     'subpass_dependency', []),
    ('vertex stage', deferred, edit(('passes', 0, 'dependencies'), [(0, 1, 0x400, 0x88, 1)]),
     'subpass_dependency', []),
    ('input also sampled', deferred, both(
        edit(('images', 'albedo', 'usage'), ['color', 'input', 'sampled']),
        edit(('images', 'albedo', 'lazy'), False),
        edit(('passes', 0, 'samples_images'), ['albedo'])), 'input_also_sampled', []),
    ('G-buffer of its own pass', forward,
     both(edit(('images', 'normal'), dict(TARGET)), edit((*A0, 'normal'), keep()),
          edit(('passes', 1, 'samples_images'), ['color', 'normal'])), 'could_be_subpasses', []),
    ('barrier to all commands', forward, insert(1, {'barrier': [0x400, 0x10000]}),
     'vertex_waits_for_fragment', []),
    ('barrier to vertex', forward, insert(1, {'barrier': [0x80, 0x8]}),
     'vertex_waits_for_fragment', []),
    ('empty records', indirect,
     edit(('passes', 0, 'draws'), [{'indirect': [1, 0, 0, 3]}]), 'indirect_empty_records', []),
    ('empty draw', forward, edit(('passes', 0, 'draws'), [{}, {'instances': 0}]), 'empty_draw', []),
    ('small draws', forward, edit(('passes', 0, 'draws'), [{'vertices': 6}] * 20), 'small_draws', []),
    ('fat G-buffer', deferred, both(edit(('images', 'albedo', 'format'), 'R16G16B16A16_SFLOAT'),
                                    edit(('images', 'normal', 'format'), 'R16G16B16A16_SFLOAT')),
     'tile_budget', ['--device', 'mali-g71']),
    ('linear target', forward, edit(('images', 'color', 'tiling'), 'LINEAR'), 'compression_lost', []),
    ('storage usage', forward, edit(('images', 'color', 'usage'), ['color', 'sampled', 'storage']),
     'compression_lost', []),
    ('not rotated', forward, edit(('transform',), 'ROTATE_90'), 'not_pre_rotated', []),
    ('area inside tiles', forward, edit(('passes', 0, 'area'), [0, 0, 1001, 701]), 'render_area', []),
]


def lint(scene, options):
    with tempfile.TemporaryDirectory() as folder:
        path = gfxr_scene.write(scene, folder)
        run = subprocess.run([TILEBOUND, 'lint', str(path), '--format', 'json', *options],
                             capture_output=True, text=True, check=False)
    if run.returncode:
        raise AssertionError(run.stderr)
    return json.loads(run.stdout)


class Flips(unittest.TestCase):
    def test_every_twin_is_silent(self):
        for twin in (forward, msaa, deferred, one_pass, indirect):
            with self.subTest(twin.__name__):
                self.assertEqual([f['id'] for f in lint(twin(), [])['findings']], [])

    def test_every_flip_is_found(self):
        for name, twin, flip, rule, options in FLIPS:
            with self.subTest(name):
                scene = twin()
                self.assertNotIn(rule, [f['id'] for f in lint(scene, options)['findings']])
                flip(scene)
                self.assertIn(rule, [f['id'] for f in lint(scene, options)['findings']])

    def test_bytes_of_the_flip(self):
        scene = forward()
        scene['passes'][0]['attachments']['depth']['store'] = 'STORE'
        found = [f for f in lint(scene, [])['findings'] if f['id'] == 'depth_stored_never_read']
        self.assertEqual(found[0]['saving']['bytes_per_frame'], 1280 * 720 * 4)


if __name__ == '__main__':
    result = unittest.main(exit=False).result
    everything_skipped = result.skipped and not result.failures and not result.errors
    sys.exit(77 if everything_skipped else not result.wasSuccessful())
