/** `aplomb explain`: prints the page of a problem, or lists all problems. */
import { problemCodes, problemRows } from '../../language/src/index.ts';
import { codeFrom, messagePattern } from './codes.ts';
import type { Io } from './io.ts';
import { type Exit, exits, readArguments, UsageError } from './usage.ts';

/**
 * Prints the page of a problem, or a line for each problem.
 * @throws UsageError if the code does not exist.
 */
export function explain(args: readonly string[], io: Io): Exit {
  const { positionals } = readArguments(args, {});
  const [code, second] = positionals;
  if (second !== undefined) throw new UsageError('Specify a single code.');
  if (code === undefined) {
    const width = Math.max(...problemCodes.map(({ length }) => length));
    for (const one of problemCodes) {
      const { severity } = problemRows[one];
      io.write(`${one.padEnd(width)}  ${severity.padEnd(7)}  ${messagePattern(one)}\n`);
    }
    return exits.clean;
  }
  const known = codeFrom(code);
  const page = io.page(known) ?? `# ${known}\n\n${messagePattern(known)}\n`;
  io.write(page.endsWith('\n') ? page : `${page}\n`);
  return exits.clean;
}
