"""The exported trace in Perfetto's trace processor: the input as it was, and beside it what the JSON
says."""

import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest
import zlib

import trace_processor
from trace_processor import ROOT, TILEBOUND, query

sys.path.insert(0, str(ROOT / 'tests/golden'))
from make_traces import chunk, number  # noqa: E402

EXAMPLE = ROOT / 'examples/forward-10fps.perfetto-trace'
DEVICE = ['--device', 'mali-g77', '--cores', '9']
SKIPPED = 77

COUNTERS = ('select t.name as name, c.ts as ts, c.value as value from counter c '
            'join track t on c.track_id = t.id {} order by t.name, c.ts')
OURS = COUNTERS.format("where t.name like 'Tilebound %'")
OTHERS = ("select t.name as name, count(*) as n, sum(c.value) as total, min(c.ts) as first, "
          "max(c.ts) as last from counter c join track t on c.track_id = t.id "
          "where t.name not like 'Tilebound %' group by t.name order by t.name, n")
SLICES = ('select t.name as track, s.ts as ts, s.dur as dur, s.name as name, s.depth as depth, '
          "extract_arg(s.arg_set_id, 'debug.gpu_active_ms') as gpu_active_ms, "
          "extract_arg(s.arg_set_id, 'debug.begin_ns') as begin_ns, "
          "extract_arg(s.arg_set_id, 'debug.limiters') as limiters, "
          "extract_arg(s.arg_set_id, 'debug.id') as id, "
          "extract_arg(s.arg_set_id, 'debug.evidence 1') as evidence "
          "from slice s join track t on s.track_id = t.id "
          "where t.name like 'Tilebound %' order by s.ts, s.depth")
ERRORS = "select name, value from stats where value > 0 and severity in ('error', 'data_loss')"


def tilebound(*arguments):
    return subprocess.run([TILEBOUND, *map(str, arguments)], capture_output=True, check=True).stdout


def analysis(capture, *options):
    return json.loads(tilebound('analyze', capture, '--format', 'json', *options))


def packets(trace):
    """The packets of a trace, each with its tag and length."""
    at = 0
    while at < len(trace):
        begin, length, shift, at = at, 0, 0, at + 1
        while True:
            byte = trace[at]
            length |= (byte & 127) << shift
            at, shift = at + 1, shift + 7
            if byte < 128:
                break
        at += length
        yield trace[begin:at]


def fields(packet):
    """Numbers of the fields of a packet, by a walk over its top level."""
    at, out = 1, []

    def varint():
        nonlocal at
        value, shift = 0, 0
        while True:
            byte = packet[at]
            value |= (byte & 127) << shift
            at, shift = at + 1, shift + 7
            if byte < 128:
                return value

    varint()
    while at < len(packet):
        tag = varint()
        out.append(tag >> 3)
        size = {0: varint, 1: lambda: 8, 2: varint, 5: lambda: 4}[tag & 7]()
        at += size if tag & 7 else 0
    return out


class Export(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory(prefix='tilebound-export-')
        cls.addClassCleanup(cls.temporary.cleanup)
        cls.folder = pathlib.Path(cls.temporary.name)
        cls.bytes = EXAMPLE.read_bytes()
        cls.plain = b''.join(cls.unpacked(cls.bytes))
        cls.json = analysis(EXAMPLE, *DEVICE)

    @staticmethod
    def unpacked(trace):
        """Its packets, those of compressed_packets (50) in their place."""
        for packet in packets(trace):
            at = 1
            while packet[at] >= 128:
                at += 1
            body = packet[at + 1:]
            if body[:2] != b'\x92\x03':
                yield packet
                continue
            at = 2
            while body[at] >= 128:
                at += 1
            yield zlib.decompress(body[at + 1:])

    def export(self, capture, *options):
        out = self.folder / 'export.perfetto-trace'
        tilebound('analyze', capture, *DEVICE, '--format', 'perfetto', '-o', out, *options)
        return out

    def written(self, name, data):
        path = self.folder / name
        path.write_bytes(data)
        return path

    def check_bytes(self, before, after):
        """`after` is `before` with one insertion."""
        low, high = 0, len(before)
        while low < high:  # the longest common begin
            middle = (low + high + 1) // 2
            low, high = (middle, high) if after[:middle] == before[:middle] else (low, middle - 1)
        self.assertTrue(after.endswith(before[low:]))
        self.assertGreater(len(after), len(before))

    def check(self, capture, wanted=None, tracks=1):
        """Exports `capture`; compares counters, frames, verdict and findings with the JSON."""
        wanted = wanted or self.json
        out = self.export(capture)
        self.check_bytes(capture.read_bytes(), out.read_bytes())
        got = query(out, ours=OURS, others=OTHERS, slices=SLICES, errors=ERRORS)
        self.assertEqual(got['errors'], [])
        labels = {f'Tilebound SOL % {u["label"]}' for u in wanted['units']
                  if u['sol_percent'] is not None}
        self.assertEqual({r['name'] for r in got['ours']}, labels)
        self.check_slices(got['slices'], wanted, tracks)
        return got

    def check_slices(self, slices, wanted, tracks=1):
        frames = [s for s in slices if s['track'] == 'Tilebound frames'][::tracks]
        listed = wanted['frames']['list']
        self.assertGreater(len(listed), 5)
        self.assertEqual([s['name'] for s in frames], [f'Frame {f["index"]}' for f in listed])
        self.assertEqual([s['ts'] + s['dur'] for s in frames], [f['end_ns'] for f in listed])
        self.assertEqual([s['ts'] for s in frames],
                         [listed[0]['begin_ns']] + [f['end_ns'] for f in listed[:-1]])
        self.assertEqual([s['begin_ns'] for s in frames], [f['begin_ns'] for f in listed])
        self.assertEqual([s['gpu_active_ms'] for s in frames],
                         [f['gpu_active_ms'] for f in listed])
        self.assertEqual([s['limiters'] or '' for s in frames],
                         [', '.join(f['limiters']) for f in listed])
        verdicts = [s for s in slices if s['track'] == 'Tilebound verdict'][::tracks]
        self.assertEqual(len(verdicts), 1)
        window = wanted['range']
        self.assertEqual(verdicts[0]['ts'], window['begin_ns'])
        self.assertEqual(verdicts[0]['ts'] + verdicts[0]['dur'], window['end_ns'])
        self.assertEqual(verdicts[0]['evidence'], wanted['verdict']['evidence'][0])
        findings = [s for s in slices if s['track'] == 'Tilebound findings'][::tracks]
        self.assertEqual([s['id'] for s in findings], [f['id'] for f in wanted['findings']])
        self.assertEqual([s['name'] for s in findings], [f['title'] for f in wanted['findings']])

    def test_frames_verdict_findings_and_the_input(self):
        got = self.check(EXAMPLE)
        before = query(EXAMPLE, others=OTHERS, errors=ERRORS)
        self.assertEqual(got['others'], before['others'])
        self.assertGreater(len(before['others']), 10)

    def test_values_are_those_of_the_json(self):
        got = query(self.export(EXAMPLE), ours=OURS, slices=SLICES)
        tracks = {}
        for row in got['ours']:
            tracks.setdefault(row['name'], []).append((row['ts'], row['value']))
        edges = sorted({ts for rows in tracks.values() for ts, _ in rows})
        zero = analysis(EXAMPLE, *DEVICE, '--range', '0s:100s')['range']['begin_ns']
        compared = 0
        for i in random.Random(4).sample(range(len(edges) - 1), 16):
            begin, end = edges[i], edges[i + 1]
            wanted = analysis(EXAMPLE, *DEVICE, '--range', f'{begin - zero}ns:{end - zero}ns')
            for unit in wanted['units']:
                if unit['sol_percent'] is None:
                    continue
                rows = tracks[f'Tilebound SOL % {unit["label"]}']
                shown = [value for ts, value in rows if ts <= begin][-1]
                self.assertAlmostEqual(shown, unit['sol_percent'], places=6,
                                       msg=(unit['id'], begin))
                compared += 1
        self.assertGreater(compared, 60)
        # The last sample's end is where values stop.
        held = [s for s in got['slices'] if s['track'] == 'Tilebound not recorded']
        self.assertEqual(held[-1]['dur'], -1)
        self.assertGreaterEqual(held[-1]['ts'], edges[-1])

    def test_same_input_same_bytes(self):
        self.assertEqual(self.export(EXAMPLE).read_bytes(), self.export(EXAMPLE).read_bytes())

    def test_compressed_packets(self):
        for level in (1, 9):
            squeezed = self.written('squeezed.perfetto-trace',
                                    chunk(1, chunk(50, zlib.compress(self.plain, level))))
            got = self.check(squeezed)
            self.assertEqual(got['others'], query(EXAMPLE, others=OTHERS)['others'])

    def test_a_cut_trace(self):
        cut = self.written('cut.perfetto-trace', self.plain[:-5])
        self.check(cut, analysis(cut, *DEVICE))

    def test_tracks_lie_over_the_counters_whatever_the_clocks(self):
        """Packets that name no clock are on the viewer's own, which a snapshot may call another one
        than BOOTTIME; those that name theirs are converted. Ours do as the counters do."""
        offset = 4_000_000_000
        now = self.json['range']['begin_ns']
        readings = b''.join(chunk(1, number(1, clock) + number(2, now - back))
                            for clock, back in ((6, 0), (3, offset)))
        snapshot = chunk(1, chunk(6, readings + number(2, 3)) + number(10, 1))
        plain = query(self.export(EXAMPLE), others=OTHERS, slices=SLICES)
        for clock in (b'', number(58, 6)):
            moved = self.written('monotonic.perfetto-trace', snapshot + b''.join(
                # The descriptor's time 0 is on no clock.
                p if b'GPU active cycles' in p else self.with_field(p, clock)
                for p in packets(self.plain) if 6 not in fields(p)))
            got = query(self.export(moved), others=OTHERS, slices=SLICES, errors=ERRORS)
            self.assertEqual(got['errors'], [])
            # The clock's own events are ftrace's, which always names its clock.
            moves = {a['first'] - b['first'] for a, b in zip(plain['others'], got['others'])
                     if a['name'] != 'gpufreq'}
            self.assertEqual(moves, {offset if clock else 0})
            self.assertEqual({a['ts'] - b['ts'] for a, b in zip(plain['slices'], got['slices'])},
                             moves)

    @staticmethod
    def with_field(packet, field):
        at = 1
        while packet[at] >= 128:
            at += 1
        return chunk(1, packet[at + 1:] + field)

    def test_an_export_can_be_exported_again(self):
        once = self.written('once.perfetto-trace', self.export(EXAMPLE).read_bytes())
        got = self.check(once, tracks=2)
        again = [s for s in got['slices'] if s['track'] == 'Tilebound frames']
        self.assertEqual(len(again), 2 * len(self.json['frames']['list']))

    def test_flushed_long_traces(self):
        """A trace that the service wrote in pieces tells up to where packets are complete
        (TracingServiceEvent); the viewer then drops what comes late, and ours must not be."""
        pieces = []
        for i, packet in enumerate(packets(self.plain)):
            pieces.append(packet)
            if i % 100 == 99:
                for event in (3, 4):  # all_data_sources_flushed, read_tracing_buffers_completed
                    pieces.append(chunk(1, chunk(69, number(event, 1)) + number(10, 1) +
                                        number(8, 100286471489343 + i * 1_000_000)))
        self.check(self.written('flushed.perfetto-trace', b''.join(pieces)))

    def test_other_formats_become_a_trace(self):
        rows = ['Time (s),GPU active cycles,Tiles']
        values = [(600_000 if i % 10 < 6 else 0, i % 7) for i in range(200)]
        rows += [f'{i / 1000:.3f},{a},{t}' for i, (a, t) in enumerate(values)]
        table = self.written('table.csv', '\n'.join(rows).encode() + b'\n')
        got = query(self.export(table), others=OTHERS, slices=SLICES, errors=ERRORS)
        self.assertEqual(got['errors'], [])
        self.assertEqual({r['name']: (r['n'], r['total']) for r in got['others']},
                         {'GPU active cycles': (199, sum(a for a, _ in values[1:])),
                          'Tiles': (199, sum(t for _, t in values[1:]))})
        self.assertIn('Tilebound verdict', {s['track'] for s in got['slices']})

    def test_nothing_half_written(self):
        out = self.written('older.perfetto-trace', b'older')
        for arguments in (['-'], [str(self.written('no.bin', b'\x00no capture'))]):
            done = subprocess.run([TILEBOUND, 'analyze', *arguments, '--format', 'perfetto', '-o',
                                   str(out)], capture_output=True, input=b'')
            self.assertEqual(done.returncode, 2)
            self.assertEqual(out.read_bytes(), b'older')
        pipe = self.folder / 'pipe'
        os.mkfifo(pipe)
        done = subprocess.run([TILEBOUND, 'analyze', str(pipe), '--format', 'perfetto', '-o',
                               str(out)], capture_output=True, input=b'', timeout=60)
        self.assertEqual(done.returncode, 2)
        self.assertEqual(list(self.folder.glob('older.perfetto-trace.*')), [])


if __name__ == '__main__':
    if trace_processor.folder()[0] is None:
        print(f'skipped: no trace processor: {trace_processor.folder()[1]}')
        sys.exit(SKIPPED)
    unittest.main()
