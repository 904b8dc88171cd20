/** Starts the process. Reports an error in old Node versions, which can parse this bundle but not the main bundle. */
import { outdatedNode } from '../../loopback/src/nodeVersion.ts';

const outdated = outdatedNode('The local deployment');
if (outdated === undefined) void import('./main.ts');
else {
  process.stderr.write(`${outdated}\n`);
  process.exitCode = 1;
}
