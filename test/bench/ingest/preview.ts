// Previews files in turn as the extension host does, and prints the middle time of each in milliseconds, as JSON. The
// arguments are the files.
import { ReaderWorker } from '../../../client/src/ingest/readerWorker.ts';
import { diskSource } from '../../../ingest/src/read/sources.ts';
import { median, timed } from '../measure.ts';

const ROUNDS = 9;

const paths = process.argv.slice(2);
const worker = new ReaderWorker(new URL('../../../dist/ingest.cjs', import.meta.url));
const times = paths.map((): number[] => []);
// The first round loads and compiles what all others use.
for (let round = 0; round <= ROUNDS; round += 1) {
  for (const [index, path] of paths.entries()) {
    const ms = await timed(async () =>
      worker.preview(await diskSource(path), { choices: {} }, new AbortController().signal),
    );
    if (round > 0) times[index]?.push(ms);
  }
}
console.log(JSON.stringify(times.map(median)));
process.exit();
