/** `aplomb restore FILE --data FOLDER`: restores a backup into a new or empty folder. */
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { RestoreError, type RestoreOptions, restoreBackup } from '../backup/restore.ts';
import { CommandError } from './commandError.ts';
import { formatNumber, megabytes, progressLine } from './progressLine.ts';

/**
 * Restores the backup and returns the message to print.
 * @throws CommandError; the folder is then unchanged.
 */
export async function restore(
  file: string,
  data: string,
  options: RestoreOptions,
  signal: AbortSignal,
): Promise<string> {
  const total = (await stat(file).catch(() => undefined))?.size ?? 0;
  const progress = (bytes: number) =>
    progressLine.show(`Restoring: ${megabytes(bytes)} of ${megabytes(total)}`);
  try {
    const folder = resolve(data);
    const restored = await restoreBackup(file, folder, options, progress, signal);
    const { tables, created, tokens } = restored;
    const events = tables.filter(({ schema }) => schema === 'events');
    const count = events.reduce((sum, { rows }) => sum + rows, 0);
    return [
      `${data}: ${formatNumber(count)} events in ${events.length} ${events.length === 1 ? 'dataset' : 'datasets'}, as of ${created}.`,
      tokensMessage(tokens, options),
      `Start the deployment with aplomb serve --data ${data}; it prints new tokens.`,
    ].join(' ');
  } catch (error) {
    if (error instanceof RestoreError) throw new CommandError(error.message);
    throw error;
  }
}

/**
 * Returns a sentence about how many API tokens were restored or left out, because restored ones may have been revoked.
 */
function tokensMessage(tokens: number, { withoutTokens }: RestoreOptions): string {
  if (tokens === 0) return 'The backup contains no API tokens.';
  const counted = tokens === 1 ? '1 API token' : `${formatNumber(tokens)} API tokens`;
  if (withoutTokens) return `${counted} in the backup ${were(tokens)} not restored.`;
  return `${counted} ${were(tokens)} restored, including any that were revoked after the backup. To leave tokens out, restore with --without-tokens.`;
}

const were = (count: number) => (count === 1 ? 'was' : 'were');
