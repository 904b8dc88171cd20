// `npm run local`: runs the local deployment alone. When it is ready it prints one JSON line with its
// address and token on standard output; everything else goes to standard error.
//   npm run local -- --data DIR --port 0

import { join } from 'node:path';
import { supervise } from '../loopback/src/supervise.ts';
import { ensureBuilt } from './host/build.ts';
import { distDirectory } from './host/paths.ts';
import { endWithNpm } from './host/processes.ts';

await ensureBuilt();
endWithNpm();
supervise(join(distDirectory, 'local.cjs'), process.argv.slice(2));
