/**
 * A foreign repository with links to files of this machine: `aplomb format` does not write through them, `aplomb check`
 * does not print what they contain, and a file that is not APL is never formatted.
 */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { Folder } from '../cli/run.ts';
import { needs } from '../platform.ts';

/** A git configuration. The formatter used to join its lines. */
const configuration = '[core]\n\trepositoryformatversion = 0\n\tbare = false\n';
const untidy = "['logs']|take 5";
const tidy = "['logs'] | take 5\n";

let folder: Folder;
beforeEach(() => {
  folder = new Folder();
  folder.files({ 'home/config': configuration, 'home/query.apl': untidy, 'repo/q/a.apl': untidy });
});
afterEach(() => folder.remove());

const path = (name: string) => join(folder.path, name);
const content = (name: string) => readFileSync(path(name), 'utf8');

/** Links `repo/NAME` to a file in `home`, as a clone of a repository creates it. */
function link(name: string, target: string): void {
  symlinkSync(join('..', '..', 'home', target), path(`repo/${name}`));
}

function unchanged(): void {
  assert.equal(content('home/config'), configuration);
  assert.equal(content('home/query.apl'), untidy);
}

describe('a searched folder with links that lead out of it', { skip: needs.links }, () => {
  beforeEach(() => {
    link('q/config.apl', 'config');
    link('q/query.apl', 'query.apl');
  });

  it('is formatted, but the link targets are not', async () => {
    const { status, out, err } = await folder.run(['format', '--write', 'repo']);
    assert.equal(status, 0);
    assert.match(out, /1 file checked: 1 formatted\.\n$/);
    const note = (name: string) =>
      `Ignored ${join('repo', 'q', name)}: it is a link to a file outside repo.`;
    assert.deepEqual(err.trim().split('\n').sort(), [note('config.apl'), note('query.apl')]);
    assert.equal(content('repo/q/a.apl'), tidy);
    unchanged();
  });

  for (const format of ['text', 'json', 'sarif']) {
    it(`is checked without printing the link targets, as ${format}`, async () => {
      const { out, err } = await folder.run(['check', 'repo', '--format', format]);
      assert.doesNotMatch(`${out}${err}`, /repositoryformatversion/);
    });
  }

  it('is formatted including link targets inside it', async () => {
    mkdirSync(path('inside/deep'), { recursive: true });
    writeFileSync(path('inside/real.apl'), untidy);
    symlinkSync(join('..', 'real.apl'), path('inside/deep/link.apl'));
    const { out } = await folder.run(['format', '--check', 'inside']);
    assert.match(out, /2 files checked: 2 not formatted/);
  });
});

describe('operands that the shell expanded from a pattern', { skip: needs.links }, () => {
  for (const command of [['format', '--write'], ['format', '--check'], ['format'], ['check']]) {
    it(`are refused by aplomb ${command.join(' ')} if they are links out of their folder`, async () => {
      link('q/config.apl', 'config');
      link('q/query.apl', 'query.apl');
      for (const name of ['config', 'query']) {
        const operand = join('repo', 'q', `${name}.apl`);
        const { status, out, err } = await folder.run([...command, operand]);
        assert.equal(status, 2);
        assert.match(
          err,
          /: it is a link that leads out of its folder\. Specify the file itself\./,
        );
        assert.doesNotMatch(`${out}${err}`, /repositoryformatversion|logs/);
      }
      unchanged();
    });
  }

  it('are refused if they go through a linked folder', async () => {
    symlinkSync(path('home'), path('repo/linked'));
    for (const operand of ['repo/linked/query.apl', 'repo/linked']) {
      const { status, err } = await folder.run(['format', '--write', join(...operand.split('/'))]);
      assert.equal(status, 2);
      assert.match(err, /linked(?: is|: it is) a link that leads out of its folder/);
    }
    unchanged();
  });

  it('are refused as a schema, because an error would quote their text', async () => {
    link('q/schema.json', 'config');
    const schema = join('repo', 'q', 'schema.json');
    const { status, err } = await folder.run(['check', 'repo', '--schema', schema]);
    assert.equal(status, 2);
    assert.doesNotMatch(err, /core/);
    assert.match(err, /is a link that leads out of its folder/);
  });
});

describe('a file that is not APL', () => {
  it('is never written, even if it is named explicitly', async () => {
    const { status, err } = await folder.run(['format', '--write', join('home', 'config')]);
    assert.equal(status, 0);
    assert.match(err, /syntax errors\. The file is not formatted\.\n$/);
    unchanged();
  });
});
