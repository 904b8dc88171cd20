// One open connection to the local deployment: while a window holds it the process stays, and when it
// breaks the window knows that the process is gone.
import { type ClientRequest, request } from 'node:http';
import type { LocalAddress } from './localProcess.ts';

const HOLD_PATH = '/_local/hold';
const STOP_PATH = '/_local/stop';
const STOP_LIMIT_MS = 10_000;

export class LocalHold {
  readonly #address: LocalAddress;
  readonly #connection: ClientRequest;
  readonly #closed: Promise<void>;

  private constructor(address: LocalAddress, connection: ClientRequest, closed: Promise<void>) {
    this.#address = address;
    this.#connection = connection;
    this.#closed = closed;
  }

  /** Connects. `ended` is called once when the process has gone away by itself. */
  static async take(address: LocalAddress, ended: () => void): Promise<LocalHold> {
    const connection = send(address, 'GET', HOLD_PATH);
    const response = await new Promise<NodeJS.ReadableStream>((resolve, reject) => {
      connection.once('error', reject);
      connection.once('response', (answer) => {
        if (answer.statusCode === 200) resolve(answer);
        else reject(new Error(`It does not let itself be held (${answer.statusCode}).`));
      });
    });
    const closed = new Promise<void>((resolve) => {
      response.once('close', resolve);
      response.once('error', resolve);
      connection.once('error', () => resolve());
    });
    response.resume();
    void closed.then(ended);
    return new LocalHold(address, connection, closed);
  }

  /** Lets go; the process ends by itself when nobody holds it any more. */
  release(): void {
    this.#connection.destroy();
  }

  /** Asks the process to end, for all windows, and resolves when it has. */
  async stop(): Promise<void> {
    const asked = send(this.#address, 'POST', STOP_PATH);
    asked.on('error', () => {});
    let timer: NodeJS.Timeout | undefined;
    const tooLong = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(new Error(`It did not end within ${STOP_LIMIT_MS / 1_000} s.`)),
        STOP_LIMIT_MS,
      );
    });
    try {
      await Promise.race([this.#closed, tooLong]);
    } finally {
      clearTimeout(timer);
    }
  }
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
