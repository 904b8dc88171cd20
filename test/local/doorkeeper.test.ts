// Between a process and the one that replaces it a doorkeeper has the port. On a busy machine it may be late: what is
// sent meanwhile waits, and the process that wants the port back asks until it has left.
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { DOORKEEPER_ARGUMENT, dismissDoorkeeper } from '../../local/src/doorkeeper.ts';
import { Processes } from './processes.ts';

const TOKEN = 'xaat-of-the-deployment';
/** Longer than a request to leave waits. */
const LATE_MS = 1_500;

describe('a doorkeeper that is late', { skip: process.platform === 'win32' }, () => {
  let processes: Processes;
  let keeper: ChildProcess | undefined;
  before(async () => {
    processes = await Processes.create();
  });
  after(async () => {
    keeper?.kill('SIGKILL');
    await processes.dispose();
  });

  /** Hands a socket to a doorkeeper that does not run for a while, as a process does that is then replaced. */
  async function late(): Promise<number> {
    const server: Server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    keeper = processes.fork(DOORKEEPER_ARGUMENT);
    keeper.kill('SIGSTOP');
    keeper.send(TOKEN, server);
    await sleep(50);
    server.close();
    void sleep(LATE_MS).then(() => keeper?.kill('SIGCONT'));
    return port;
  }

  it('answers what was sent before it was there', async () => {
    const port = await late();
    // The process that handed the socket over is gone.
    keeper?.disconnect();
    const { status } = await fetch(`http://127.0.0.1:${port}/v2/datasets`);
    assert.equal(status, 503);
    keeper?.kill('SIGKILL');
  });

  it('leaves when it is asked', async () => {
    const port = await late();
    const listening = new AbortController();
    const dismissed = dismissDoorkeeper(port, TOKEN, listening.signal);
    const since = performance.now();
    while (!(await isFree(port))) {
      assert.ok(performance.now() - since < LATE_MS + 10_000, 'the port is still taken');
      await sleep(10);
    }
    listening.abort();
    await dismissed;
  });
});

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  const free = await Promise.race([
    once(server, 'listening').then(() => true),
    once(server, 'error').then(() => false),
  ]).catch(() => false);
  server.close();
  return free;
}
