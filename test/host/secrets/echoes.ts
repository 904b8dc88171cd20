// A service that repeats the token it gets wherever it can, and misbehaves in other ways. Each row is one way.
import { RESPONSE_HEADERS } from '../../../api/src/plain.ts';
import { type Answer, json, LoopbackServer } from '../../client/loopback.ts';

/** Answers with the token, as it was sent. */
type Echo = (token: string, ...answer: Parameters<Answer>) => unknown;

const headersWith = (token: string) => ({
  [RESPONSE_HEADERS.trace]: token,
  [RESPONSE_HEADERS.messages]: JSON.stringify([{ msg: token }]),
  [RESPONSE_HEADERS.retryAfter]: token,
  [RESPONSE_HEADERS.rateReset]: token,
});

export const echoes = {
  'a refusal that quotes the token': (token, response) =>
    json(response, 401, { message: `Invalid token ${token}`, code: token, reason: token }),
  'a refusal with places that quote it': (token, response) =>
    json(response, 400, {
      message: `line: 1, col: 1: ${token}`,
      detail: { message: token, line: 1, column: 1 },
      errors: [{ message: token, code: token, line: 1, column: 1 }],
    }),
  'plain text': (token, response) => {
    response.writeHead(403, { 'content-type': 'text/plain' });
    response.end(`${'x'.repeat(1_990)} ${token}`);
  },
  headers: (token, response) => {
    for (const [name, value] of Object.entries(headersWith(token))) response.setHeader(name, value);
    return json(response, 409, { message: 'See the headers' });
  },
  'headers of a success': (token, response) => {
    for (const [name, value] of Object.entries(headersWith(token))) response.setHeader(name, value);
    return json(response, 200, []);
  },
  'a redirect to itself': (token, response) => {
    const target = `/${encodeURIComponent(token)}?token=${encodeURIComponent(token)}`;
    response.writeHead(307, { location: target });
    response.end();
  },
  'a redirect to a host of its name': (token, response) => {
    const name = token.replaceAll(/[^\w-]/g, '');
    response.writeHead(302, { location: `https://${name}.invalid/` });
    response.end();
  },
  'a page': (token, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(`<!doctype html><title>${token}</title><p>Sign in as ${token}`);
  },
  'JSON that is cut off': (token, response) => json(response, 200, `{"name":"${token}`),
  'JSON of another shape': (token, response) =>
    json(response, 200, { format: token, tables: token, name: { [token]: token } }),
  'an internal error': (token, response) => json(response, 500, { message: token }),
  'what is not HTTP': (token, response) => response.socket?.end(`${token}\r\n\r\n`),
} satisfies Record<string, Echo>;

export type EchoName = keyof typeof echoes;

export interface EchoingService {
  readonly url: string;
  /** How it answers from now on; undefined to accept the token and have nothing. */
  mode: EchoName | undefined;
  /** The requests that came. */
  readonly count: number;
  stop(): Promise<void>;
}

export async function startEchoing(): Promise<EchoingService> {
  const server = await LoopbackServer.start((response, request, index) => {
    const token = (request.headers.authorization ?? '').replace('Bearer ', '');
    if (service.mode !== undefined) {
      const echo: Echo = echoes[service.mode];
      return echo(token, response, request, index);
    }
    return request.method === 'GET' && !request.url.includes('uid')
      ? json(response, 200, [])
      : json(response, 404, { message: 'The dataset does not exist' });
  });
  const service: EchoingService = {
    url: server.url,
    mode: undefined,
    get count() {
      return server.received.length;
    },
    stop: () => server[Symbol.asyncDispose](),
  };
  return service;
}
