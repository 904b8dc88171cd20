// The queries in the files of a folder, with their lines.
import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { workspaceQueries } from '../../cli/src/mcp/workspaceQueries.ts';
import { Folder } from '../cli/run.ts';
import { needs } from '../platform.ts';
import { neverAborted } from './fakeContext.ts';

it('a file of many queries is read in time proportional to its length', async () => {
  const folder = new Folder();
  folder.files({ 'many.apl': 'logs | take 5\n\n'.repeat(60_000) });
  const started = Date.now();
  const queries = await workspaceQueries(folder.path, neverAborted);
  const elapsed = Date.now() - started;
  folder.remove();
  assert.equal(queries.length, 60_000);
  assert.equal(queries.at(-1)?.name, 'many.apl:119999');
  assert.ok(elapsed < 5_000, `${elapsed} ms`);
});

it('links out of the folder and hidden folders are left out', { skip: needs.links }, async () => {
  const [folder, outside] = [new Folder(), new Folder()];
  outside.files({ 'secret.apl': 'secret | take 5' });
  folder.files({
    'note.md': '# Note\n\n```apl\nlogs | count\n```\n',
    '.git/hidden.apl': 'hidden | count',
    'node_modules/p/module.apl': 'module | count',
  });
  symlinkSync(join(outside.path, 'secret.apl'), join(folder.path, 'link.apl'));
  symlinkSync(outside.path, join(folder.path, 'linked'));
  const queries = await workspaceQueries(folder.path, neverAborted);
  folder.remove();
  outside.remove();
  assert.deepEqual(
    queries.map(({ name, apl }) => [name, apl.trim()]),
    [['note.md:4', 'logs | count']],
  );
});
