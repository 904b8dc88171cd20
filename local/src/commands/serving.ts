/** Connects a command to its deployment: the process that serves the folder, or the store opened by the command. */
import { access } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join, resolve } from 'node:path';
import { printable } from '../../../language/src/index.ts';
import { requestProven } from '../../../loopback/src/connect.ts';
import type { Lock } from '../../../loopback/src/lock.ts';
import { findServing } from '../lock.ts';
import { EngineError } from '../store/engineError.ts';
import { DATABASE_FILE, openStore, type Store } from '../store/store.ts';
import { CommandError } from './commandError.ts';

/** Runs `work` with the process that serves a data folder, or else with its store. */
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
    const hold = await send(serving, 'GET', '/_local/hold', undefined, undefined);
    // Hold the process, which could otherwise exit during the work because no window is connected.
    hold.on('error', () => undefined).resume();
    try {
      return await work.running(serving);
    } finally {
      hold.destroy();
    }
  }
  await access(join(folder, DATABASE_FILE)).catch(() => {
    throw new CommandError(`${data} has no data of a local deployment. Check --data.`);
  });
  const log = (message: string) => void process.stderr.write(`${printable(message)}\n`);
  const store = await openStore({ folder, log }).catch((error: unknown) => {
    const isTaken = error instanceof EngineError && error.kind === 'locked';
    throw isTaken
      ? new CommandError(`Another process has ${data} open and does not answer. End it first.`)
      : new CommandError(`The data in ${data} cannot be opened: ${firstLine(error)}`);
  });
  try {
    return await work.stopped(store, folder);
  } finally {
    await store.close();
  }
}

function firstLine(error: unknown): string {
  return (error as Error).message.split('\n', 1)[0]!;
}

/**
 * Sends a request to the process and returns the response. The caller reads its body.
 * @throws CommandError with the message of an error response, and the reason of `signal` when it aborts.
 */
export async function send(
  serving: Lock,
  method: string,
  path: string,
  body: unknown,
  signal: AbortSignal | undefined,
): Promise<IncomingMessage> {
  const json = body === undefined ? undefined : JSON.stringify(body);
  const response = requestProven(serving, method, path, json, signal);
  const answer = await response.catch((error: Error) => {
    signal?.throwIfAborted();
    throw new CommandError(`The local deployment ended before it answered: ${error.message}.`);
  });
  if (answer.statusCode === 200) return answer;
  let text = '';
  for await (const chunk of answer) text += chunk;
  throw new CommandError(messageOf(text) ?? `The local deployment answered ${answer.statusCode}.`);
}

function messageOf(text: string): string | undefined {
  try {
    return (JSON.parse(text) as { readonly message?: string }).message;
  } catch {
    return undefined;
  }
}

/** Yields the bytes of a response. Throws a CommandError if it ends early. */
export async function* bytesOf(
  answer: IncomingMessage,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  try {
    yield* answer;
  } catch {
    signal.throwIfAborted();
    throw new CommandError('The local deployment ended before all was sent. Nothing was written.');
  }
}
