// The types of the page's sources: types_test.mjs SOURCES PACKAGES. Copies them beside the packages, where the compiler finds both.
import {spawnSync} from 'node:child_process';
import {cpSync, rmSync} from 'node:fs';
import {join} from 'node:path';

const [, , sources, packages] = process.argv;
const copy = join(packages, 'types');
rmSync(copy, {recursive: true, force: true});
cpSync(join(sources, 'src'), join(copy, 'src'), {recursive: true});
cpSync(join(sources, 'tsconfig.json'), join(copy, 'tsconfig.json'));
const result = spawnSync(process.execPath, [join(packages, 'node_modules/typescript/bin/tsc'), '-p', copy], {encoding: 'utf8'});
process.stdout.write(result.stdout);
process.exit(result.status);
