/** `aplomb format`: to standard output, in place, and as a check; files are never half-written. */
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

describe('formatting to standard output', () => {
  it('prints the text of one file and leaves the file alone', async () => {
    folder.files({ 'a.apl': untidy });
    const { status, out, err } = await folder.run(['format', 'a.apl']);
    assert.deepEqual({ status, out, err }, { status: 0, out: tidy, err: '' });
    assert.equal(content('a.apl'), untidy);
  });

  it('reads standard input', async () => {
    const { status, out } = await folder.run(['format', '-'], untidy);
    assert.deepEqual([status, out], [0, tidy]);
  });

  it('indents and breaks lines as it is told', async () => {
    const long = `logs | where ${Array.from({ length: 6 }, (_, i) => `column${i} == ${i}`).join(' and ')}`;
    const wide = await folder.run(['format', '-', '--width', '400'], long);
    const narrow = await folder.run(['format', '-', '--width=40', '--tab-size=3'], long);
    const tabs = await folder.run(['format', '-', '--width=40', '--tabs'], long);
    assert.equal(wide.out.trim().split('\n').length, 1);
    assert.match(narrow.out, /^ {3}\S/m);
    assert.match(tabs.out, /^\t+\S/m);
  });

  it('prints what is empty as it is', async () => {
    assert.equal((await folder.run(['format', '-'], '')).out, '');
  });

  it('keeps byte order marks and carriage returns', async () => {
    const { out } = await folder.run(['format', '-'], `\ufeff${untidy}\r\n`);
    assert.equal(out, `\ufeff${tidy.replaceAll('\n', '\r\n')}`);
  });
});

describe('formatting a query with syntax errors to standard output', () => {
  it('leaves the stages with errors as they are', async () => {
    const { status, out, err } = await folder.run(['format', '-'], `${untidy}\n\nlogs|wher (x`);
    assert.deepEqual([status, out], [0, `${tidy}\nlogs |wher (x\n`]);
    assert.match(err, /1 query has syntax errors\. Stages with errors are not formatted\.$/m);
  });
});

describe('formatting in place', () => {
  it('changes what is untidy, keeps its mode, and says so', async () => {
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

  it('writes through links and leaves them links', { skip: needs.links }, async () => {
    folder.files({ 'real/a.apl': untidy });
    symlinkSync(join('real', 'a.apl'), path('link.apl'));
    assert.equal((await folder.run(['format', '--write', 'link.apl'])).status, 0);
    assert.ok(lstatSync(path('link.apl')).isSymbolicLink());
    assert.equal(readlinkSync(path('link.apl')), join('real', 'a.apl'));
    assert.equal(content('real/a.apl'), tidy);
  });

  it('leaves a file with syntax errors unchanged and names it', async () => {
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

  it('keeps comments, and comments that silence where they stand', async () => {
    const source = '// aplomb-disable-file unknown-function -- old\n\nlogs|where coutn()// why\n';
    folder.files({ 'a.apl': source });
    await folder.run(['format', '--write', 'a.apl']);
    assert.equal((await folder.run(['check', 'a.apl'])).status, 0);
    assert.match(content('a.apl'), /\/\/ why/);
  });

  it('touches nothing that is no UTF-8 text', async () => {
    const bytes = Buffer.from("logs|where a=='é'", 'latin1');
    folder.files({ 'a.apl': bytes, 'b.apl': untidy });
    const { status } = await folder.run(['format', '--write', 'a.apl', 'b.apl']);
    assert.equal(status, 2);
    assert.ok(readFileSync(path('a.apl')).equals(bytes));
    assert.equal(content('b.apl'), tidy);
  });

  it('is refused for standard input and for what is no file', async () => {
    assert.equal((await folder.run(['format', '--write', '-'])).status, 2);
    const device = await folder.run(['format', '--write', devNull]);
    assert.equal(device.status, 2);
    assert.match(device.err, /is not a regular file/);
  });
});

describe('a file that is replaced', () => {
  it('is left alone when somebody else has changed it meanwhile', async () => {
    folder.files({ 'a.apl': untidy });
    const seen = readFileState(path('a.apl'));
    folder.files({ 'a.apl': 'logs // mine' });
    await assert.rejects(replaceContent('a.apl', seen, tidy), /another program has changed it/);
    assert.equal(content('a.apl'), 'logs // mine');
    assert.deepEqual(readdirSync(folder.path), ['a.apl']);
  });

  it('is whole, old or new, at every moment', async () => {
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

describe('checking the format', () => {
  it('ends with 1 and the names when files are untidy, and changes nothing', async () => {
    folder.files({ 'a.apl': untidy, 'b.apl': tidy });
    const { status, out } = await folder.run(['format', '--check', 'a.apl', 'b.apl']);
    assert.equal(status, 1);
    assert.equal(out, 'a.apl\n2 files checked: 1 not formatted.\n');
    assert.equal(content('a.apl'), untidy);
  });

  it('ends with 0 when all are tidy', async () => {
    folder.files({ 'a.apl': tidy });
    const { status, out } = await folder.run(['format', '--check', 'a.apl']);
    assert.deepEqual([status, out], [0, '1 file checked: 0 not formatted.\n']);
  });

  it('takes standard input', async () => {
    assert.equal((await folder.run(['format', '--check', '-'], untidy)).status, 1);
    assert.equal((await folder.run(['format', '--check', '-'], tidy)).status, 0);
  });
});

describe('formatting Markdown', () => {
  it('tidies the fenced blocks and nothing else', async () => {
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

  it('leaves a block alone whose lines stand left of its fence', async () => {
    const page = '1. x\n\n   ```apl\n logs|count\n   ```\n';
    folder.files({ 'page.md': page });
    assert.equal((await folder.run(['format', 'page.md'])).out, page);
  });
});

describe('a wrong command line', () => {
  const cases: readonly (readonly [readonly string[], RegExp])[] = [
    [['format'], /Specify files or folders/],
    [['format', '--check', '--write', 'a.apl'], /--check and --write cannot be combined/],
    [['format', 'a.apl', 'b.apl'], /Use --write or --check to format more than one file/],
    [['format', 'a.apl', '--width', '0'], /an integer of at least 1, but is '0'/],
    [['format', 'a.apl', '--tab-size', '2.5'], /an integer of at least 1, but is '2\.5'/],
    [['format', 'a.apl', '--schema', 'x'], /Unknown option '--schema'/],
  ];
  for (const [args, message] of cases) {
    it(`ends with 2 and a reason: aplomb ${args.join(' ')}`, async () => {
      folder.files({ 'a.apl': untidy, 'b.apl': untidy });
      const { status, out, err } = await folder.run(args);
      assert.deepEqual([status, out, content('a.apl')], [2, '', untidy]);
      assert.match(err, message);
    });
  }
});
