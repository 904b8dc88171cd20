/**
 * Tests `aplomb format` to standard output, in place and as a check. Files are never half-written.
 */
import assert from 'node:assert/strict';
import {
  chmodSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { readFileState, replaceContent } from '../../cli/src/write.ts';
import { assertMode, needs } from '../platform.ts';
import { Folder } from './run.ts';

const untidy = "['logs']|where status==200|summarize count() by method";
const tidy = "['logs']\n| where status == 200\n| summarize count() by method\n";

let folder: Folder;
beforeEach(() => {
  folder = new Folder();
});
afterEach(() => folder.remove());

const path = (name: string) => join(folder.path, name);
const content = (name: string) => readFileSync(path(name), 'utf8');

describe('aplomb format to standard output', () => {
  it('prints the formatted file and leaves the file unchanged', async () => {
    folder.files({ 'a.apl': untidy });
    const { status, out, err } = await folder.run(['format', 'a.apl']);
    assert.deepEqual({ status, out, err }, { status: 0, out: tidy, err: '' });
    assert.equal(content('a.apl'), untidy);
  });

  it('reads standard input', async () => {
    const { status, out } = await folder.run(['format', '-'], untidy);
    assert.deepEqual([status, out], [0, tidy]);
  });

  it('applies --width, --tab-size and --tabs', async () => {
    const long = `logs | where ${Array.from({ length: 6 }, (_, i) => `column${i} == ${i}`).join(' and ')}`;
    const wide = await folder.run(['format', '-', '--width', '400'], long);
    const narrow = await folder.run(['format', '-', '--width=40', '--tab-size=3'], long);
    const tabs = await folder.run(['format', '-', '--width=40', '--tabs'], long);
    assert.equal(wide.out.trim().split('\n').length, 1);
    assert.match(narrow.out, /^ {3}\S/m);
    assert.match(tabs.out, /^\t+\S/m);
  });

  it('prints nothing for empty input', async () => {
    assert.equal((await folder.run(['format', '-'], '')).out, '');
  });

  it('keeps a byte order mark and carriage returns', async () => {
    const { out } = await folder.run(['format', '-'], `\ufeff${untidy}\r\n`);
    assert.equal(out, `\ufeff${tidy.replaceAll('\n', '\r\n')}`);
  });
});

describe('aplomb format on a query with syntax errors, to standard output', () => {
  it('keeps stages with errors unchanged', async () => {
    const { status, out, err } = await folder.run(['format', '-'], `${untidy}\n\nlogs|wher (x`);
    assert.deepEqual([status, out], [0, `${tidy}\nlogs |wher (x\n`]);
    assert.match(err, /1 query has syntax errors\. Stages with errors are not formatted\.$/m);
  });
});

describe('aplomb format --write', () => {
  it('rewrites and lists unformatted files, keeps their mode, and leaves formatted files untouched', async () => {
    folder.files({ 'q/a.apl': untidy, 'q/b.apl': tidy });
    chmodSync(path('q/a.apl'), 0o640);
    const long = new Date('2020-01-01');
    utimesSync(path('q/b.apl'), long, long);
    const { status, out } = await folder.run(['format', '--write', 'q']);
    assert.equal(status, 0);
    assert.equal(out, `${join('q', 'a.apl')}\n2 files checked: 1 formatted.\n`);
    assert.equal(content('q/a.apl'), tidy);
    assertMode(path('q/a.apl'), 0o640);
    assert.equal(statSync(path('q/b.apl')).mtimeMs, long.getTime());
    assert.deepEqual(readdirSync(path('q')).sort(), ['a.apl', 'b.apl']);
  });

  it('writes through symbolic links and keeps the links', { skip: needs.links }, async () => {
    folder.files({ 'real/a.apl': untidy });
    symlinkSync(join('real', 'a.apl'), path('link.apl'));
    assert.equal((await folder.run(['format', '--write', 'link.apl'])).status, 0);
    assert.ok(lstatSync(path('link.apl')).isSymbolicLink());
    assert.equal(readlinkSync(path('link.apl')), join('real', 'a.apl'));
    assert.equal(content('real/a.apl'), tidy);
  });

  it('leaves a file with syntax errors unchanged and reports it', async () => {
    const broken = "['logs']|where status==200|wher (x|summarize  count()";
    folder.files({ 'a.apl': broken });
    for (const option of ['--write', '--check']) {
      const { status, out, err } = await folder.run(['format', option, 'a.apl']);
      assert.equal(status, 0);
      assert.match(out, /^1 file checked: 0 /);
      const message = 'a.apl: 1 query has syntax errors. The file is not formatted.';
      assert.equal(err, `aplomb: ${message}\n`);
      assert.equal(content('a.apl'), broken);
    }
  });

  it('keeps comments, including the effect of suppression comments', async () => {
    const source = '// aplomb-disable-file unknown-function -- old\n\nlogs|where coutn()// why\n';
    folder.files({ 'a.apl': source });
    await folder.run(['format', '--write', 'a.apl']);
    assert.equal((await folder.run(['check', 'a.apl'])).status, 0);
    assert.match(content('a.apl'), /\/\/ why/);
  });

  it("leaves files that aren't valid UTF-8 unchanged", async () => {
    const bytes = Buffer.from("logs|where a=='é'", 'latin1');
    folder.files({ 'a.apl': bytes, 'b.apl': untidy });
    const { status } = await folder.run(['format', '--write', 'a.apl', 'b.apl']);
    assert.equal(status, 2);
    assert.ok(readFileSync(path('a.apl')).equals(bytes));
    assert.equal(content('b.apl'), tidy);
  });

  it('is rejected for standard input and for a device', async () => {
    assert.equal((await folder.run(['format', '--write', '-'])).status, 2);
    const device = await folder.run(['format', '--write', devNull]);
    assert.equal(device.status, 2);
    assert.match(device.err, /is not a regular file/);
  });
});

describe('a file rewritten by aplomb format', () => {
  it("keeps another program's concurrent change", async () => {
    folder.files({ 'a.apl': untidy });
    const seen = readFileState(path('a.apl'));
    folder.files({ 'a.apl': 'logs // mine' });
    await assert.rejects(replaceContent('a.apl', seen, tidy), /another program has changed it/);
    assert.equal(content('a.apl'), 'logs // mine');
    assert.deepEqual(readdirSync(folder.path), ['a.apl']);
  });

  it('always has either its old or its new content', async () => {
    const big = Array.from({ length: 20_000 }, (_, i) => `logs|where a==${i}\n\n`).join('');
    folder.files({ 'a.apl': big });
    const running = folder.run(['format', '--write', 'a.apl']);
    let done = false;
    const outcome = running.finally(() => {
      done = true;
    });
    const sizes = new Set<number>();
    while (!done) {
      sizes.add(statSync(path('a.apl')).size);
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.equal((await outcome).status, 0);
    sizes.delete(big.length);
    sizes.delete(statSync(path('a.apl')).size);
    assert.deepEqual([...sizes], []);
  });
});

describe('aplomb format --check', () => {
  it('exits with 1, lists unformatted files and changes nothing', async () => {
    folder.files({ 'a.apl': untidy, 'b.apl': tidy });
    const { status, out } = await folder.run(['format', '--check', 'a.apl', 'b.apl']);
    assert.equal(status, 1);
    assert.equal(out, 'a.apl\n2 files checked: 1 not formatted.\n');
    assert.equal(content('a.apl'), untidy);
  });

  it('exits with 0 if all files are formatted', async () => {
    folder.files({ 'a.apl': tidy });
    const { status, out } = await folder.run(['format', '--check', 'a.apl']);
    assert.deepEqual([status, out], [0, '1 file checked: 0 not formatted.\n']);
  });

  it('accepts standard input', async () => {
    assert.equal((await folder.run(['format', '--check', '-'], untidy)).status, 1);
    assert.equal((await folder.run(['format', '--check', '-'], tidy)).status, 0);
  });
});

describe('aplomb format on Markdown', () => {
  it('formats only the fenced APL blocks', async () => {
    const page = `# A|b\n\n\`\`\`apl\n${untidy}\n\`\`\`\n\n- x|y\n\n  \`\`\`kusto\n  logs|count\n\n  logs|take 5\n  \`\`\`\n\n\`\`\`js\na|b\n\`\`\`\n`;
    folder.files({ 'page.md': page });
    assert.equal((await folder.run(['format', '--write', 'page.md'])).status, 0);
    const wanted = page
      .replace(`${untidy}\n`, tidy)
      .replace('  logs|count\n', '  logs | count\n')
      .replace('  logs|take 5\n', '  logs | take 5\n');
    assert.equal(content('page.md'), wanted);
    assert.equal((await folder.run(['format', '--check', 'page.md'])).status, 0);
  });

  it('leaves a block unchanged if its lines are indented less than its fence', async () => {
    const page = '1. x\n\n   ```apl\n logs|count\n   ```\n';
    folder.files({ 'page.md': page });
    assert.equal((await folder.run(['format', 'page.md'])).out, page);
  });
});

describe('an invalid command line', () => {
  const cases: readonly (readonly [readonly string[], RegExp])[] = [
    [['format'], /Specify files or folders/],
    [['format', '--check', '--write', 'a.apl'], /--check and --write cannot be combined/],
    [['format', 'a.apl', 'b.apl'], /Use --write or --check to format more than one file/],
    [['format', 'a.apl', '--width', '0'], /an integer of at least 1, but is '0'/],
    [['format', 'a.apl', '--tab-size', '2.5'], /an integer of at least 1, but is '2\.5'/],
    [['format', 'a.apl', '--schema', 'x'], /Unknown option '--schema'/],
  ];
  for (const [args, message] of cases) {
    it(`makes the command exit with 2 and print a reason: aplomb ${args.join(' ')}`, async () => {
      folder.files({ 'a.apl': untidy, 'b.apl': untidy });
      const { status, out, err } = await folder.run(args);
      assert.deepEqual([status, out, content('a.apl')], [2, '', untidy]);
      assert.match(err, message);
    });
  }
});
