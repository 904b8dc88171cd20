/**
 * The process of `clickhouse.ts`: takes the path of the installed package and the folder of the database, then a
 * statement in JSON per line, and prints a `Reply` per line, the first one when the database is open.
 */
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import type { Reply } from './clickhouse.ts';

/** The part of the package that is used here. Its own types are not there unless it is installed. */
interface Chdb {
  readonly Session: new (
    folder: string,
  ) => {
    queryAsync(sql: string, options: { format: string }): Promise<{ text(): string }>;
    close(): void;
  };
  readonly drainPending: () => Promise<void>;
}

/** Times as APL prints them, and names in conditions that mean columns although a result has the same name. */
const settings = [
  "SET date_time_output_format = 'iso'",
  'SET prefer_column_name_to_alias = 1',
  'SET output_format_json_quote_64bit_integers = 0',
];

const [installed = '', folder = ''] = process.argv.slice(2);
const { Session, drainPending } = createRequire(installed)('chdb') as Chdb;
const session = new Session(folder);
for (const setting of settings) await session.queryAsync(setting, { format: 'Null' });
print({ ms: 0, text: '' });

for await (const line of createInterface(process.stdin)) {
  const start = performance.now();
  try {
    const result = await session.queryAsync(JSON.parse(line), { format: 'JSONEachRow' });
    const text = result.text();
    print({ ms: performance.now() - start, text });
  } catch (error) {
    print({ ms: 0, text: '', error: String(error) });
  }
}
session.close();
await drainPending();
process.exit();

function print(reply: Reply): void {
  process.stdout.write(`${JSON.stringify(reply)}\n`);
}
