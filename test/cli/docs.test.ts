/** Compares docs/cli.md and the npm package with the command. */
import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { help as own } from '../../cli/src/help.ts';
import { help as local } from '../../local/src/commands/help.ts';
import { Folder } from './run.ts';

const help = { ...own, ...local };
const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/cli.md'), 'utf8');
const [report, schema] = [...page.matchAll(/^```json\n(.*?)^```$/gms)].map(
  (match) => match[1] as string,
);

let folder: Folder;
before(() => {
  folder = new Folder();
});
after(() => folder.remove());

describe('docs/cli.md', () => {
  it('lists exactly the options that the help lists', () => {
    const names = [
      'check',
      'format',
      'ingest',
      'pull',
      'push',
      'mcp',
      'serve',
      'rotate-tokens',
      'backup',
      'restore',
      'export',
    ] as const;
    for (const name of names) {
      const start = page.indexOf(`## aplomb ${name}`);
      const section = page.slice(start, page.indexOf('\n## ', start + 1));
      const options = (text: string) => [...new Set(text.match(/--[a-z][a-z-]+/g))].sort();
      assert.deepEqual(options(section), options(help[name]));
    }
  });

  it('shows the JSON report that the command prints', async () => {
    folder.files({ 'queries/errors.apl': "['logs']\n| summarize coutn()\n" });
    const { out } = await folder.run(['check', '--format=json', 'queries']);
    assert.deepEqual(JSON.parse(out), JSON.parse(report as string));
  });

  it('shows a schema that the command accepts', async () => {
    folder.files({
      'schema.json': schema as string,
      'a.apl': "['http-logs'] | where duratoin > 1\n\narchive | where x > 1\n\nother | count\n",
    });
    const { out, err } = await folder.run(['check', 'a.apl', '--schema=schema.json']);
    assert.equal(err, '');
    assert.deepEqual(
      [...out.matchAll(/error .*\(([\w-]+)\)$/gm)].map((match) => match[1]),
      ['unknown-column', 'unknown-dataset'],
    );
  });
});

describe('the npm package', () => {
  it('contains the executable command at its `bin` path', () => {
    const { bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    assert.equal(readFileSync(join(root, bin), 'utf8').split('\n')[0], '#!/usr/bin/env node');
    if (process.platform !== 'win32') assert.ok(statSync(join(root, bin)).mode & 0o100);
  });
});
