// One open connection to the local deployment: while a window holds it the process stays, and when it
// breaks the window knows that the process ended or restarts.
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LocalAddress } from './localProcess.ts';

/** Paths of the process itself, which the service does not have. */
const paths = { hold: '/_local/hold', health: '/_local/health', stop: '/_local/stop' } as const;

const STOP_LIMIT_MS = 30_000;
const POLL_MS = 25;

export class LocalHold {
  readonly #address: LocalAddress;
  readonly #pid: number;
  readonly #connection: ClientRequest;

  private constructor(address: LocalAddress, pid: number, connection: ClientRequest) {
    this.#address = address;
    this.#pid = pid;
    this.#connection = connection;
  }

  /** Connects. `ended` is called once when the connection is gone, for whatever reason. */
  static async take(address: LocalAddress, ended: () => void): Promise<LocalHold> {
    const health = await responseTo(send(address, 'GET', paths.health));
    const { pid } = (await json(health)) as { pid: number };
    const connection = send(address, 'GET', paths.hold);
    const response = await responseTo(connection);
    response.once('close', ended);
    response.on('error', () => {});
    connection.on('error', () => {});
    response.resume();
    return new LocalHold(address, pid, connection);
  }

  /** Whether the process is there, although it may not answer. */
  get isAlive(): boolean {
    return isAlive(this.#pid);
  }

  /** Lets go; the process ends by itself when nobody holds it any more. */
  release(): void {
    this.#connection.destroy();
  }

  /** Ends the process, for all windows. Resolves when it is gone, so that its data may be touched. */
  async stop(): Promise<void> {
    const asked = await responseTo(send(this.#address, 'POST', paths.stop));
    asked.resume();
    const deadline = Date.now() + STOP_LIMIT_MS;
    while (this.isAlive) {
      if (Date.now() > deadline)
        throw new Error(`The process did not exit within ${STOP_LIMIT_MS / 1_000} s.`);
      await sleep(POLL_MS);
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function responseTo(asked: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    asked.once('error', reject);
    asked.once('response', (answer) => {
      if (answer.statusCode === 200) resolve(answer);
      else reject(new Error(`The process responded with status ${answer.statusCode}.`));
    });
  });
}

function send({ url, token }: LocalAddress, method: string, path: string): ClientRequest {
  const asked = request(new URL(path, url), {
    method,
    headers: { authorization: `Bearer ${token}` },
    agent: false,
  });
  asked.end();
  return asked;
}
