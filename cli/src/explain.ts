/** `aplomb explain`: prints the page that explains a problem, or lists all problems. */
import { problemCodes, problemRows } from '../../language/src/index.ts';
import { type Exit, exits, readArguments } from '../../system/src/commandLine.ts';
import { codeFrom, messagePattern } from './codes.ts';
import type { Io } from './io.ts';

export function explain(args: readonly string[], io: Io): Exit {
  const [code] = readArguments(args, ['CODE'], {}).positionals;
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
