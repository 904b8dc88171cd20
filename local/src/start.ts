/**
 * Starts the process, or says which Node it needs. A bundle of its own that old versions of Node can parse, which they
 * cannot do with that of the process.
 */
import { outdatedNode } from '../../loopback/src/neededNode.ts';

const outdated = outdatedNode('The local deployment');
if (outdated === undefined) void import('./main.ts');
else {
  process.stderr.write(`${outdated}\n`);
  process.exitCode = 1;
}
