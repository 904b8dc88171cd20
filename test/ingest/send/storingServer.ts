// A service on the loopback interface that stores events in memory by `id`. A test decides the
// behavior for each request.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { directDispatcher } from '../../../client/src/deployments/network.ts';
import { Service } from '../../../client/src/service/service.ts';

/** The behavior for one ingest request. */
export type Behavior =
  | { readonly kind: 'store' }
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly body?: unknown;
      readonly headers?: Record<string, string>;
    }
  /** The connection closes before or after the events are stored. */
  | { readonly kind: 'cut'; readonly stored: boolean }
  /** Stores all events except those for which `failed` returns a reason. */
  | {
      readonly kind: 'partly';
      readonly failed: (event: StoredEvent, place: number) => string | undefined;
    };

export interface StoredEvent {
  readonly id: number;
  readonly _time?: string;
}

export interface IngestRequest {
  readonly text: string;
  readonly lines: readonly string[];
  readonly headers: IncomingMessage['headers'];
}

export type Behave = (request: IngestRequest, index: number) => Behavior | Promise<Behavior>;

export class StoringServer {
  /** Number of times that each event is stored. */
  readonly stored = new Map<number, number>();
  readonly requests: IngestRequest[] = [];
  /** Methods and paths of all other requests. */
  readonly others: string[] = [];
  datasetExists = true;
  inFlightMax = 0;
  #inFlight = 0;
  readonly #server;
  readonly #sockets = new Set<Socket>();
  readonly #dispatcher = directDispatcher();

  private constructor(behave: Behave) {
    this.#server = createServer((incoming, response) => {
      this.#serve(behave, incoming, response).catch(() => response.destroy());
    });
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
  }

  static async start(behave: Behave = () => ({ kind: 'store' })): Promise<StoringServer> {
    const server = new StoringServer(behave);
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  service(): Service {
    const { url } = this;
    return new Service({
      general: url,
      edge: url,
      dispatcher: this.#dispatcher,
      token: async () => 'xaat-secret-token',
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#dispatcher.destroy();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(behave: Behave, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '' } = incoming;
    const body = await buffer(incoming);
    if (!url.startsWith('/v1/ingest/')) {
      this.#other(`${method} ${url}`, response);
      return;
    }
    const text = decoded(body, incoming.headers['content-encoding']).toString();
    const lines = text.split('\n').filter((line) => line !== '');
    const request = { text, lines, headers: incoming.headers };
    const index = this.requests.push(request) - 1;
    this.#inFlight += 1;
    this.inFlightMax = Math.max(this.inFlightMax, this.#inFlight);
    try {
      await this.#behave(await behave(request, index), lines, response);
    } finally {
      this.#inFlight -= 1;
    }
  }

  async #behave(behavior: Behavior, lines: readonly string[], response: ServerResponse) {
    if (behavior.kind === 'answer') {
      const { status, body = { message: 'No.' }, headers = {} } = behavior;
      return json(response, status, body, headers);
    }
    if (behavior.kind === 'cut') {
      if (behavior.stored) this.#store(lines);
      return response.destroy();
    }
    if (!this.datasetExists) return json(response, 404, { message: 'no such dataset' });
    const failures: { timestamp: string; error: string }[] = [];
    const kept = lines.filter((line, place) => {
      if (behavior.kind !== 'partly') return true;
      const event = JSON.parse(line) as StoredEvent;
      const error = behavior.failed(event, place);
      if (error !== undefined) failures.push({ timestamp: event._time ?? arrival, error });
      return error === undefined;
    });
    this.#store(kept);
    return json(response, 200, {
      ingested: kept.length,
      failed: failures.length,
      failures,
      processedBytes: 1,
      blocksCreated: 0,
      walLength: 1,
    });
  }

  #store(lines: readonly string[]): void {
    for (const line of lines) {
      const { id } = JSON.parse(line) as StoredEvent;
      this.stored.set(id, (this.stored.get(id) ?? 0) + 1);
    }
  }

  #other(request: string, response: ServerResponse): unknown {
    this.others.push(request);
    if (request.startsWith('DELETE')) return response.writeHead(204).end();
    if (request.startsWith('POST /v2/datasets')) {
      this.datasetExists = true;
      return json(response, 200, { id: 'x', name: 'x', created: arrival });
    }
    return json(response, 200, emptyAnswer);
  }
}

const arrival = '2026-01-01T00:00:00Z';

/** The response to the query that counts the dataset's events. */
const emptyAnswer = {
  format: 'tabular',
  status: {
    elapsedTime: 1,
    blocksExamined: 1,
    rowsExamined: 0,
    rowsMatched: 0,
    numGroups: 0,
    isPartial: false,
  },
  datasetNames: ['data'],
  tables: [
    {
      name: '0',
      sources: [],
      order: [],
      groups: [],
      fields: [{ name: 'events', type: 'integer' }],
      columns: [[0]],
    },
  ],
};

function decoded(body: Buffer, encoding: string | undefined): Buffer {
  if (encoding === 'gzip') return gunzipSync(body);
  return encoding === 'zstd' ? zstdDecompressSync(body) : body;
}

function json(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(value));
}
