// A connection to the local deployment. It keeps the process running, and reports when the process ends or restarts.
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectProven, requestOver, requestProven } from '../../../loopback/src/connect.ts';
import { type LocalAddress, readLock } from '../../../loopback/src/lock.ts';
import { isRunning } from '../../../system/src/running.ts';

/** URL paths that only the local deployment has. */
const paths = {
  hold: '/_local/hold',
  stop: '/_local/stop',
  rotate: '/_local/rotate-tokens',
} as const;

const STOP_LIMIT_MS = 30_000;
const POLL_MS = 25;

/** The address of a local deployment and the folder whose lock file contains it. */
export interface LocalPlace extends LocalAddress {
  readonly folder: string;
}

export class LocalHold {
  readonly #address: LocalAddress;
  readonly #pid: number;
  readonly #socket: Socket;

  private constructor(address: LocalAddress, pid: number, socket: Socket) {
    this.#address = address;
    this.#pid = pid;
    this.#socket = socket;
  }

  /**
   * Connects to the lock file's process, which must prove that it knows the token. Calls `ended` once the connection
   * ends.
   */
  static async take(place: LocalPlace, ended: () => void): Promise<LocalHold> {
    const { socket, health } = await connectProven(place);
    try {
      const lock = await readLock(place.folder);
      if (lock?.pid !== health.pid) throw new Error('The lock file names another process.');
      const response = answered(await requestOver(socket, place, 'GET', paths.hold));
      response.once('close', ended);
      response.on('error', () => {});
      response.resume();
      return new LocalHold(place, health.pid, socket);
    } catch (error) {
      socket.destroy();
      throw error;
    }
  }

  /** Closes the connection. A process without connections ends by itself. */
  release(): void {
    this.#socket.destroy();
  }

  /** Ends the process for all windows. Resolves once it has ended, so that its data may be changed. */
  async stop(): Promise<void> {
    answered(await requestProven(this.#address, 'POST', paths.stop)).resume();
    const deadline = Date.now() + STOP_LIMIT_MS;
    while (isRunning(this.#pid)) {
      if (Date.now() > deadline)
        throw new Error(`The process did not exit within ${STOP_LIMIT_MS / 1_000} s.`);
      await sleep(POLL_MS);
    }
  }

  /** Replaces the tokens in the data folder and restarts the process. With `all`, also deletes the created tokens. */
  async rotateTokens(all: boolean): Promise<void> {
    const path = `${paths.rotate}${all ? '?all=true' : ''}`;
    answered(await requestProven(this.#address, 'POST', path)).resume();
  }
}

/** Returns whether the lock file contains this address and token, and its process is running. */
export async function isServed({ folder, url, token }: LocalPlace): Promise<boolean> {
  const lock = await readLock(folder);
  return lock?.url === url && lock.token === token && isRunning(lock.pid);
}

function answered(response: IncomingMessage): IncomingMessage {
  if (response.statusCode === 200) return response;
  response.destroy();
  throw new Error(`The process responded with status ${response.statusCode}.`);
}
