// A service of a test's own, over HTTP: it answers queries with one row or as told, lists nothing, can be slow.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request that came. */
export interface Asked {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly apl: string | undefined;
  readonly startTime: string | undefined;
  closed: boolean;
}

const result = {
  format: 'tabular',
  status: { elapsedTime: 1, rowsExamined: 1, rowsMatched: 1, isPartial: false },
  datasetNames: [],
  tables: [{ name: '0', fields: [{ name: 'n', type: 'integer' }], columns: [[1]] }],
};

export interface TestService {
  readonly server: Server;
  readonly url: string;
  readonly asked: Asked[];
  /** Whether queries with `slow` in them get no answer. */
  holding: boolean;
  /** What queries are answered with. */
  result: object;
}

export async function startService(): Promise<TestService> {
  const asked: Asked[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request);
    const { apl, startTime } = body === '' ? {} : JSON.parse(body);
    const one: Asked = {
      path: request.url ?? '',
      authorization: request.headers.authorization,
      apl,
      startTime,
      closed: false,
    };
    asked.push(one);
    response.on('close', () => {
      one.closed = true;
    });
    if (service.holding && one.apl?.includes('slow')) return;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(one.apl === undefined ? [] : service.result));
  };
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const service: TestService = { server, url, asked, holding: true, result };
  return service;
}
