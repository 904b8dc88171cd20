/** Tests the problems, output and exit codes of `aplomb check`. */
import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { needs } from '../platform.ts';
import { Folder } from './run.ts';

const good = "['logs']\n| where status == 200\n| summarize count()\n";
const misspelt = "['logs']\n| summarize coutn()\n";
/** Causes one warning and no errors. */
const doubtful = "['logs']\n| sample 100\n| count\n";

let folder: Folder;
beforeEach(() => {
  folder = new Folder();
});
afterEach(() => folder.remove());

describe('aplomb check', () => {
  it('exits with 0 and prints a summary if there are no problems', async () => {
    folder.files({ 'a.apl': good });
    const { status, out, err } = await folder.run(['check', 'a.apl']);
    assert.deepEqual(
      { status, out, err },
      { status: 0, out: '1 file checked: no problems.\n', err: '' },
    );
  });

  it("expands glob patterns that the shell didn't expand", async () => {
    folder.files({ 'a.apl': good, '.hidden.apl': misspelt, 'sub/c1.apl': good });
    folder.files({ 'sub/c22.apl': misspelt, 'notes.txt': '' });
    const { status, out } = await folder.run(['check', '*.apl', 's*/c?.apl']);
    assert.deepEqual([status, out], [0, '2 files checked: no problems.\n']);
  });

  it('reports a pattern without matches and checks the other files', async () => {
    folder.files({ 'a.apl': good });
    const { status, out, err } = await folder.run(['check', '*.kql', 'a.apl']);
    assert.deepEqual([status, out], [2, '1 file checked: no problems.\n']);
    assert.match(err, /No file matches \*\.kql\./);
  });

  it('accepts a file whose name is a glob pattern', { skip: needs.patternNames }, async () => {
    folder.files({ 'a*.apl': good, 'ab.apl': misspelt });
    const { status } = await folder.run(['check', 'a*.apl']);
    assert.equal(status, 0);
  });

  it('exits with 1 and prints a line per problem if there is an error', async () => {
    folder.files({ 'a.apl': good, 'b.apl': misspelt });
    const { status, out } = await folder.run(['check', 'a.apl', 'b.apl']);
    assert.equal(status, 1);
    assert.equal(
      out,
      "b.apl:2:13: error Unknown function 'coutn'. Did you mean 'count()'? (unknown-function)\n\n2 files checked: 1 error.\n",
    );
  });

  it('exits with 0 on warnings unless --max-warnings is exceeded', async () => {
    folder.files({ 'a.apl': doubtful });
    const { status, out } = await folder.run(['check', 'a.apl']);
    assert.equal(status, 0);
    assert.match(out, /^a\.apl:2:10: warning /);
    assert.equal((await folder.run(['check', 'a.apl', '--max-warnings', '1'])).status, 0);
    const none = await folder.run(['check', 'a.apl', '--max-warnings=0']);
    assert.equal(none.status, 1);
    assert.match(none.err, /1 warning found, but --max-warnings allows 0/);
  });

  it("doesn't report problems suppressed by an option or a comment", async () => {
    folder.files({
      'a.apl': "['logs']\n| where coutn() | where tolowr(a) == 'b'\n",
      'b.apl': "// aplomb-disable-file unknown-function\n['logs'] | where coutn()\n",
      'c.apl': "['logs']\n// aplomb-disable-next-line unknown-function\n| where coutn()\n",
    });
    assert.equal((await folder.run(['check', 'a.apl', '--disable', 'unknown-function'])).status, 0);
    assert.equal((await folder.run(['check', 'b.apl', 'c.apl'])).status, 0);
    const several = await folder.run(['check', 'a.apl', '--disable=never-equal,unknown-function']);
    assert.equal(several.status, 0);
    const wrong = await folder.run(['check', 'a.apl', '--disable', 'unknown-functio']);
    assert.equal(wrong.status, 2);
    assert.match(wrong.err, /Did you mean 'unknown-function'\?/);
  });

  it('finds the .apl files in folders, in order and without duplicates', async () => {
    folder.files({
      'q/b.apl': misspelt,
      'q/deep/a.APL': misspelt,
      'q/notes.txt': '|||',
      'q/.hidden/c.apl': misspelt,
      'q/node_modules/d.apl': misspelt,
    });
    const { out } = await folder.run(['check', 'q', 'q/b.apl', './q']);
    assert.deepEqual(
      out.match(/^\S+(?=:2:13)/gm),
      ['q/b.apl', 'q/deep/a.APL'].map((path) => join(path)),
    );
  });

  it('lists files in natural order, even if the shell sorted them differently', async () => {
    folder.files({ 'n/q10.apl': misspelt, 'n/q2.apl': misspelt, 'n/q1.apl': misspelt });
    for (const files of [['n'], ['n/q1.apl', 'n/q10.apl', 'n/q2.apl']]) {
      const { out } = await folder.run(['check', ...files]);
      assert.deepEqual(out.match(/q\d+(?=\.apl:2:13)/gm), ['q1', 'q2', 'q10']);
    }
  });

  it('follows symbolic links to files but not to folders', { skip: needs.links }, async () => {
    folder.files({ 'q/a.apl': good });
    symlinkSync('a.apl', join(folder.path, 'q/link.apl'));
    symlinkSync('.', join(folder.path, 'q/again'));
    const { status, out } = await folder.run(['check', 'q']);
    assert.equal(status, 0);
    assert.match(out, /^2 files checked/);
  });

  it('reads standard input', async () => {
    const { status, out } = await folder.run(['check', '-'], misspelt);
    assert.equal(status, 1);
    assert.match(out, /^<stdin>:2:13: error /);
  });

  it('accepts file names that start with a hyphen after --', async () => {
    folder.files({ '--help.apl': misspelt });
    const { status, out } = await folder.run(['check', '--', '--help.apl']);
    assert.equal(status, 1);
    assert.match(out, /^--help\.apl:2:13/);
  });
});

describe('aplomb check on Markdown', () => {
  const page = [
    '# Page',
    '```apl',
    "['logs']",
    '| summarize coutn()',
    '```',
    '```js',
    'coutn()',
    '```',
    '- item',
    '  ~~~~ Kusto title="x"',
    "  ['logs'] | where tolowr(a)",
    '  ~~~',
    '  | count',
    '  ~~~~',
    '```apl `not a fence`',
    '``` {.apl}',
    '| wher',
  ].join('\n');

  it('checks fenced blocks and reports line numbers of the Markdown file', async () => {
    folder.files({ 'page.md': page });
    const { status, out } = await folder.run(['check', 'page.md']);
    assert.equal(status, 1);
    assert.deepEqual(
      [...out.matchAll(/^page\.md:(\d+:\d+): \w+ .*\(([\w-]+)\)$/gm)]
        .map((m) => `${m[1]} ${m[2]}`)
        .slice(0, 2),
      ['4:13 unknown-function', '11:20 unknown-function'],
    );
    assert.match(out, /^page\.md:17:/m);
    assert.doesNotMatch(out, /^page\.md:7:/m);
  });

  it("doesn't report problems in a file without APL blocks", async () => {
    folder.files({ 'page.md': '# Nothing\n\n    indented | | code\n' });
    assert.equal((await folder.run(['check', 'page.md'])).status, 0);
  });

  it('skips Markdown files when given a folder', async () => {
    folder.files({ 'q/page.md': page, 'q/a.apl': good });
    const { out } = await folder.run(['check', 'q']);
    assert.match(out, /^1 file checked: no problems/);
  });
});

describe('aplomb check on unusual files', () => {
  it("doesn't report problems in empty files and files with only comments", async () => {
    folder.files({ 'a.apl': '', 'b.apl': '// nothing\n', 'c.apl': ' \n\t\r\n' });
    const { status, out } = await folder.run(['check', 'a.apl', 'b.apl', 'c.apl']);
    assert.equal(status, 0);
    assert.match(out, /^3 files checked: no problems/);
  });

  it('reports correct columns despite a byte order mark and carriage returns', async () => {
    folder.files({ 'a.apl': "\ufeff['logs'] | where tolowr(a)\r\n| summarize coutn()\r\n" });
    const { out } = await folder.run(['check', 'a.apl']);
    assert.match(out, /^a\.apl:1:18: /);
    assert.match(out, /^a\.apl:2:13: /m);
  });

  it('counts columns in UTF-16 code units', async () => {
    folder.files({ 'a.apl': "print '💥é' | where tolowr(a)\n" });
    assert.match(
      (await folder.run(['check', 'a.apl'])).out,
      /^a\.apl:1:21: error Unknown function/,
    );
  });

  it("rejects files that aren't valid UTF-8 and names the line", async () => {
    folder.files({
      'latin.apl': Buffer.from("['logs']\n| where a == 'é'\n", 'latin1'),
      'wide.apl': Buffer.from("\ufeff['logs']\n", 'utf16le'),
    });
    const { status, err } = await folder.run(['check', 'latin.apl', 'wide.apl']);
    assert.equal(status, 2);
    assert.match(err, /^aplomb: Cannot read latin\.apl: line 2 is not valid UTF-8\.$/m);
    assert.match(err, /^aplomb: Cannot read wide\.apl: line 1 is not valid UTF-8\.$/m);
  });

  it('checks the other files if a file is missing', async () => {
    folder.files({ 'b.apl': misspelt });
    const { status, out, err } = await folder.run(['check', 'none.apl', 'b.apl']);
    assert.equal(status, 2);
    assert.match(out, /^b\.apl:2:13: error/);
    assert.equal(err, 'aplomb: Cannot read none.apl: file not found.\n');
  });

  it('rejects a symbolic link to itself', { skip: needs.links }, async () => {
    symlinkSync('a.apl', join(folder.path, 'a.apl'));
    const { status, err } = await folder.run(['check', 'a.apl']);
    assert.equal(status, 2);
    assert.equal(err, 'aplomb: Cannot read a.apl: its symbolic links are circular.\n');
  });

  it('rejects input larger than 16 MB', async () => {
    const { status, err } = await folder.run(['check', '-'], Buffer.alloc(17 * 1024 * 1024, 32));
    assert.equal(status, 2);
    assert.match(err, /Cannot read <stdin>: it is larger than 16 MB/);
  });

  it('prints no control characters from a file', async () => {
    folder.files({ 'a.apl': "['logs'] | where \u001b[31m\u202e('x')\n" });
    const { status, out } = await folder.run(['check', 'a.apl']);
    assert.equal(status, 1);
    assert.doesNotMatch(out.replaceAll('\n', ''), /\p{Cc}|\u202e/u);
  });

  it('reports all 5,000 errors of a file', async () => {
    const many = 'logs | summarize coutn()\n\n'.repeat(5_000);
    folder.files({ 'a.apl': many });
    const { status, out } = await folder.run(['check', 'a.apl']);
    assert.equal(status, 1);
    assert.equal(out.match(/unknown-function/g)?.length, 5_000);
    assert.match(out, /1 file checked: 5000 errors\.\n$/);
  });
});

describe('aplomb check on a folder without queries', () => {
  it('reports that no .apl files were found', async () => {
    folder.files({ 'empty/readme.txt': '' });
    const { status, err } = await folder.run(['check', 'empty']);
    assert.equal(status, 2);
    assert.equal(err, 'aplomb: No .apl files found in empty.\n');
  });
});

describe('colors', () => {
  it("are suppressed if the output isn't a terminal", async () => {
    folder.files({ 'b.apl': misspelt });
    const { out } = await folder.run(['check', 'b.apl'], '', { FORCE_COLOR: '1' });
    assert.ok(!out.includes('\u001b'));
  });
});

describe('an invalid command line', () => {
  const cases: readonly (readonly [readonly string[], RegExp])[] = [
    [[], /Specify a command/],
    [['chek', 'a.apl'], /Unknown command 'chek'\. Did you mean 'check'\?/],
    [['constructor'], /Unknown command 'constructor'/],
    [['check'], /Specify files or folders/],
    [
      ['check', 'a.apl', '--format', 'xml'],
      /--format must be one of text, json, sarif, but is 'xml'/,
    ],
    [['check', 'a.apl', '--max-warnings', '-1'], /max-warnings/],
    [['check', 'a.apl', '--max-warnings', 'many'], /an integer of at least 0, but is 'many'/],
    [['check', 'a.apl', '--schema'], /schema/],
    [['check', 'a.apl', '--unheard-of'], /Unknown option '--unheard-of'/],
    [['explain', 'a', 'b'], /There is more than CODE: 'b'/],
    [['explain', 'unknown-colum'], /Did you mean 'unknown-column'\?/],
  ];
  for (const [args, message] of cases) {
    it(`makes the command exit with 2 and print a reason: aplomb ${args.join(' ')}`, async () => {
      folder.files({ 'a.apl': good });
      const { status, out, err } = await folder.run(args);
      assert.equal(status, 2);
      assert.equal(out, '');
      assert.match(err, message);
      const isCommand = ['check', 'explain'].includes(args[0] ?? '');
      const command = isCommand ? `${args[0]} ` : '';
      assert.ok(err.endsWith(`Run aplomb ${command}--help for usage.\n`), err);
    });
  }
});

describe('help', () => {
  it('is printed for aplomb and for each command', async () => {
    for (const args of [
      ['--help'],
      ['-h'],
      ['check', '--help'],
      ['format', '-h'],
      ['explain', '--help'],
      ['ingest', '--help'],
    ]) {
      const { status, out, err } = await folder.run(args);
      assert.deepEqual({ status, err }, { status: 0, err: '' });
      assert.match(out, /^Usage: aplomb|Usage:\n/m);
      assert.ok(out.split('\n').every((line) => line.length <= 105));
    }
  });

  it("prints the package's version for --version", async () => {
    assert.match((await folder.run(['--version'])).out, /^\d+\.\d+\.\d+\n$/);
  });

  it('explains one problem code or lists all codes', async () => {
    const { status, out } = await folder.run(['explain', 'unknown-column']);
    assert.equal(status, 0);
    assert.match(out, /^# /);
    const all = await folder.run(['explain']);
    assert.match(all.out, /^unknown-column +error +Unknown column '<name>'\.$/m);
  });
});
