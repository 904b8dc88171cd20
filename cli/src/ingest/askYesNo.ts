/** Asks a yes/no question on the terminal. */
import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { printable } from '../../../language/src/printable.ts';

/** Asks a question. Returns undefined without a terminal, and false if `signal` aborts or the user presses Ctrl+D. */
export async function askYesNo(
  question: string,
  signal: AbortSignal,
): Promise<boolean | undefined> {
  const { stdin, stderr } = process;
  if (!stdin.isTTY || !stderr.isTTY) return undefined;
  const asking = createInterface({ input: stdin, output: stderr });
  // readline intercepts Ctrl+C, so pass it on to the handler that aborts `signal`.
  asking.on('SIGINT', () => process.emit('SIGINT'));
  try {
    // Older versions of Node leave an unanswered question pending when the input ends.
    const ended = once(asking, 'close').then(() => '');
    const answer = await Promise.race([
      asking.question(printable(`${question} [y/N] `), { signal }),
      ended,
    ]);
    return /^y(?:es)?$/i.test(answer.trim());
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') return false;
    throw error;
  } finally {
    asking.close();
  }
}
