/** Calls the deployment's API. Converts failures to errors whose messages say what to do. */
import { type Answer, RowReader } from './rowReader.ts';

/** A location in a query. Lines and columns start at 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
  readonly endLine?: number;
  readonly endColumn?: number;
}

export interface Problem extends Place {
  readonly message: string;
}

export class ServiceError extends Error {
  readonly isToken: boolean;
  readonly problems: readonly Problem[];

  constructor(message: string, isToken = false, problems: readonly Problem[] = []) {
    super(message);
    this.isToken = isToken;
    this.problems = problems;
  }
}

export interface DatasetOverview {
  readonly name: string;
  readonly description: string;
  readonly events: number;
  readonly bytes: number;
  readonly first?: string;
  readonly last?: string;
}

export interface Field {
  readonly name: string;
  readonly type: string;
  readonly unit?: string;
  readonly description?: string;
}

export interface Query {
  readonly apl: string;
  readonly startTime: string;
  readonly endTime: string;
}

const STOPPED =
  'The deployment does not answer. If it was stopped, start it again and try once more.';

/** Exchanges a link's code for a session's token. */
export async function exchange(code: string): Promise<string> {
  const response = await request('/_local/page-session', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  });
  return ((await response.json()) as { readonly token: string }).token;
}

export class Service {
  readonly #token: string;

  constructor(token: string) {
    this.#token = token;
  }

  async datasets(): Promise<readonly DatasetOverview[]> {
    return (await this.#send('/_local/datasets')).json();
  }

  async fields(dataset: string): Promise<readonly Field[]> {
    return (await this.#send(`/v2/datasets/${encodeURIComponent(dataset)}/fields`)).json();
  }

  /** Runs a query. Aborting `signal` also stops the query on the deployment. */
  async query(query: Query, signal: AbortSignal): Promise<Answer> {
    const response = await this.#send('/v1/query/_apl?format=tabular-rows', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(query),
      signal,
    });
    const reader = new RowReader();
    try {
      const decoded = response.body!.pipeThrough(new TextDecoderStream());
      for (let from = decoded.getReader(); ; ) {
        const { done, value } = await from.read();
        if (done) return reader.end();
        reader.push(value);
      }
    } catch (error) {
      if (signal.aborted) throw error;
      throw new ServiceError('The connection ended before the result was complete. Run it again.');
    }
  }

  #send(path: string, init: RequestInit = {}): Promise<Response> {
    return request(path, {
      ...init,
      headers: { ...init.headers, authorization: `Bearer ${this.#token}` },
    });
  }
}

async function request(path: string, init: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, {
      ...init,
      cache: 'no-store',
      credentials: 'omit',
      redirect: 'error',
    });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new ServiceError(STOPPED);
  }
  if (response.ok) return response;
  throw await errorOf(response);
}

async function errorOf(response: Response): Promise<ServiceError> {
  // The deployment always sends JSON, so a different body is from another program.
  const body: { readonly message?: unknown; readonly errors?: readonly Problem[] } = await response
    .json()
    .catch(() => ({}));
  const message =
    typeof body.message === 'string'
      ? body.message
      : `The deployment answered with status ${response.status}.`;
  return new ServiceError(message, response.status === 401, body.errors);
}
