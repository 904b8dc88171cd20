// Another user's process takes the port of the local deployment whenever it is free. No client sends it a token, and on
// a restart it never gets the port.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Dispatcher, request } from 'undici';
import { connect } from '../../cli/src/ingest/target.ts';
import { isServed, LocalHold, type LocalPlace } from '../../client/src/deployments/localHold.ts';
import { localDispatcher } from '../../client/src/deployments/network.ts';
import { findServing, writeLock } from '../../local/src/lock.ts';
import { requestProven } from '../../loopback/src/connect.ts';
import { type Lock, readLock } from '../../loopback/src/lock.ts';
import { Processes } from '../local/processes.ts';
import { Thief } from './thief.ts';

const ROUNDS = process.env['APLOMB_LONG'] ? 200 : 20;

/** A client that holds the deployment and sends requests one after the other, as a window does. */
class Client {
  readonly place: LocalPlace;
  readonly dispatcher: Dispatcher;
  readonly #ended = new AbortController();
  readonly #sending: Promise<void>;
  hold: LocalHold | undefined;
  answered = 0;

  constructor(place: LocalPlace) {
    this.place = place;
    this.dispatcher = localDispatcher(place);
    this.#sending = this.#send();
    void this.#take();
  }

  /** Whether the deployment answers a request of this client. */
  async isAnswered(): Promise<boolean> {
    const { url, token } = this.place;
    const headers = { authorization: `Bearer ${token}` };
    try {
      const { dispatcher } = this;
      const { statusCode, body } = await request(`${url}/v2/datasets`, { headers, dispatcher });
      await body.dump();
      return statusCode === 200;
    } catch {
      return false;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended.abort();
    this.hold?.release();
    await this.#sending;
    await this.dispatcher.destroy();
  }

  async #send(): Promise<void> {
    while (!this.#ended.signal.aborted) {
      if (await this.isAnswered()) this.answered += 1;
      await sleep(1);
    }
  }

  /** Takes hold again whenever the connection breaks, also where nobody answers for the deployment. */
  async #take(): Promise<void> {
    while (!this.#ended.signal.aborted) {
      try {
        this.hold = await LocalHold.take(this.place, () => void this.#take());
        return;
      } catch {
        await sleep(1);
      }
    }
  }
}

describe('a process of another user that waits for the port', () => {
  let processes: Processes;
  let thief: Thief;
  let folder: string;
  const tokens: string[] = [];
  before(async () => {
    processes = await Processes.create();
    folder = join(processes.folder, 'data');
    thief = new Thief();
  });
  after(async () => {
    thief.end();
    await processes.dispose();
  });

  async function start(): Promise<Lock> {
    const { token, personalToken } = await processes.start('data');
    tokens.push(token, personalToken);
    return (await readLock(folder))!;
  }

  const assertNoToken = () => {
    for (const token of tokens) assert.ok(!thief.received.includes(token), 'it has a token');
    assert.doesNotMatch(thief.received, /authorization/i);
  };

  it(`never sees a token in ${ROUNDS} restarts and ${ROUNDS} stops`, async () => {
    let lock = await start();
    for (let round = 0; round < ROUNDS; round += 1) {
      await thief.watch(lock.port);
      await using client = new Client({ ...lock, folder });
      while (client.hold === undefined || client.answered === 0) await sleep(5);

      const before = lock;
      const { statusCode } = await requestProven(lock, 'POST', '/_local/restart');
      assert.equal(statusCode, 200);
      while (lock.pid === before.pid) {
        await sleep(5);
        lock = (await readLock(folder))!;
      }
      assert.deepEqual(await findServing(folder), { ...before, pid: lock.pid });
      assert.equal(await client.isAnswered(), true);
      assert.ok(!thief.bound.includes(lock.port), 'it got the port on a restart');
      const { answered } = client;
      while (client.answered === answered) await sleep(5);

      const seen = thief.connections;
      await (await LocalHold.take(client.place, () => undefined)).stop();
      await thief.has(lock.port);
      // Its requests go to the thief now, which passes them on to the same deployment at another port.
      const next = await start();
      await thief.relay(next.port);
      while (thief.connections < seen + 3) await sleep(5);
      assert.equal(await client.isAnswered(), false);
      await assert.rejects(LocalHold.take(client.place, () => undefined));
      assert.equal(await isServed(client.place), false);
      assertNoToken();
      await thief.relay(0);
      lock = next;
    }
    await thief.watch(lock.port);
    await (await LocalHold.take({ ...lock, folder }, () => undefined)).stop();
  });

  it('gets no token from the command line or a start, even if the lock names its port', async () => {
    const lock = await start();
    await thief.watch(lock.port);
    process.kill(lock.pid, 'SIGKILL');
    await thief.has(lock.port);
    const { connections } = thief;
    await writeLock(folder, lock);
    await assert.rejects(connect({ kind: 'local', data: folder }, {}), /No local deployment/);
    const next = await start();
    assert.notEqual(next.port, lock.port);
    while (thief.connections < connections + 2) await sleep(5);
    assertNoToken();
  });
});
