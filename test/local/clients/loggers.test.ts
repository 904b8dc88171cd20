// Loggers from the npm registry, unmodified, write to the local deployment: the events are stored
// as logged.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { after, before, describe, it } from 'node:test';
import { Axiom, AxiomWithoutBatching } from '@axiomhq/js';
import { AxiomJSTransport, Logger } from '@axiomhq/logging';
import pino from 'pino';
import winston from 'winston';
import { type Served, serve } from './served.ts';

let served: Served;
before(async () => {
  served = await serve();
});
after(() => served.close());

const require = createRequire(import.meta.url);

/**
 * Waits for `count` events in a dataset and returns them sorted by a member, because events of one
 * millisecond have no order.
 */
async function eventually(dataset: string, count: number, member = 'message') {
  const deadline = Date.now() + 10_000;
  for (;;) {
    const events = await served.events(dataset);
    // A query planned before the first events are stored does not know their fields.
    const matching = events.filter((event) => event[member] !== undefined);
    if (matching.length >= count) {
      return matching.sort((a, b) => (String(a[member]) < String(b[member]) ? -1 : 1));
    }
    assert.ok(Date.now() < deadline, `${events.length} of ${count} events are stored`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const addresses = [
  ['with a URL', ({ url }: Served) => ({ url })],
  ['with a URL and an edge', ({ url }: Served) => ({ url, edgeUrl: url })],
] as const;

for (const [index, [how, options]] of addresses.entries()) {
  it(`winston writes ${how}`, async () => {
    const dataset = await served.dataset(`winston-${index}`);
    const { WinstonTransport } = await import('@axiomhq/winston');
    const failed: Error[] = [];
    const transport = new WinstonTransport({
      ...{ dataset, token: served.token, ...options(served) },
      onError: (error: Error) => failed.push(error),
    });
    const logger = winston.createLogger({
      level: 'debug',
      format: winston.format.combine(winston.format.errors({ stack: true }), winston.format.json()),
      defaultMeta: { service: 'shop' },
      transports: [transport],
    });
    logger.info({ message: 'bought', price: 12.5, tags: ['a', 'b'] });
    logger.debug('looked', { item: { id: 7 } });
    logger.error(new Error('out of stock'));
    await new Promise((resolve) => setImmediate(resolve));
    transport.flush();
    const events = await eventually(dataset, 3);
    assert.deepEqual(failed, []);
    assert.deepEqual(
      events.map(({ message, level, service }) => [message, level, service]),
      [
        ['bought', 'info', 'shop'],
        ['looked', 'debug', 'shop'],
        ['out of stock', 'error', 'shop'],
      ],
    );
    const by = (message: string) => events.find((event) => event['message'] === message)!;
    assert.deepEqual([by('bought')['price'], by('bought')['tags']], [12.5, ['a', 'b']]);
    assert.equal(by('looked')['item.id'], 7);
    assert.match(String(by('out of stock')['stack']), /^Error: out of stock\n/);
  });

  it(`pino writes ${how}`, async () => {
    const dataset = await served.dataset(`pino-${index}`);
    // The transport runs in a worker thread, as usual for pino.
    const transport = pino.transport({
      target: '@axiomhq/pino',
      options: { dataset, token: served.token, ...options(served) },
    });
    const logger = pino({ level: 'trace', base: { service: 'shop' } }, transport);
    logger.info({ price: 12.5 }, 'bought');
    logger.child({ request: 'r1' }).warn('slow');
    logger.fatal({ err: new Error('out of stock') }, 'failed');
    transport.end();
    await once(transport, 'close');
    const events = await eventually(dataset, 3, 'msg');
    assert.deepEqual(
      events.map(({ msg, level, service }) => [msg, level, service]),
      [
        ['bought', 'info', 'shop'],
        ['failed', 'fatal', 'shop'],
        ['slow', 'warn', 'shop'],
      ],
    );
    assert.deepEqual([events[0]!['price'], events[2]!['request']], [12.5, 'r1']);
    assert.equal(events[1]!['err.message'], 'out of stock');
  });

  it(`@axiomhq/logging writes ${how}, immediately and in batches`, async () => {
    for (const Client of [Axiom, AxiomWithoutBatching]) {
      const dataset = await served.dataset(`logging-${index}-${Client.name}`);
      const axiom = new Client({ token: served.token, ...options(served) });
      const transport = new AxiomJSTransport({ axiom, dataset });
      const logger = new Logger({ transports: [transport], args: { service: 'shop' } });
      logger.info('bought', { price: 12.5 });
      logger.with({ request: 'r1' }).warn('slow');
      await logger.flush();
      const events = await eventually(dataset, 2);
      assert.deepEqual(
        events.map((event) => [event['message'], event['level'], event['fields.service']]),
        [
          ['bought', 'info', 'shop'],
          ['slow', 'warn', 'shop'],
        ],
      );
      assert.deepEqual([events[0]!['fields.price'], events[1]!['fields.request']], [12.5, 'r1']);
    }
  });
}

describe('next-axiom', () => {
  it('sends logged events, including outside Next.js', async () => {
    const dataset = await served.dataset('next');
    // The module reads its settings from the environment when loaded.
    Object.assign(process.env, {
      AXIOM_TOKEN: served.token,
      AXIOM_DATASET: dataset,
      AXIOM_URL: served.url,
    });
    const next = require('next-axiom/dist/logger.js') as NextAxiom;
    const log = new next.Logger({ autoFlush: false, source: 'test', args: { service: 'shop' } });
    log.info('bought', { price: 12.5 });
    log.with({ request: 'r1' }).error('failed', new Error('out of stock'));
    await log.flush();
    const events = await eventually(dataset, 2);
    assert.deepEqual(
      events.map((event) => [event['message'], event['level'], event['fields.service']]),
      [
        ['bought', 'info', 'shop'],
        ['failed', 'error', 'shop'],
      ],
    );
    assert.deepEqual([events[0]!['fields.price'], events[1]!['fields.request']], [12.5, 'r1']);
    assert.equal(events[1]!['fields.message'], 'out of stock');
  });
});

/** The part of the module used here, because the module's own declarations need Next.js. */
interface NextAxiom {
  readonly Logger: new (options: object) => NextLogger;
}

interface NextLogger {
  info(message: string, fields?: object): void;
  error(message: string, fields?: object): void;
  with(fields: object): NextLogger;
  flush(): Promise<unknown>;
}
