// Which files of the explorer and of tabs offer to be ingested, by the conditions of the manifest.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { root } from '../../house/sources.ts';

const { contributes } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  contributes: { menus: Record<string, { command: string; when: string }[]> };
};

/** The expression that a menu matches against the name of a file. */
function namesOf(menu: string): RegExp {
  const item = contributes.menus[menu]?.find(({ command }) => command === 'aplomb.ingestFiles');
  const [, source = '', flags = ''] =
    /resourceFilename =~ \/(.+)\/(i?)/.exec(item?.when ?? '') ?? [];
  assert.notEqual(source, '', item?.when);
  return new RegExp(source, flags);
}

describe('Ingest Files… is in the menu', () => {
  for (const menu of ['explorer/context', 'editor/title/context']) {
    const names = namesOf(menu);
    for (const [name, offered] of [
      ['orders.csv', true],
      ['ORDERS.CSV', true],
      ['access.log.1', true],
      ['access.log-20261123', true],
      ['access.log.2.gz', true],
      ['events.ndjson.zst', true],
      ['main.ts', false],
      ['csv', false],
      ['report.csv.bak', false],
      ['logo.png', false],
    ] as const) {
      it(`${menu} of ${name}: ${offered}`, () => assert.equal(names.test(name), offered));
    }
  }
});
