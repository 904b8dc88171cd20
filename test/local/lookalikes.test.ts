// Strings that DuckDB would read as other JSON values are recognized by their sort order.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  gapsOf,
  isInGaps,
  isLookalike,
  mergeGaps,
} from '../../local/src/store/ingest/lookalikes.ts';
import { Deployment } from './deployment.ts';

describe('strings that look like values of other types', () => {
  let local: Deployment;
  before(async () => {
    local = await Deployment.open();
  });
  after(() => local.close());

  const lookalikes = [
    '-',
    '-1',
    '-Infinity',
    '-z',
    '0',
    '1.5e3',
    '9~',
    'Infinity',
    'NaN',
    '[',
    '[]',
    '[~',
    'false',
    'true',
    '{',
    '{}',
    '{~',
  ];
  const texts = [
    '',
    ' ',
    '#',
    ',~',
    '.',
    '/api',
    ':',
    'GET',
    'I',
    'Infinitx',
    'Infinity ',
    'M',
    'NaM',
    'NaO',
    'Z',
    '\\',
    'a',
    'falsd',
    'falsea',
    'g',
    'm',
    'trud',
    'trueish',
    'z',
    '|',
    '~',
    'é',
    '日本',
    '😀',
    '\u0000',
  ];

  it('are recognized by their position in the sort order', async () => {
    const rows = (sql: string) => local.store.engine.use((session) => session.rows<boolean[]>(sql));
    const quoted = (text: string) =>
      text === '\u0000' ? 'chr(0)' : `'${text.replaceAll("'", "''")}'`;
    const one = async (conditions: readonly string[]) =>
      (await rows(`SELECT ${conditions.join(', ')}`))[0]!;
    assert.deepEqual(
      await one([...lookalikes, ...texts].map((text) => isLookalike(quoted(text)))),
      [...lookalikes.map(() => true), ...texts.map(() => false)],
    );
    for (const least of texts) {
      const most = texts.filter(
        (text) => Buffer.compare(Buffer.from(text), Buffer.from(least)) >= 0,
      );
      for (const greatest of most) {
        const gaps = gapsOf(least, greatest);
        assert.deepEqual(mergeGaps(gapsOf(least, least), gapsOf(greatest, greatest)), gaps);
        const between = most.filter(
          (text) => Buffer.compare(Buffer.from(text), Buffer.from(greatest)) <= 0,
        );
        const found = await one(
          [...lookalikes, ...between].map((text) => isInGaps(quoted(text), gaps)),
        );
        assert.deepEqual(found, [...lookalikes.map(() => false), ...between.map(() => true)]);
      }
    }
    assert.deepEqual(await one([isInGaps('NULL', gapsOf('', '~'))]), [null]);
  });
});
