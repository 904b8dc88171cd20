/** Starts the process, or reports the required Node version: old ones can parse this bundle, not the main one. */
import { outdatedNode } from '../../loopback/src/nodeVersion.ts';

const outdated = outdatedNode('The local deployment');
if (outdated === undefined) void import('./main.ts');
else {
  process.stderr.write(`${outdated}\n`);
  process.exitCode = 1;
}
