// A TCP proxy on the loopback interface that treats each connection according to a seeded plan:
// forwards it, cuts it at a byte of the requests or responses, forwards it slowly, or responds that
// the service is busy.

import type { AddressInfo } from 'node:net';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../../local/random.ts';

export type Plan =
  | { readonly kind: 'pass' }
  /** Cuts the connection after this number of request or response bytes in total. */
  | {
      readonly kind: 'cut';
      readonly side: 'request' | 'answer';
      readonly after: number;
      readonly reset: boolean;
    }
  | { readonly kind: 'slow'; readonly bytesEach: number }
  | { readonly kind: 'busy'; readonly answer: string };

const busyAnswers: readonly (() => string)[] = [
  () => 'HTTP/1.1 429 Too Many Requests\r\nretry-after: 0',
  () => 'HTTP/1.1 503 Service Unavailable\r\nretry-after: 0',
  // In whole seconds, so the client waits for up to one second.
  () => `HTTP/1.1 429 Too Many Requests\r\nx-ratelimit-reset: ${Math.ceil(Date.now() / 1_000)}`,
];

/**
 * Returns a random plan for a connection. `requestBytes` is the approximate length of a request.
 */
export function randomPlan(random: Random, requestBytes: number): Plan {
  const kind = random(100);
  if (kind < 15) return { kind: 'pass' };
  const reset = random(2) === 0;
  if (kind < 50) return { kind: 'cut', side: 'request', after: random(4 * requestBytes), reset };
  if (kind < 80) return { kind: 'cut', side: 'answer', after: random(1_000), reset };
  if (kind < 87) return { kind: 'slow', bytesEach: 200 + random(2_000) };
  const body = '{"message":"Busy."}';
  const head = busyAnswers[random(busyAnswers.length)]?.();
  const answer = `${head}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`;
  return { kind: 'busy', answer };
}

export class CuttingProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  cuts = 0;

  private constructor(plan: () => Plan, target: () => number) {
    this.#server = createServer((client) => this.#serve(client, plan(), target()));
  }

  static async start(plan: () => Plan, target: () => number): Promise<CuttingProxy> {
    const proxy = new CuttingProxy(plan, target);
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #serve(client: Socket, plan: Plan, port: number): void {
    this.#watch(client);
    if (plan.kind === 'busy') {
      answerBusy(client, plan.answer);
      return;
    }
    const service = this.#watch(connect(port, '127.0.0.1'));
    const close = () => {
      client.destroy();
      service.destroy();
    };
    client.on('close', close);
    service.on('close', close);
    void this.#pass(client, service, plan, 'request').catch(close);
    void this.#pass(service, client, plan, 'answer').catch(close);
  }

  async #pass(from: Socket, to: Socket, plan: Plan, side: 'request' | 'answer'): Promise<void> {
    let passed = 0;
    for await (const chunk of from as AsyncIterable<Buffer>) {
      if (plan.kind === 'cut' && plan.side === side && passed + chunk.length >= plan.after) {
        this.cuts += 1;
        await written(to, chunk.subarray(0, plan.after - passed));
        for (const socket of [from, to]) {
          if (plan.reset) socket.resetAndDestroy();
          else socket.destroy();
        }
        return;
      }
      passed += chunk.length;
      if (plan.kind !== 'slow') await written(to, chunk);
      else {
        for (let at = 0; at < chunk.length; at += plan.bytesEach) {
          await written(to, chunk.subarray(at, at + plan.bytesEach));
          await sleep(1);
        }
      }
    }
    to.end();
  }

  #watch(socket: Socket): Socket {
    this.#sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => this.#sockets.delete(socket));
    return socket;
  }
}

/** Responds after receiving a complete request. */
function answerBusy(client: Socket, answer: string): void {
  let text = '';
  client.setEncoding('latin1');
  client.on('data', (chunk) => {
    text += chunk;
    const head = text.indexOf('\r\n\r\n');
    const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
    if (head >= 0 && text.length >= head + 4 + length) client.end(answer);
  });
}

function written(to: Socket, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) =>
    to.write(bytes, (error) => (error ? reject(error) : resolve())),
  );
}
