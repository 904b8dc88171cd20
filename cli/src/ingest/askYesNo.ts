/** Asks a yes/no question on the terminal. */
import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { printable } from '../../../language/src/printable.ts';

/**
 * Returns whether the user answered yes. Returns undefined if there is no terminal, and false if `signal` aborts or the
 * user ends the input with Ctrl+D.
 */
export async function askYesNo(
  question: string,
  signal: AbortSignal,
): Promise<boolean | undefined> {
  const { stdin, stderr } = process;
  if (!stdin.isTTY || !stderr.isTTY) return undefined;
  const asking = createInterface({ input: stdin, output: stderr });
  // Pass on Ctrl+C to the handler that aborts `signal`, because readline intercepts keys, so it raises no signal.
  asking.on('SIGINT', () => process.emit('SIGINT'));
  try {
    // Newer versions of Node reject an unanswered question when the input ends, and older ones leave it pending.
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
