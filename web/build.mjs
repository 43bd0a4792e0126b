// Bundles src/ into one HTML file with a place for data: node build.mjs OUT
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { build } from 'esbuild';

const out = process.argv[2] ?? 'dist/report.html';

const bundle = async (entry, loader) => {
  const result = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    target: ['chrome109', 'firefox115', 'safari16'],
    format: 'iife',
    charset: 'ascii',
    legalComments: 'inline',
    loader: loader ?? {},
  });
  return result.outputFiles[0].text.trim();
};

// Nothing in the bundle may look like the end of the element that holds it.
const script = (await bundle('src/main.js')).replaceAll('</script', '<\\/script');
const style = (await bundle('src/style.css')).replaceAll('</style', '<\\/style');
const hash = createHash('sha256').update(script).digest('base64');
// The page loads nothing and runs this script only, whatever its data hold.
const policy = `default-src 'none'; script-src 'sha256-${hash}'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'`;

// What is bundled is under its own licence, which asks to be passed on.
const licence = readFileSync('node_modules/uplot/LICENSE', 'utf8').replaceAll('--', '- -').trim();

const page = readFileSync('src/page.html', 'utf8')
  .replace('@POLICY@', () => policy)
  .replace('@LICENCE@', () => `uPlot, part of this page:\n\n${licence}\n`)
  .replace('@STYLE@', () => style)
  .replace('@SCRIPT@', () => script);
mkdirSync(dirname(out), { recursive: true });
writeFileSync(out, page);
