/** Starts the process. Old Node versions can parse this bundle but not the main one, so they get a clear error here. */
import { outdatedNode } from '../../loopback/src/nodeVersion.ts';

const outdated = outdatedNode('The local deployment');
if (outdated === undefined) void import('./main.ts');
else {
  process.stderr.write(`${outdated}\n`);
  process.exitCode = 1;
}
