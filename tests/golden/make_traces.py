"""Writes the small Perfetto traces of the golden folders: one rule of reading each.

    make_traces.py            rewrites tests/golden/*/perfetto_*/*.pftrace

Field numbers are those of google/perfetto's protos; the traces hold a few Mali counters by name.
"""

import pathlib
import random
import struct

HERE = pathlib.Path(__file__).resolve().parent
START = 1_000_000_000
MS = 1_000_000
GPU_ACTIVE, TILES, PRIMITIVES, WRITES, READS, TASKS, ANY_QUEUE = 6, 210, 70, 175, 160, 9, 7
NAMES = {GPU_ACTIVE: 'GPU active cycles', TILES: 'Tiles', PRIMITIVES: 'Triangle primitives',
         WRITES: 'Output external write beats'}


def varint(n):
    out = b''
    n &= (1 << 64) - 1
    while n > 127:
        out += bytes((n & 127 | 128,))
        n >>= 7
    return out + bytes((n,))


def number(field, n):
    return varint(field << 3) + varint(n)


def chunk(field, data):
    data = data.encode() if isinstance(data, str) else data
    return varint(field << 3 | 2) + varint(len(data)) + data


def double(field, value):
    return varint(field << 3 | 1) + struct.pack('<d', value)


def packet(body, time=None):
    head = b'' if time is None else number(8, time)
    return chunk(1, head + body + number(10, 3))


def spec(counter, name, direction=0):
    body = number(1, counter) + chunk(2, name)
    return chunk(1, body + (number(11, direction) if direction else b''))


def descriptor(names=None, direction=0, time=None, extra=b''):
    specs = b''.join(spec(i, n, direction) for i, n in (names or NAMES).items())
    return packet(chunk(52, chunk(1, specs + extra)), time)


def sample(time, values):
    body = b''
    for counter, value in values.items():
        one = double(3, value) if isinstance(value, float) else number(2, value)
        body += chunk(2, number(1, counter) + one)
    return packet(chunk(52, body), time)


def gpu_name(name):
    return packet(chunk(128, chunk(1, chunk(1, name))))


def frequency(time, khz):
    event = number(1, time) + number(2, 0) + chunk(332, number(1, 0) + number(2, khz))
    return packet(chunk(1, number(1, 0) + chunk(2, event)))


def config(ids=(), source='gpu.counters', period=MS):
    gpu = number(1, period) + b''.join(number(2, i) for i in ids)
    return packet(chunk(33, chunk(2, chunk(1, chunk(1, source) + chunk(108, gpu)))))


def steady(count=40, cycles=600_000, tiles=1800.5, **overrides):
    """Samples every millisecond of a GPU that is busy throughout."""
    out = []
    for i in range(count):
        values = {GPU_ACTIVE: cycles, TILES: tiles, PRIMITIVES: 5000, WRITES: 40_000}
        values.update({k: f(i) for k, f in overrides.get('values', {}).items()})
        out.append(sample(START + i * MS, values))
    return b''.join(out)


def frame_timeline(cookie, begin, end, layer, present_type=1):
    """An actual frame of a surface: its start and its end."""
    start = number(1, cookie) + number(2, 100 + cookie) + number(4, 4242) + chunk(5, layer)
    return packet(chunk(76, chunk(4, start + number(6, present_type))), begin) + \
        packet(chunk(76, chunk(5, number(1, cookie))), end)


def fence(frame, kind, time, layer):
    event = number(1, frame) + number(2, kind) + chunk(3, layer)
    return packet(chunk(57, chunk(1, event)), time)


def render_stage(begin, end, queue, stage, target, submission):
    """Names by inline specifications (render_stage_names)."""
    body = number(2, end - begin) + number(3, queue) + number(4, stage) + number(8, target) + \
        number(10, submission)
    return packet(chunk(53, body), begin)


def render_stage_names():
    one, two = chunk(1, 'vertex'), chunk(1, 'fragment')
    specs = b''.join(chunk(field, name) for field in (2, 3) for name in (one, two))
    return packet(chunk(53, chunk(7, specs)), START)


def frames_of_10_ms(make):
    return b''.join(make(k, START + k * 10 * MS + 437_000) for k in range(12))


def traces():
    clock = frequency(START, 600_000)
    ids = list(NAMES)
    yield 'info/perfetto_good', config(ids) + descriptor(time=0) + clock + steady()
    good = config(ids) + descriptor() + clock + steady()
    yield 'info/perfetto_truncated', good[:-77]
    noise = random.Random(1)
    hostile = bytearray(good)
    for _ in range(40):
        hostile[noise.randrange(200, len(hostile))] = noise.randrange(256)
    yield 'info/perfetto_hostile', bytes(hostile)
    yield 'info/perfetto_late_descriptor', clock + steady() + descriptor()
    yield 'info/perfetto_missing_descriptor', clock + steady()
    yield 'info/perfetto_unknown_id', descriptor({GPU_ACTIVE: NAMES[GPU_ACTIVE]}) + clock + steady()
    yield 'info/perfetto_duplicate_id', descriptor(
        extra=spec(GPU_ACTIVE, 'Fragment jobs')) + clock + steady()
    yield 'info/perfetto_only_frequency', config([]) + clock + frequency(START + MS, 500_000)
    yield 'info/perfetto_no_ids', config([]) + descriptor() + clock
    yield 'info/perfetto_gpu_off', descriptor() + steady(values={c: lambda i: 0 for c in NAMES})
    yield 'info/perfetto_zero_counter', descriptor() + clock + steady(values={TILES: lambda i: 0})
    yield 'info/perfetto_wrapped', descriptor() + clock + steady(values={
        TILES: lambda i: 13_905_622_581_249_048_576 if i == 20 else 1800.5,
        GPU_ACTIVE: lambda i: (1 << 64) - 1 if i == 10 else 600_000})
    yield 'info/perfetto_unit_off', descriptor() + clock + steady(cycles=600_000_000)
    # A value of a forwards counter belongs to the interval after its stamp.
    step = {GPU_ACTIVE: lambda i: 600_000 if 10 <= i < 20 else 0}
    yield 'analyze/perfetto_backwards', descriptor() + clock + steady(values=step)
    yield 'analyze/perfetto_forwards', descriptor(direction=2) + clock + steady(values=step)
    # A producer that sends nothing while the GPU is off: 75,776 cycles are one period's.
    silent = b''.join(sample(START + i * MS, {GPU_ACTIVE: 75_776}) for i in range(60)
                      if i < 20 or i >= 50)
    yield 'analyze/perfetto_dropped_zeros', descriptor() + clock + silent
    yield 'analyze/perfetto_no_clock_events', descriptor() + steady()
    # A fat pass halves the tile: twice the tiles, the same pixels (tasks of 32 x 32).
    tasks = {**NAMES, TASKS: 'Fragment tasks'}
    for name, tiles in (('full', 1800 + 1 / 9), ('shrunk', 3600 + 2 / 9)):
        yield f'analyze/perfetto_tiles_{name}', descriptor(tasks) + clock + steady(
            tiles=tiles, values={TASKS: lambda i: 450})
    # Mali-G715's own count of active cycles is wrong; any queue active is right.
    queues = {**NAMES, ANY_QUEUE: 'Any queue active cycles'}
    yield 'analyze/perfetto_g715_gpu_active', gpu_name('Mali-G715') + descriptor(queues) + clock + \
        steady(cycles=37, values={ANY_QUEUE: lambda i: 600_000})
    # 150,000 triangles a frame at 60 frames a second, and 2220 x 1080 pixels of 4 bytes written.
    second = 2220 * 1080 * 4 * 60
    reads = {**NAMES, READS: 'Output external read beats'}
    yield 'analyze/perfetto_per_frame', descriptor(reads) + clock + steady(100, values={
        PRIMITIVES: lambda i: 9000, WRITES: lambda i: second / 16 / 1000, READS: lambda i: 0})
    # The bus is sampled for a quarter of the time only: as many bytes a cycle, not a quarter of them.
    yield 'analyze/perfetto_shorter_axis', descriptor(reads) + clock + b''.join(
        sample(START + i * MS, {GPU_ACTIVE: 600_000}) +
        (sample(START + i * MS + 100, {READS: 40_000, WRITES: 40_000}) if i < 26 else b'')
        for i in range(101))
    # Frames that the trace names: end 0.437 ms after a sample, geometry runs 3 ms ahead.
    busy = descriptor() + clock + steady(124)
    yield 'analyze/perfetto_frame_timeline', busy + frames_of_10_ms(
        lambda k, t: frame_timeline(2 * k, t - 20 * MS, t, 'game') + (
            frame_timeline(2 * k + 1, t, t + MS, 'status bar') if k % 4 == 0 else b'') + (
            frame_timeline(1000, t, t + MS, 'game', 4) if k == 5 else b''))
    yield 'analyze/perfetto_presented', busy + frames_of_10_ms(
        lambda k, t: fence(k, 4, t, 'game') + fence(k, 8, t + 16 * MS, 'game'))
    yield 'analyze/perfetto_render_stages', busy + render_stage_names() + frames_of_10_ms(
        lambda k, t: render_stage(t - 3 * MS, t - 2 * MS, 0, 0, 7 + k % 3, k + 1) +
        render_stage(t, t + 9 * MS, 1, 1, 7 + k % 3, k + 1))
    # Averages over 24 cores, of which a wrong core count of 3 makes an eighth.
    yield 'analyze/perfetto_core_count', descriptor() + clock + steady(
        values={TILES: lambda i: 1800 + (i % 23 + 1) / 24})


def main():
    for name, data in traces():
        folder = HERE / name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / 'capture.pftrace').write_bytes(data)


if __name__ == '__main__':
    main()
