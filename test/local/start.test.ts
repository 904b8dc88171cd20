// The process starts without undici, which Node.js loads with the first Request, Response or
// Headers and which takes a sixth of the time to the first response.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { call, count, fill, Processes, query, type Running } from './processes.ts';

/** Runs before the program: makes globals that load undici throw. */
const withoutUndici = `
for (const name of ['Request', 'Response', 'Headers', 'fetch', 'FormData']) {
  Object.defineProperty(globalThis, name, {
    get() {
      throw new Error(name + ' is used');
    },
  });
}
`;

let processes: Processes;
let running: Running;
before(async () => {
  processes = await Processes.create();
  const file = join(processes.folder, 'withoutUndici.cjs');
  await writeFile(file, withoutUndici);
  const options = process.env['NODE_OPTIONS'];
  process.env['NODE_OPTIONS'] = `${options ?? ''} --require ${JSON.stringify(file)}`;
  running = await processes.start('data');
  if (options === undefined) delete process.env['NODE_OPTIONS'];
  else process.env['NODE_OPTIONS'] = options;
});
after(() => processes.dispose());

describe('a process without undici', () => {
  it('starts, stores events and answers queries', async () => {
    await fill(running, 'logs');
    assert.equal(await count(running, 'logs'), 1_000);
    const { status, body } = await query(running, 'logs | summarize count() by s | take 2000');
    assert.deepEqual([status, body.status.rowsMatched], [200, 1_000]);
  });

  it('streams a long result', async () => {
    const apl = 'print i = range(1, 40000, 1) | mv-expand i | take 40000';
    const { status, body } = await query(running, apl);
    assert.equal(status, 200);
    assert.equal(body.tables[0].columns[0].length, 40_000);
  });

  it('returns errors in the documented form and keeps running', async () => {
    for (const [method, path, status] of [
      ['GET', '/nowhere', 404],
      ['PATCH', '/v2/datasets', 405],
    ] as const) {
      const answer = await call(running, method, path);
      assert.equal(answer.status, status);
      assert.equal(typeof answer.body.reason, 'string');
    }
    assert.equal((await call(running, 'GET', '/_local/health')).body.pid, running.child.pid);
  });
});
