/**
 * Starts the process, or reports which version of Node it needs. Old versions of Node can parse this bundle, but not
 * that of the process.
 */
import { outdatedNode } from '../../loopback/src/neededNode.ts';

const outdated = outdatedNode('The local deployment');
if (outdated === undefined) void import('./main.ts');
else {
  process.stderr.write(`${outdated}\n`);
  process.exitCode = 1;
}
