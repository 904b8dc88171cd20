// `npm run local`: runs the local deployment alone. When it is ready it prints one JSON line with its
// address and token on standard output; everything else goes to standard error.
//   npm run local -- --data DIR --port 0

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt } from './host/build.ts';
import { distDirectory } from './host/paths.ts';
import { endWithNpm } from './host/processes.ts';

await ensureBuilt();
endWithNpm();
// In this process rather than in a child, so that signals and the exit code are the deployment's own.
await import(pathToFileURL(join(distDirectory, 'local.cjs')).href);
