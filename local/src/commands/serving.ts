/** Gives a command access to a data folder, through the process that serves it or directly. */
import { access } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { printable } from '../../../language/src/index.ts';
import { requestProven } from '../../../loopback/src/connect.ts';
import type { Lock } from '../../../loopback/src/lock.ts';
import { EngineError } from '../engines/engineError.ts';
import { findServing } from '../lock.ts';
import { DATABASE_FILE, openStore, type Store } from '../store/store.ts';

/** Calls `work.running` if a process serves the data folder. Otherwise opens the store and calls `work.stopped`. */
export async function withDeployment<T>(
  data: string,
  work: {
    readonly running: (serving: Lock) => Promise<T>;
    readonly stopped: (store: Store, folder: string) => Promise<T>;
  },
): Promise<T> {
  const folder = resolve(data);
  const serving = await findServing(folder);
  if (serving !== undefined) {
    const hold = await send(serving, 'GET', '/_local/hold');
    // Keep this response open, because the process may exit when nothing is connected.
    hold.on('error', () => undefined).resume();
    try {
      return await work.running(serving);
    } finally {
      hold.destroy();
    }
  }
  await access(join(folder, DATABASE_FILE)).catch(() => {
    throw new Error(`${data} has no data of a local deployment. Check --data.`);
  });
  const log = (message: string) => void process.stderr.write(`${printable(message)}\n`);
  const store = await openStore({ folder, log }).catch((error: Error) => {
    const isTaken = error instanceof EngineError && error.kind === 'locked';
    throw isTaken
      ? new Error(`Another process has ${data} open and does not answer. End it first.`)
      : new Error(`The data in ${data} cannot be opened: ${error.message.split('\n', 1)[0]}`);
  });
  try {
    return await work.stopped(store, folder);
  } finally {
    await store.close();
  }
}

/** Sends a request, and returns the response with its body unread. Throws an Error if the status isn't 200. */
export async function send(
  serving: Lock,
  method: string,
  path: string,
  signal?: AbortSignal,
  body?: unknown,
): Promise<IncomingMessage> {
  const json = body === undefined ? undefined : JSON.stringify(body);
  const response = requestProven(serving, method, path, json, signal);
  const answer = await response.catch((error: Error) => {
    signal?.throwIfAborted();
    throw new Error(`The local deployment ended before it answered: ${error.message}.`);
  });
  if (answer.statusCode === 200) return answer;
  throw new Error(
    messageOf(await text(answer)) ?? `The local deployment answered ${answer.statusCode}.`,
  );
}

function messageOf(body: string): string | undefined {
  try {
    return (JSON.parse(body) as { readonly message?: string }).message;
  } catch {
    return undefined;
  }
}

/** Yields the bytes of a response. Throws an error if the response is truncated. */
export async function* bytesOf(
  answer: IncomingMessage,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  try {
    yield* answer;
  } catch {
    signal.throwIfAborted();
    throw new Error('The local deployment ended before all was sent. Nothing was written.');
  }
}
