// A real HTTP server on a loopback port whose responses are defined by the test.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { directDispatcher } from '../../client/src/deployments/network.ts';
import { Service } from '../../client/src/service/service.ts';
import type { Deployment } from '../local/deployment.ts';

export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** Answers one request; `index` counts requests from 0. */
export type Answer = (response: ServerResponse, request: Received, index: number) => unknown;

export class LoopbackServer {
  readonly received: Received[] = [];
  readonly #server;
  readonly #dispatcher = directDispatcher();

  private constructor(answer: Answer) {
    this.#server = createServer(async (incoming, response) => {
      const index = this.received.length;
      const request = {
        method: incoming.method ?? '',
        url: incoming.url ?? '',
        headers: incoming.headers,
        body: await buffer(incoming),
      };
      this.received.push(request);
      await answer(response, request, index);
    });
  }

  static async start(answer: Answer): Promise<LoopbackServer> {
    const loopback = new LoopbackServer(answer);
    await new Promise<void>((resolve) => loopback.#server.listen(0, '127.0.0.1', resolve));
    return loopback;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Returns the client's service for this server, with a token for its origin. */
  service(token = 'xaat-secret-token', organization?: string): Service {
    return new Service({
      general: this.url,
      edge: this.url,
      ...(organization !== undefined && { organization }),
      dispatcher: this.#dispatcher,
      token: async (origin) => (origin === this.url ? token : undefined),
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#dispatcher.destroy();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** Answers with JSON text. */
export function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(typeof value === 'string' ? value : JSON.stringify(value));
}

/** Starts a server that forwards requests to the local deployment. */
export function serveDeployment(local: Deployment): Promise<LoopbackServer> {
  return LoopbackServer.start(async (response, { method, url, body }) => {
    const answer = await local.call(method, url, body.length === 0 ? undefined : body);
    for (const [name, value] of answer.headers) response.setHeader(name, value);
    json(response, answer.status, answer.text);
  });
}
