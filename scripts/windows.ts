// `npm run windows:check`: the local deployment, the command line and the plain tests with the Windows builds of Node
// and DuckDB, under Wine. CONTRIBUTING.md says what Wine cannot show.
//   npm run windows:check -- [--gate=NAME] [FILE…]
import { parseArgs } from 'node:util';
import { makeBed } from './windows/bed.ts';
import {
  kills,
  pullAndPush,
  replacementsBesideReader,
  simultaneousStarts,
  startsBesideReader,
} from './windows/gates.ts';
import { runPlainTests } from './windows/plainTests.ts';
import { Wine } from './windows/wine.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { gate: { type: 'string' } },
});

const isLong = process.env['APLOMB_LONG'] === '1';
console.log(Wine.check());
const bed = await makeBed();
const gates = {
  starts: () => simultaneousStarts(bed, isLong ? 50 : 10),
  reader: () => startsBesideReader(bed, 5),
  replacements: () => replacementsBesideReader(bed, isLong ? 2_000 : 200),
  kills: () => kills(bed, isLong ? 50 : 10),
  resources: () => pullAndPush(bed),
  tests: () => runPlainTests(bed, positionals),
};

let failed = 0;
try {
  for (const [name, gate] of Object.entries(gates)) {
    if (values.gate !== undefined && name !== values.gate) continue;
    const start = performance.now();
    const error = await gate().then(
      () => undefined,
      (reason: Error) => reason,
    );
    const seconds = ((performance.now() - start) / 1_000).toFixed(1);
    console.log(`${error === undefined ? '✔' : '✖'} ${seconds.padStart(7)} s  ${name}`);
    if (error === undefined) continue;
    failed += 1;
    console.log(error.message);
  }
} finally {
  bed.wine.end();
}
console.log(failed === 0 ? 'All gates pass.' : `${failed} failed.`);
process.exitCode = failed === 0 ? 0 : 1;
