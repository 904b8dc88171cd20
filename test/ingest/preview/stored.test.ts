// Compares the preview with the events that a deployment stores: names, types, values and times,
// for the files of vega-datasets and some difficult ones.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { FileSource, Preview } from '../../../ingest/src/contract.ts';
import { previewFile } from '../../../ingest/src/preview/previewFile.ts';
import { batchLimits } from '../../../ingest/src/read/limits.ts';
import { batchReader } from '../../../ingest/src/read/reader.ts';
import { diskSource, memorySource } from '../../../ingest/src/read/sources.ts';
import { Deployment } from '../../local/deployment.ts';

const folder = 'node_modules/vega-datasets/data';
const { signal } = new AbortController();

let local: Deployment;
before(async () => {
  local = await Deployment.open();
});
after(() => local.close());

const texts: Readonly<Record<string, string>> = {
  'nested times.ndjson':
    '{"a":{"at":"2024-03-01T00:00:00+02:00"},"n":1}\n{"a":{"at":"2024-03-02T00:00:00.123456789Z","b.c":[1,{"d":null}]}}\n',
  'epochs.ndjson':
    '{"ts":1709288430123456789,"_time":"2020-01-01T00:00:00Z"}\n{"ts":1709288430123456790}\n',
  'reserved names.ndjson': '{"_rowID":1,"_source":{"a":2},"_sysTime":"x","o":{"_cursor":3}}\n',
  'numbers.ndjson':
    '{"i":1,"f":1.0,"m":1,"e":1e3,"z":-0.5,"s":"1"}\n{"i":-9007199254740991,"f":0.1,"m":2.5,"e":5,"z":0}\n',
  'values of several types.ndjson': '{"a":1}\n{"a":"x"}\n{"a":true}\n{"a":[1,"x"]}\n{"a":null}\n',
  'NaN.ndjson': '{"a":NaN,"b":1}\n{"a":-Infinity,"b":2}\n',
  'deep.json': `[{"a":${'{"b":'.repeat(120)}1${'}'.repeat(120)},"c":1}]`,
  'mixed line ends.ndjson': '{"a":1}\r\n{"a":2},\r\n\r\n{"a":3}\r{"a":4}',
  'typed.csv':
    'id,zip,ok,ratio,note,day\n1,00501,true,.5,"a ""quoted"", one",2024-02-29\n,12345,FALSE,-1.,"line\nbreak",2024-03-01\n3,x,,NA,\\,\n',
  'no header.csv': '1;"a";2024-03-01 10:00\n2;"b";2024-03-02 11:00\n3;"c";2024-03-03 12:00\n',
  'pairs.log':
    'ts=2024-03-01T00:00:00Z level=info msg="x \\"y\\" é" n=1.5 ok=true id=007\nts=2024-03-02T00:00:00Z level=warn started in n=2\n',
  'lines.txt': 'a "quoted" line\twith a tab\n  spaces\u0001 and \\ backslashes\n',
};

async function* sources(): AsyncGenerator<FileSource> {
  for (const [name, text] of Object.entries(texts)) yield memorySource(name, text);
  for (const name of readdirSync(folder)) {
    if (/\.(?:csv|tsv|json)$/.test(name)) yield diskSource(join(folder, name));
  }
}

/** Returns rows for comparison in any order: without nulls, numbers as doubles, names sorted. */
function comparable(rows: readonly Readonly<Record<string, unknown>>[]): string[] {
  return rows
    .map((row) =>
      JSON.stringify(
        Object.entries(row)
          .filter(([name, value]) => value !== null && name !== '_sysTime')
          .sort(([a], [b]) => (a < b ? -1 : 1)),
      ),
    )
    .sort();
}

/** Removes trailing zeros from the fraction of a second. */
const shortTime = (time: string): string => time.replace(/(?:\.0+|(\.\d*[1-9])0+)Z$/, '$1Z');

function previewedRows({ fields, events }: Preview, hasTimes: boolean): Record<string, unknown>[] {
  return events.map(({ cells }) =>
    Object.fromEntries(
      fields.flatMap(({ name }, index) => {
        const cell = cells[index];
        if (cell === undefined || (name === '_time' && !hasTimes)) return [];
        const value = JSON.parse(cell) as unknown;
        return [[name, name === '_time' ? shortTime(value as string) : value]];
      }),
    ),
  );
}

describe('a preview', () => {
  it('shows the events as they are stored', async (context) => {
    let index = 0;
    for await (const source of sources()) {
      index += 1;
      await context.test(source.name, async () => {
        const preview = await previewFile(source, {}, undefined, signal);
        const reader = batchReader(source, preview.settings, { ...batchLimits, events: 100 });
        const dataset = await local.dataset(`file-${index}`);
        for await (const { body, query, headers } of reader.batches()) {
          const options = new URLSearchParams(query);
          const answer = await local.call('POST', `/v1/ingest/${dataset}?${options}`, body, {
            type: 'application/x-ndjson',
            headers,
          });
          assert.deepEqual([answer.status, answer.body.failed], [200, 0], answer.text);
          break;
        }
        const rows = await local.rows(`['${dataset}']`);
        const hasTimes = preview.time.withoutTime === 0;
        if (hasTimes) {
          for (const row of rows) row['_time'] = shortTime(String(row['_time']));
        } else for (const row of rows) delete row['_time'];
        assert.deepEqual(comparable(rows), comparable(previewedRows(preview, hasTimes)));

        const types = Object.fromEntries(
          preview.fields
            .filter(({ name, types: [type] }) => name !== '_time' && type !== 'unknown')
            .map(({ name, types }) => [
              name,
              types
                .filter((type) => type !== 'integer' || !types.includes('float'))
                .sort()
                .join('|'),
            ]),
        );
        const stored = Object.entries(await local.fields(dataset)).filter(
          ([name]) => name in types,
        );
        assert.deepEqual(
          Object.fromEntries(
            stored.map(([name, type]) => [name, type.split('|').sort().join('|')]),
          ),
          types,
        );
      });
    }
  });
});
