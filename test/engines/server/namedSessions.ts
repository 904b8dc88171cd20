/** Sessions that outlive a request: their temporary tables and what SET changed are kept until their time is over. */
import type { Connection, Engine } from './engine.ts';
import { ServerError } from './errors.ts';
import type { NamedSession } from './request.ts';

interface Kept {
  readonly connection: Connection;
  isLocked: boolean;
  timer?: NodeJS.Timeout;
}

export class NamedSessions {
  readonly #engine: Engine;
  readonly #kept = new Map<string, Kept>();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Gives a session to one request. Throws if another request has it, or if it has to exist and doesn't. */
  take({ id, mustExist }: NamedSession): Connection {
    const found = this.#kept.get(id);
    if (found === undefined && mustExist)
      throw new ServerError(372, 'SESSION_NOT_FOUND', `Session ${id} not found.`);
    if (found?.isLocked) {
      const message = `Session ${id} is locked by a concurrent client.`;
      throw new ServerError(373, 'SESSION_IS_LOCKED', message);
    }
    clearTimeout(found?.timer);
    const kept = found ?? { connection: this.#engine.connect(), isLocked: true };
    kept.isLocked = true;
    this.#kept.set(id, kept);
    return kept.connection;
  }

  release({ id, timeoutMs }: NamedSession): void {
    const kept = this.#kept.get(id)!;
    kept.isLocked = false;
    kept.timer = setTimeout(() => this.#close(id, kept), timeoutMs).unref();
  }

  closeAll(): void {
    for (const [id, kept] of this.#kept) this.#close(id, kept);
  }

  #close(id: string, kept: Kept): void {
    clearTimeout(kept.timer);
    this.#kept.delete(id);
    kept.connection.close();
  }
}
