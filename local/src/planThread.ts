/**
 * Plans queries in a thread, whose time and memory are bounded, so that one that takes long holds up nothing else.
 * The thread is started for the first such query, works on one at a time, and never keeps the process alive.
 */
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { PLAN_MEMORY_MB_MAX, PLAN_MS_MAX } from './limits.ts';
import { type QueryReading, unread } from './queryReading.ts';
import { type PlanReply, type PlanRequest, tooComplex } from './routes/planRequest.ts';
import type { SourceData } from './sources.ts';
import { Semaphore } from './store/gate.ts';

/** What the thread is sent; `servePlans` answers with an `Answer`. */
export type Task = { readonly data: SourceData } & (
  | { readonly kind: 'plan'; readonly request: PlanRequest }
  | { readonly kind: 'read'; readonly texts: readonly string[] }
);

/** A `PlanReply`, or the readings; `error` is the stack of an error that is not the query's. */
export type Answer = { readonly reply: unknown } | { readonly error: string };

const turn = new Semaphore(1);
let idle: Worker | undefined;

/** Plans in the thread; when `signal` aborts, the thread is ended and the signal's reason thrown. */
export function planInThread(
  request: PlanRequest,
  data: SourceData,
  signal: AbortSignal,
): Promise<PlanReply> {
  const tooLarge: PlanReply = { kind: 'refused', problems: [tooComplex(request.apl)] };
  return inThread({ kind: 'plan', request, data }, tooLarge, signal);
}

/** Reads queries in the thread, which are taken as they are where that takes too long. */
export function readInThread(
  texts: readonly string[],
  data: SourceData,
  signal: AbortSignal,
): Promise<readonly QueryReading[]> {
  return inThread({ kind: 'read', texts, data }, texts.map(unread), signal);
}

/** The reply to a task, or `tooLarge` where it takes too much time or memory. */
function inThread<Reply>(task: Task, tooLarge: Reply, signal: AbortSignal): Promise<Reply> {
  return turn.run(() => perform(task, tooLarge, signal), signal);
}

async function perform<Reply>(task: Task, tooLarge: Reply, signal: AbortSignal): Promise<Reply> {
  const late = AbortSignal.timeout(PLAN_MS_MAX);
  const either = AbortSignal.any([signal, late]);
  either.throwIfAborted();
  const worker = idle ?? start();
  idle = undefined;
  try {
    const answer = await ask(worker, task, either);
    idle = worker;
    if ('error' in answer) throw new Error(answer.error);
    return answer.reply as Reply;
  } catch (error) {
    if (idle !== worker) await worker.terminate();
    signal.throwIfAborted();
    const isTooLarge = late.aborted || (error as { code?: unknown }).code === OUT_OF_MEMORY;
    if (!isTooLarge) throw error;
    return tooLarge;
  }
}

const OUT_OF_MEMORY = 'ERR_WORKER_OUT_OF_MEMORY';

/** The bundle starts itself again; from its sources, the thread has a file of its own. */
function start(): Worker {
  const isBundle = typeof __filename === 'string';
  const file = isBundle ? __filename : fileURLToPath(new URL('planThreadMain.ts', import.meta.url));
  const worker = new Worker(file, {
    argv: [],
    resourceLimits: { maxOldGenerationSizeMb: PLAN_MEMORY_MB_MAX },
  });
  const forget = () => {
    if (idle === worker) idle = undefined;
  };
  worker.on('error', forget).on('exit', forget).unref();
  return worker;
}

function ask(worker: Worker, task: Task, signal: AbortSignal): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const ended = () => reject(new Error('The thread that plans ended.'));
  const aborted = () => reject(signal.reason);
  worker.on('message', resolve);
  worker.on('error', reject);
  worker.on('exit', ended);
  signal.addEventListener('abort', aborted);
  // A request waits for it, so that it counts until it has answered.
  worker.ref();
  worker.postMessage(task);
  return promise.finally(() => {
    worker.off('message', resolve);
    worker.off('error', reject);
    worker.off('exit', ended);
    signal.removeEventListener('abort', aborted);
    worker.unref();
  });
}
