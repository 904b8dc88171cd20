// Generates logs of a shop's services, with nested fields: context, HTTP, Kubernetes, and errors with a stack.
import type { Block } from './block.ts';
import { hex } from './people.ts';
import { type Random, Weighted } from './random.ts';
import type { Incident } from './timeline.ts';

interface Line {
  readonly severity: 'debug' | 'info' | 'warn';
  readonly message: (random: Random) => string;
  /** Additional members, as JSON text that begins with a comma. */
  readonly fields?: (random: Random) => string;
}

interface ErrorLine {
  readonly type: string;
  readonly message: (random: Random) => string;
  /** The stack frames, innermost first. */
  readonly stack: readonly string[];
}

interface ServiceLogs {
  readonly name: string;
  readonly lines: Weighted<Line>;
  readonly error: ErrorLine;
}

const routes = ['/api/cart', '/api/checkout', '/api/search', '/api/login', '/api/orders/{id}'];

/** A line logged by every service. */
const request: Line = {
  severity: 'info',
  message: () => 'request completed',
  fields: (random) => {
    const ms = Math.round(random.logNormal(38, 0.7) * 100) / 100;
    const status = random.chance(0.03) ? 404 : 200;
    return `,"http":{"method":"${random.chance(0.7) ? 'GET' : 'POST'}","route":"${random.of(routes)}","status_code":${status},"duration_ms":${ms}}`;
  },
};

const retry: Line = {
  severity: 'warn',
  message: (random) => `retrying request, attempt ${2 + random.below(3)} of 5`,
  fields: (random) =>
    `,"retry":{"attempt":${2 + random.below(3)},"delay_ms":${random.of([100, 200, 400, 800])}}`,
};

const cacheMiss: Line = {
  severity: 'debug',
  message: (random) => `cache miss for product:${1 + random.rank(800)}`,
  fields: (random) => `,"cache":{"hit":false,"size":${2_000 + random.below(500)}}`,
};

const services: Weighted<ServiceLogs> = new Weighted([
  [
    service(
      'checkout',
      {
        severity: 'info',
        message: (random) => `order ${50_000 + random.below(40_000)} placed`,
        fields: (random) =>
          `,"order":{"amount":${Math.round(random.logNormal(48, 0.9) * 100) / 100},"currency":"${random.of(['EUR', 'USD', 'GBP', 'JPY'])}","items":${1 + random.rank(9)}}`,
      },
      {
        type: 'PaymentTimeout',
        message: (random) =>
          `charge failed: no response from payment-${1 + random.below(3)} after 5000 ms`,
        stack: [
          'PaymentClient.charge (payment.ts:88)',
          'Checkout.pay (checkout.ts:141)',
          'Router.handle (router.ts:52)',
        ],
      },
    ),
    20,
  ],
  [
    service(
      'cart',
      {
        severity: 'info',
        message: () => 'item added',
        fields: (random) =>
          `,"item":{"sku":"SKU-${String(1 + random.rank(800)).padStart(4, '0')}","quantity":${1 + random.rank(5)}}`,
      },
      {
        type: 'VersionConflict',
        message: (random) => `cart ${hex(random.bits())} was changed by another request`,
        stack: [
          'CartStore.save (store.ts:64)',
          'Cart.add (cart.ts:37)',
          'Router.handle (router.ts:52)',
        ],
      },
    ),
    26,
  ],
  [
    service('catalog', cacheMiss, {
      type: 'QueryError',
      message: () => 'connection to the primary was lost while reading results',
      stack: [
        'Pool.query (pool.ts:203)',
        'Catalog.find (catalog.ts:71)',
        'Router.handle (router.ts:52)',
      ],
    }),
    30,
  ],
  [
    service(
      'auth',
      {
        severity: 'info',
        message: () => 'session created',
        fields: (random) =>
          `,"session":{"method":"${random.of(['password', 'sso', 'passkey'])}","ttl_s":3600}`,
      },
      {
        type: 'UpstreamUnavailable',
        message: () => 'identity provider answered 503',
        stack: [
          'Identity.verify (identity.ts:45)',
          'Login.post (login.ts:29)',
          'Router.handle (router.ts:52)',
        ],
      },
    ),
    16,
  ],
  [
    service(
      'worker',
      {
        severity: 'info',
        message: (random) => `job ${random.of(['mail', 'invoice', 'thumbnail', 'index'])} done`,
        fields: (random) =>
          `,"job":{"queue":"${random.of(['mail', 'billing', 'media'])}","duration_ms":${Math.round(random.logNormal(420, 0.9))},"attempts":${1 + random.rank(4)}}`,
      },
      {
        type: 'JobFailed',
        message: (random) => `job mail failed after ${3 + random.below(3)} attempts`,
        stack: ['Mailer.send (mailer.ts:112)', 'Worker.run (worker.ts:58)'],
      },
    ),
    8,
  ],
]);
const serviceCount = 5;
const serviceNames = ['checkout', 'cart', 'catalog', 'auth', 'worker'];

function service(name: string, own: Line, error: ErrorLine): ServiceLogs {
  const lines = new Weighted<Line>([
    [request, 50],
    [own, 38],
    [cacheMiss, 8],
    [retry, 4],
  ]);
  return { name, lines, error };
}

const plans = new Weighted([
  ['free', 70],
  ['pro', 24],
  ['enterprise', 6],
]);
const regions = ['eu-west-1', 'us-east-1', 'ap-south-1'];
const tags = ['canary', 'beta', 'mobile', 'batch', 'internal'];

export function writeAppLogs(block: Block): string {
  const { random, timeline, startMs, time } = block;
  let text = '';
  for (const offset of timeline.times(block.first, block.count, random)) {
    const from = services.pick(random);
    const at = startMs + Math.floor(offset);
    const fails = random.chance(failing(timeline.incidentAt(offset), from));
    const line = from.lines.pick(random);
    const severity = fails ? 'error' : line.severity;
    const message = fails ? from.error.message(random) : line.message(random);
    // A release happens in the last third of the span.
    const version = offset > timeline.spanMs * 0.68 ? '2.15.0' : '2.14.3';
    const pod = `${from.name}-${hex(random.below(4) * 0x2c1b3c6d).slice(0, 5)}`;
    text += `{"_time":"${time.milliseconds(at)}","severity":"${severity}","service":"${from.name}","message":${JSON.stringify(message)},"context":{"request_id":"${hex(random.bits())}${hex(random.bits())}","user":{"id":${10_000 + random.rank(40_000)},"plan":"${plans.pick(random)}"},"region":"${random.of(regions)}"},"kubernetes":{"pod":"${pod}","namespace":"shop","labels":{"app":"${from.name}","version":"${version}"}}`;
    if (fails) text += errorText(from.error, message);
    else if (line.fields !== undefined) text += line.fields(random);
    if (random.chance(0.15)) text += `,"tags":["${random.of(tags)}","v2"]`;
    text += '}\n';
  }
  return text;
}

/** Returns the probability that a service's line is an error. */
function failing(incident: Incident | undefined, from: ServiceLogs): number {
  if (incident === undefined) return 0.004;
  return serviceNames[incident.target % serviceCount] === from.name ? incident.failing : 0.012;
}

function errorText({ type, stack }: ErrorLine, message: string): string {
  return `,"error":${JSON.stringify({ type, message, stack })}`;
}
