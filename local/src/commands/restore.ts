/** `aplomb restore FILE --data FOLDER`: a backup in a folder of its own. */
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { RestoreError, restoreBackup } from '../backup/restore.ts';
import { CommandError } from './commandError.ts';
import { grouped, megabytes, showProgress } from './progressLine.ts';

/** Returns what to report. @throws CommandError; the folder is as it was then. */
export async function restore(file: string, data: string, signal: AbortSignal): Promise<string> {
  const total = (await stat(file).catch(() => undefined))?.size ?? 0;
  const progress = (bytes: number) =>
    showProgress(`Restoring: ${megabytes(bytes)} of ${megabytes(total)}`);
  try {
    const { tables, created } = await restoreBackup(file, resolve(data), progress, signal);
    const events = tables.filter(({ schema }) => schema === 'events');
    const count = events.reduce((sum, { rows }) => sum + rows, 0);
    return `${data}: ${grouped(count)} events in ${events.length} ${events.length === 1 ? 'dataset' : 'datasets'}, as of ${created}. Start the deployment with aplomb serve --data ${data}; it prints new tokens.`;
  } catch (error) {
    if (error instanceof RestoreError) throw new CommandError(error.message);
    throw error;
  }
}
