/** `aplomb restore FILE --data FOLDER`: restores a backup into a new or empty folder. */
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { counted } from '../../../formats/src/counts.ts';
import { megabytes } from '../../../system/src/progressLine.ts';
import { type Restored, type RestoreOptions, restoreBackup } from '../backup/restore.ts';
import { quoteName } from '../store/sql.ts';
import { progressLine } from './progressLine.ts';

/** Restores the backup and returns the message to print. If it throws, the folder is unchanged. */
export async function restore(
  file: string,
  data: string,
  options: RestoreOptions,
  signal: AbortSignal,
): Promise<string> {
  const total = (await stat(file).catch(() => undefined))?.size ?? 0;
  const progress = (bytes: number) =>
    progressLine.show(`Restoring: ${megabytes(bytes)} of ${megabytes(total)}`);
  const restored = await restoreBackup(file, resolve(data), options, progress, signal);
  const { created, tokens, clickhouse } = restored;
  const [content, serve] =
    clickhouse === undefined
      ? [`${eventsIn(restored)}, as of ${created}.`, '']
      : [
          `resources and settings, as of ${created}. ${clickhouseMessage(clickhouse)}`,
          ` --engine clickhouse --clickhouse-url URL --clickhouse-database ${clickhouse}`,
        ];
  return [
    `${data}: ${content}`,
    tokensMessage(tokens, options),
    `Start the deployment with aplomb serve --data ${data}${serve}; it prints new tokens.`,
  ].join(' ');
}

function eventsIn({ tables }: Restored): string {
  const datasets = tables.filter(({ schema }) => schema === 'events');
  const events = datasets.reduce((sum, { rows }) => sum + rows, 0);
  return `${counted(events, 'event')} in ${counted(datasets.length, 'dataset')}`;
}

function clickhouseMessage(database: string): string {
  return `The events are in the database ${database} of ClickHouse. If they are lost, restore them there first: RESTORE DATABASE ${quoteName(database)} FROM Disk('backups', 'events.zip').`;
}

/** Describes the restored tokens, because a token may have been revoked after the backup. */
function tokensMessage(tokens: number, { withoutTokens }: RestoreOptions): string {
  if (tokens === 0) return 'The backup contains no API tokens.';
  const count = counted(tokens, 'API token');
  const were = tokens === 1 ? 'was' : 'were';
  if (withoutTokens) return `${count} in the backup ${were} not restored.`;
  return `${count} ${were} restored, including any that were revoked after the backup. To leave tokens out, restore with --without-tokens.`;
}
