// Starting the process of the local deployment: its address when it is ready, and the message if it fails. The
// programs here are real processes with different faults.
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import {
  readyLine,
  startLocalProcess,
  whyItEnded,
} from '../../../client/src/deployments/localProcess.ts';
import { needs } from '../../platform.ts';

let folder = '';
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'aplomb-process-'));
});
after(() => rm(folder, { recursive: true, force: true }));

async function start(
  name: string,
  program: string,
  memoryLimit = '',
  allowExternal: string[] = [],
) {
  const file = join(folder, `${name}.cjs`);
  await writeFile(file, program);
  return startLocalProcess({
    program: file,
    dataDirectory: join(folder, name, 'data'),
    memoryLimit,
    allowExternal,
    logFile: join(folder, `${name}.log`),
    compiledFolder: join(folder, 'compiled'),
  });
}

describe('the process of the local deployment', () => {
  it('gets its settings as arguments, and is ready after its status line among other output', async () => {
    const address = await start(
      'ready',
      `console.log('hello'); console.log('{"x":1}');
       console.log(JSON.stringify({ url: process.argv.slice(2).join(' '), token: 't' }));`,
      '2GB',
      ['/data', 'http://127.0.0.1:8080/'],
    );
    assert.equal(
      address.url,
      `--data ${join(folder, 'ready', 'data')} --port 0 --end-when-idle --memory-limit 2GB --allow-external /data --allow-external http://127.0.0.1:8080/`,
    );
  });

  it('makes its folders and log unreadable for other users, even if an older version created them', {
    skip: needs.modes,
  }, async () => {
    await mkdir(join(folder, 'older'), { mode: 0o755 });
    const logFile = join(folder, 'older', 'local.log');
    await writeFile(logFile, 'earlier\n', { mode: 0o644 });
    const program = join(folder, 'older.cjs');
    await writeFile(program, `console.log(JSON.stringify({ url: 'u', token: 't' }))`);
    const dataDirectory = join(folder, 'older', 'data');
    const compiledFolder = join(folder, 'compiled');
    const rest = { memoryLimit: '', allowExternal: [], logFile, compiledFolder };
    await startLocalProcess({ program, dataDirectory, ...rest });
    const modes = [join(folder, 'older'), dataDirectory, logFile].map(
      (path) => statSync(path).mode & 0o777,
    );
    assert.deepEqual(modes, [0o700, 0o700, 0o600]);
  });

  const faults: readonly (readonly [string, string, RegExp])[] = [
    [
      'throws an error',
      `throw new TypeError('no such thing')`,
      /process exited at startup: TypeError: no such thing/,
    ],
    ['exits silently', 'process.exit(3)', /process exited at startup with code 3/],
    [
      'prints an error and exits',
      `console.error('2026-01-01T00:00:00.000Z /data cannot be opened: it is locked.'); process.exit(1)`,
      /process exited at startup: \/data cannot be opened: it is locked\./,
    ],
    [
      'cannot load DuckDB',
      `require('@duckdb/node-bindings-none/duckdb.node')`,
      /does not include the local deployment for .*Install the build for this platform/,
    ],
  ];
  for (const [name, program, message] of faults) {
    it(`is reported with the reason if it ${name} at startup`, async () => {
      await assert.rejects(start(name, program), message);
      // The output of the earlier process is not reported for a later one.
      await assert.rejects(start(name, 'process.exit(9)'), /with code 9/);
    });
  }

  it('is ready only after a valid status line', () => {
    assert.deepEqual(readyLine('{"url":"http://127.0.0.1:1","token":"t"}'), {
      url: 'http://127.0.0.1:1',
      token: 't',
    });
    for (const line of ['', '{', 'null', '[]', '"x"', '{"url":1,"token":"t"}', '{"url":"x"}']) {
      assert.equal(readyLine(line), undefined, line);
    }
    assert.match(whyItEnded('', null), /with code null/);
  });
});
