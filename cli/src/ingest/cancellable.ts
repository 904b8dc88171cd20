/** Runs an operation that Ctrl+C or SIGTERM cancels. */
import { printable } from '../../../language/src/printable.ts';
import { type Exit, exits } from '../../../system/src/commandLine.ts';
import { ProgressLine } from '../../../system/src/progressLine.ts';
import type { Io } from '../io.ts';

/** Runs `work`, which must end soon after its signal aborts. A second Ctrl+C exits immediately. */
export async function cancellable(
  io: Io,
  work: (signal: AbortSignal, progressLine: ProgressLine) => Promise<Exit>,
): Promise<Exit> {
  const controller = new AbortController();
  const progressLine = new ProgressLine(process.stderr, printable);
  const stop = () => {
    if (controller.signal.aborted) process.exit(exits.cancelled);
    controller.abort();
    progressLine.clear();
    io.error('Cancelling. Press Ctrl+C again to exit without waiting for the service.');
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  try {
    return await work(controller.signal, progressLine);
  } finally {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
  }
}
