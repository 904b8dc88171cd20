/** Serves the calls of the host: each is answered once, and may be cancelled while it is under way. */
import type { FromWorker, MethodName, ToWorker } from '../protocol.ts';
import { failureOf } from './failures.ts';
import { workerMethods } from './methods.ts';
import { Task } from './task.ts';

export class Dispatcher {
  readonly #methods = workerMethods();
  readonly #tasks = new Map<number, Task>();
  readonly #post: (message: FromWorker) => void;

  constructor(post: (message: FromWorker) => void) {
    this.#post = post;
  }

  receive(message: ToWorker): void {
    if (message.type === 'cancel') this.#tasks.get(message.call)?.cancel();
    else void this.#serve(message.call, message.method, message.params);
  }

  async #serve(call: number, method: MethodName, params: unknown): Promise<void> {
    const task = new Task((done, total) => this.#post({ type: 'progress', call, done, total }));
    this.#tasks.set(call, task);
    try {
      const result = await this.#methods[method](params as never, task);
      this.#post({ type: 'result', call, result });
    } catch (error) {
      this.#post({ type: 'failure', call, failure: failureOf(error) });
    } finally {
      this.#tasks.delete(call);
    }
  }
}
