// Bundles the page's script and style and writes them as a C++ file:
//   node bundle.mjs <folder with node_modules> <output .cpp>
import {createHash} from 'node:crypto';
import {writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';

const [, , packages, output] = process.argv;
const source = join(dirname(fileURLToPath(import.meta.url)), 'src');
const esbuild = await import(pathToFileURL(join(packages, 'node_modules/esbuild/lib/main.js')));

async function bundled(entry) {
  const result = await esbuild.build({
    entryPoints: [join(source, entry)],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: 'es2020',
    charset: 'ascii',
    legalComments: 'none',
    nodePaths: [join(packages, 'node_modules')],
    absWorkingDir: source,
    logLevel: 'warning',
  });
  return result.outputFiles[0].text.trim();
}

// The policy of the page allows exactly this script and this style.
const hash = (text) => 'sha256-' + createHash('sha256').update(text).digest('base64');
// C++ compilers take literals of 64 KiB.
const literal = (text) => {
  const pieces = [];
  for (let i = 0; i < text.length; i += 60000) pieces.push(`R"page(${text.slice(i, i + 60000)})page"`);
  return pieces.join('\n');
};

const script = await bundled('main.ts');
const style = await bundled('page.css');
for (const text of [script, style])
  if (text.includes(')page"') || /<\/(script|style)/i.test(text)) throw new Error('the bundle cannot be embedded');
writeFileSync(output, `// Made by web/bundle.mjs.
#include "tauflex/report/page_program.hpp"

const tauflex::PageProgram& tauflex::page_program() {
  static const PageProgram program{${literal(script)},
"${hash(script)}",
${literal(style)},
"${hash(style)}"};
  return program;
}
`);
