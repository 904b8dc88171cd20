// Generates traces of a shop: spans with parents, durations that fit into them, and errors that start in the service
// affected by an incident and propagate up to the request.
import type { Block } from './block.ts';
import { hex } from './people.ts';
import { type Random, Weighted } from './random.ts';
import type { Incident } from './timeline.ts';

interface Operation {
  readonly service: string;
  readonly name: string;
  readonly kind: 'server' | 'client' | 'internal' | 'producer' | 'consumer';
  /** The operation's own work, without its calls. */
  readonly medianMs: number;
  readonly calls?: readonly Call[];
  /** Returns attributes as JSON text. `failed` is whether the span is an error. */
  readonly attributes?: (random: Random, failed: boolean) => string;
}

interface Call {
  readonly to: Operation;
  /** The probability of the call. Absent: always. */
  readonly chance?: number;
}

interface Span {
  readonly operation: Operation;
  readonly id: string;
  readonly parent: string | undefined;
  /** Nanoseconds from the start of the trace; the duration is in nanoseconds too. */
  readonly start: number;
  duration: number;
  failed: boolean;
}

function database(service: string, name: string, medianMs: number, statement: string): Operation {
  const attributes = JSON.stringify({ db: { system: 'postgresql', statement } });
  return { service, name, kind: 'client', medianMs, attributes: () => attributes };
}

const readCache: Operation = {
  service: 'catalog',
  name: 'GET product',
  kind: 'client',
  medianMs: 0.6,
  attributes: (random) => `{"cache":{"hit":${random.chance(0.82)}}}`,
};
const getProduct: Operation = {
  service: 'catalog',
  name: 'GetProduct',
  kind: 'server',
  medianMs: 3,
  calls: [
    { to: readCache },
    {
      to: database('catalog', 'SELECT products', 6, 'SELECT * FROM products WHERE id = $1'),
      chance: 0.25,
    },
  ],
};
const search: Operation = {
  service: 'search',
  name: 'Search',
  kind: 'server',
  medianMs: 24,
  attributes: (random) => `{"search":{"hits":${random.rank(400)},"shards":4}}`,
};
const session: Operation = {
  service: 'auth',
  name: 'CheckSession',
  kind: 'server',
  medianMs: 2.2,
  calls: [
    {
      to: database('auth', 'SELECT sessions', 1.8, 'SELECT * FROM sessions WHERE id = $1'),
      chance: 0.3,
    },
  ],
};
const loadCart: Operation = {
  service: 'cart',
  name: 'LoadCart',
  kind: 'server',
  medianMs: 2.5,
  calls: [
    { to: database('cart', 'SELECT carts', 4, 'SELECT * FROM carts WHERE user_id = $1') },
    { to: getProduct, chance: 0.6 },
    { to: getProduct, chance: 0.3 },
  ],
};
const charge: Operation = {
  service: 'payment',
  name: 'Charge',
  kind: 'server',
  medianMs: 140,
  attributes: (random, failed) =>
    `{"payment":{"provider":"${random.of(['card', 'wallet', 'transfer'])}","approved":${!failed}}}`,
};
const sendMail: Operation = {
  service: 'worker',
  name: 'send confirmation',
  kind: 'producer',
  medianMs: 1.5,
  attributes: () => '{"messaging":{"system":"queue","destination":"mail"}}',
};
const placeOrder: Operation = {
  service: 'checkout',
  name: 'PlaceOrder',
  kind: 'server',
  medianMs: 9,
  calls: [
    { to: loadCart },
    { to: charge },
    { to: database('checkout', 'INSERT orders', 7, 'INSERT INTO orders VALUES ($1, $2, $3)') },
    { to: sendMail, chance: 0.9 },
  ],
};

/** Creates a request, which begins at the frontend. */
function request(
  method: string,
  path: string,
  medianMs: number,
  calls: readonly Call[],
): Operation {
  return {
    service: 'frontend',
    name: `${method} ${path}`,
    kind: 'server',
    medianMs,
    calls,
    attributes: (_, failed) =>
      `{"http":{"method":"${method}","route":"${path}","status_code":${failed ? 500 : 200}}}`,
  };
}

const requests = new Weighted<Operation>([
  [request('GET', '/', 6, [{ to: session }, { to: getProduct }, { to: getProduct }]), 30],
  [request('GET', '/product/{id}', 4, [{ to: session }, { to: getProduct }]), 34],
  [request('GET', '/search', 5, [{ to: session }, { to: search }, { to: getProduct }]), 16],
  [request('GET', '/cart', 4, [{ to: session }, { to: loadCart }]), 12],
  [request('POST', '/checkout', 7, [{ to: session }, { to: placeOrder }]), 8],
]);
/** The services that incidents affect. */
const fragile = ['payment', 'catalog', 'search', 'cart', 'auth'];

/** The share of a caller's own time that precedes its calls. */
const BEFORE_CALLS = 0.4;
const NANOS_PER_MS = 1_000_000;

export function writeTraces(block: Block): string {
  const { random, timeline, startMs, endMs, time } = block;
  const times = timeline.times(block.first, block.count, random);
  let text = '';
  for (let event = 0; event < block.count; ) {
    const offset = times[event] as number;
    const incident = timeline.incidentAt(offset);
    const spans: Span[] = [];
    addSpan(random, spans, requests.pick(random), undefined, 0, {
      incident,
      spansMax: block.count - event,
    });
    const traceId = `${hex(random.bits())}${hex(random.bits())}${hex(random.bits())}${hex(random.bits())}`;
    // Moves a trace that would last beyond the sample's end.
    const duration = (spans[0] as Span).duration;
    const latest = endMs - Math.ceil(duration / NANOS_PER_MS) - 1;
    const ms = Math.min(startMs + Math.floor(offset), latest);
    const nanos = random.below(NANOS_PER_MS);
    for (const span of spans) {
      const { operation, failed } = span;
      const at = nanos + span.start;
      const ofMs = Math.floor(at / NANOS_PER_MS);
      const parent = span.parent === undefined ? '' : `"parent_span_id":"${span.parent}",`;
      const attributes = operation.attributes?.(random, failed);
      text += `{"_time":"${time.nanoseconds(ms + ofMs, at - ofMs * NANOS_PER_MS)}","trace_id":"${traceId}","span_id":"${span.id}",${parent}"name":"${operation.name}","service.name":"${operation.service}","kind":"${operation.kind}","duration":${span.duration},"error":${failed}${attributes === undefined ? '' : `,"attributes":${attributes}`}}\n`;
    }
    event += spans.length;
  }
  return text;
}

interface Conditions {
  readonly incident: Incident | undefined;
  /** Maximum number of spans. A trace at the end of a block omits calls that don't fit. */
  readonly spansMax: number;
}

/** Adds the span of an operation and those of its sequential calls. Returns the operation's span. */
function addSpan(
  random: Random,
  spans: Span[],
  operation: Operation,
  parent: string | undefined,
  start: number,
  conditions: Conditions,
): Span {
  const { incident, spansMax } = conditions;
  const hit =
    incident !== undefined && fragile[incident.target % fragile.length] === operation.service;
  const median = operation.medianMs * (hit ? incident.slowdown : 1);
  const own = Math.max(1_000, Math.round(random.logNormal(median, 0.5) * NANOS_PER_MS));
  const span: Span = {
    operation,
    id: `${hex(random.bits())}${hex(random.bits())}`,
    parent,
    start,
    duration: own,
    failed: random.chance(hit ? incident.failing : 0.0015),
  };
  spans.push(span);
  let at = Math.round(own * BEFORE_CALLS);
  for (const { to, chance } of operation.calls ?? []) {
    if (spans.length >= spansMax) break;
    if (chance !== undefined && !random.chance(chance)) continue;
    const called = addSpan(random, spans, to, span.id, start + at, conditions);
    at += called.duration;
    span.duration += called.duration;
    // Most callers can't continue without the result.
    if (called.failed && random.chance(0.85)) {
      span.failed = true;
      break;
    }
  }
  return span;
}
