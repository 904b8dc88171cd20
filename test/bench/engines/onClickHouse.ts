/**
 * The local deployment on ClickHouse, against SQL by hand for the same tables on the same server. Both are asked over
 * HTTP. Its ingest is compared with ClickHouse's own insert of the file into its JSON type.
 */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { request } from 'undici';
import { quoteName } from '../../../local/src/engines/clickhouse/quotes.ts';
import { ClickHouseServer } from '../../engines/server/server.ts';
import { Deployment } from '../local/deployment.ts';
import { fields, rangeOf } from '../local/events.ts';
import { type Measure, measure, middle, timed } from '../measure.ts';
import { fillTheirs, pathsOf, writeFileOf } from './datasets.ts';
import { innerRange, logsOf } from './logs.ts';
import type { Part, PartSetting } from './parts.ts';
import { questions } from './questions.ts';
import { type Peer, questionMeasure } from './rounds.ts';
import { answerRows } from './rows.ts';
import { jsonLogs } from './tables.ts';

const BAR = 1.3;
const INGEST_ROUNDS = 3;

const storedTypes = { VARCHAR: 'string', BIGINT: 'integer', DOUBLE: 'float' } as const;
const columns = new Map(fields.map(([name, type]) => [name, `${name}:${storedTypes[type]}`]));

const settings = new URLSearchParams({
  date_time_output_format: 'iso',
  prefer_column_name_to_alias: '1',
  output_format_json_quote_64bit_integers: '0',
  default_format: 'JSONEachRow',
});

/** Asks the server for rows of the deployment's table, whose columns have other names than those of the questions. */
class OwnTables implements Peer {
  readonly #url: string;

  constructor({ url }: ClickHouseServer) {
    this.#url = `${url}/?${settings}`;
  }

  async rows(sql: string): Promise<Record<string, unknown>[]> {
    const lines = (await this.#answer(sql)).split('\n').filter((line) => line !== '');
    return lines.map((line) => withFieldNames(JSON.parse(line)));
  }

  run(sql: string): Promise<number> {
    return timed(() => this.#answer(sql));
  }

  async #answer(sql: string): Promise<string> {
    const body = sql
      .replace(/'[^']*'|[a-z_]+(?:\.[a-z]+)?/g, (word) => {
        const column = columns.get(word as never);
        return column === undefined ? word : quoteName(column);
      })
      .replace('SELECT *', 'SELECT * EXCEPT _row')
      .replace('FROM events', 'FROM aplomb.events');
    const answer = await request(this.#url, { method: 'POST', body });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`${text}\n${body}`);
    return text;
  }
}

function withFieldNames(row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name.replace(/:\w+$/, ''), value]),
  );
}

const rowOf = (name: string) => `on ClickHouse: ${name}`;
const ingestRow = rowOf("ingest, against ClickHouse's JSON type");

export const onClickHousePart: Part = {
  name: 'on ClickHouse',
  rows: [ingestRow, ...questions.map(({ name }) => rowOf(name))],
  async run(setting) {
    const { wanted, events } = setting;
    const paths = pathsOf(logsOf(events), setting);
    const folder = join(paths.data, 'on-clickhouse');
    const filled = join(paths.data, 'on-clickhouse-filled');
    const found: Measure[] = [];
    const isMeasured = wanted(ingestRow);
    if (isMeasured || !existsSync(filled)) {
      await writeFileOf(logsOf(events), setting);
      const rounds: Measure[] = [];
      for (let round = 0; round < (isMeasured ? INGEST_ROUNDS : 1); round += 1)
        rounds.push(await ingestRound(folder, setting));
      writeFileSync(filled, '');
      if (isMeasured) found.push(middle(rounds));
    }
    await withDeployment(folder, async (ours, server) => {
      const theirs = new OwnTables(server);
      await theirs.run('OPTIMIZE TABLE aplomb.events FINAL');
      for (const { settleMs: _, ...question } of questions) {
        const name = rowOf(question.name);
        if (!wanted(name)) continue;
        setting.progress(name);
        const asked = { ...question, name, bar: BAR };
        found.push(await questionMeasure({ ours, theirs }, asked, innerRange(logsOf(events))));
      }
    });
    return found;
  },
};

async function ingestRound(folder: string, setting: PartSetting): Promise<Measure> {
  const { events, progress } = setting;
  const paths = pathsOf(logsOf(events), setting);
  const json = { ...jsonLogs, create: jsonLogs.create.replace(/ SETTINGS .*/, '') };
  const theirs = await fillTheirs(json, join(paths.data, 'json'), paths.file, async (_, t) => t);
  progress(`ClickHouse's JSON type: ${Math.round(theirs)} ms; the deployment on ClickHouse`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return withDeployment(folder, async (ours) => {
    await ours.makeDataset();
    const took = await timed(() => ours.ingest(paths.file));
    const [stored] = answerRows(await ours.query("['events'] | count", rangeOf(0, events)));
    if (stored?.['count'] !== events)
      throw new Error(`${stored?.['count']} events are stored, not ${events}`);
    progress(`${Math.round(took)} ms`);
    return measure('engines', ingestRow, 'ms', took, theirs, BAR);
  });
}

async function withDeployment<T>(
  folder: string,
  work: (ours: Deployment, server: ClickHouseServer) => Promise<T>,
): Promise<T> {
  const server = await ClickHouseServer.start(join(folder, 'clickhouse'));
  try {
    const more = ['--engine', 'clickhouse', '--clickhouse-url', server.url];
    const ours = await Deployment.start(join(folder, 'front'), more);
    try {
      return await work(ours, server);
    } finally {
      await ours.end();
    }
  } finally {
    await server.stop();
  }
}
