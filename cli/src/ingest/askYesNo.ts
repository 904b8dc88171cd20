/** Asks a yes/no question on the terminal. */
import { createInterface } from 'node:readline/promises';
import { printable } from '../../../language/src/printable.ts';

/** Returns whether the user answered yes. Returns undefined if there is no terminal, and false if `signal` aborts. */
export async function askYesNo(
  question: string,
  signal: AbortSignal,
): Promise<boolean | undefined> {
  const { stdin, stderr } = process;
  if (!stdin.isTTY || !stderr.isTTY) return undefined;
  const asking = createInterface({ input: stdin, output: stderr });
  try {
    const answer = await asking.question(printable(`${question} [y/N] `), { signal });
    return /^y(?:es)?$/i.test(answer.trim());
  } catch (error) {
    if (!signal.aborted) throw error;
    return false;
  } finally {
    asking.close();
  }
}
