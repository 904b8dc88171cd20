/**
 * Plans and analyzes queries in a worker thread, with limited time and memory, so that slow queries don't block the
 * main thread. The first task starts the thread, which handles one task at a time. An idle thread doesn't keep the
 * process running.
 */
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { PLAN_MEMORY_MB_MAX, PLAN_MS_MAX } from './limits.ts';
import { type QueryReading, uncheckedReading } from './queryReading.ts';
import { type PlanReply, type PlanRequest, tooComplex } from './routes/planRequest.ts';
import type { SourceData } from './sources.ts';
import { Semaphore } from './store/locks.ts';

export type Task = { readonly data: SourceData } & (
  | { readonly kind: 'plan'; readonly request: PlanRequest }
  | { readonly kind: 'read'; readonly queries: readonly string[] }
);

/** A `PlanReply`, a `QueryReading` for each query, or the stack trace of an internal error. */
export type TaskResult = { readonly reply: unknown } | { readonly error: string };

const oneAtATime = new Semaphore(1);
let idleWorker: Worker | undefined;

/** Plans a query in the thread. When `signal` aborts, stops the thread and throws the signal's reason. */
export function planInThread(
  request: PlanRequest,
  data: SourceData,
  signal: AbortSignal,
): Promise<PlanReply> {
  const tooLarge: PlanReply = { kind: 'refused', problems: [tooComplex(request.apl)] };
  return inThread({ kind: 'plan', request, data }, tooLarge, signal);
}

/** Analyzes queries in the thread. If this takes too much time or memory, returns `uncheckedReading` for each query. */
export function readInThread(
  queries: readonly string[],
  data: SourceData,
  signal: AbortSignal,
): Promise<readonly QueryReading[]> {
  return inThread({ kind: 'read', queries, data }, queries.map(uncheckedReading), signal);
}

/** Performs a task in the thread. Returns `tooLarge` if the task takes too much time or memory. */
function inThread<Reply>(task: Task, tooLarge: Reply, signal: AbortSignal): Promise<Reply> {
  return oneAtATime.run(() => perform(task, tooLarge, signal), signal);
}

async function perform<Reply>(task: Task, tooLarge: Reply, signal: AbortSignal): Promise<Reply> {
  const late = AbortSignal.timeout(PLAN_MS_MAX);
  const either = AbortSignal.any([signal, late]);
  either.throwIfAborted();
  const worker = idleWorker ?? startWorker();
  idleWorker = undefined;
  try {
    const answer = await runTask(worker, task, either);
    idleWorker = worker;
    if ('error' in answer) throw new Error(answer.error);
    return answer.reply as Reply;
  } catch (error) {
    if (idleWorker !== worker) await worker.terminate();
    signal.throwIfAborted();
    const isTooLarge = late.aborted || (error as { code?: unknown }).code === OUT_OF_MEMORY;
    if (!isTooLarge) throw error;
    return tooLarge;
  }
}

const OUT_OF_MEMORY = 'ERR_WORKER_OUT_OF_MEMORY';

/** A program run from sources has no bundle, so the thread runs `planThreadMain.ts`. */
function startWorker(): Worker {
  const isBundle = typeof __filename === 'string';
  const file = isBundle ? __filename : fileURLToPath(new URL('planThreadMain.ts', import.meta.url));
  const worker = new Worker(file, {
    argv: [],
    resourceLimits: { maxOldGenerationSizeMb: PLAN_MEMORY_MB_MAX },
  });
  const forget = () => {
    if (idleWorker === worker) idleWorker = undefined;
  };
  worker.on('error', forget).on('exit', forget).unref();
  return worker;
}

function runTask(worker: Worker, task: Task, signal: AbortSignal): Promise<TaskResult> {
  const { promise, resolve, reject } = Promise.withResolvers<TaskResult>();
  const ended = () => reject(new Error('The thread that plans ended.'));
  const aborted = () => reject(signal.reason);
  worker.on('message', resolve);
  worker.on('error', reject);
  worker.on('exit', ended);
  signal.addEventListener('abort', aborted);
  // Keep the process running, because a request waits for the result.
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
