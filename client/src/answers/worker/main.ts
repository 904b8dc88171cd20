/** The worker thread that stores the rows of answers: the entry point of dist/results.cjs. */
import type { Report } from '../../rpc/server.ts';
import { serveParent } from '../../rpc/thread.ts';
import type { TaskProgress } from '../protocol.ts';
import { failureOf } from './failures.ts';
import { workerMethods } from './methods.ts';
import { Task } from './task.ts';

const handlers = Object.entries(workerMethods()).map(([name, method]) => [
  name,
  (params: never, signal: AbortSignal, report: Report<TaskProgress>) =>
    method(params, new Task(signal, report)),
]);
serveParent({ handlers: Object.fromEntries(handlers), failureOf });
