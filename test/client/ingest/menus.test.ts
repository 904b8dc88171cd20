// The files that offer Ingest Files… in the explorer and in tabs, by the conditions of the manifest.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { root } from '../../house/sources.ts';

const { contributes } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  contributes: { menus: Record<string, { command: string; when: string }[]> };
};

/** Returns the regular expression of file names in the condition of a menu item. */
function namesOf(menu: string): RegExp {
  const item = contributes.menus[menu]?.find(({ command }) => command === 'aplomb.ingestFiles');
  const [, source = '', flags = ''] =
    /resourceFilename =~ \/(.+)\/(i?)/.exec(item?.when ?? '') ?? [];
  assert.notEqual(source, '', item?.when);
  return new RegExp(source, flags);
}

describe('the command Ingest Files…', () => {
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
      it(`is ${offered ? 'offered' : 'not offered'} in the menu ${menu} of ${name}`, () =>
        assert.equal(names.test(name), offered));
    }
  }
});
