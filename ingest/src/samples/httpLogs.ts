// Generates access logs of a shop on several hosts. Each route has its own latency. Each incident affects one area.
import type { Block } from './block.ts';
import { cities, clientAddress, hex, userAgents } from './people.ts';
import { type Random, Weighted } from './random.ts';
import type { Incident } from './timeline.ts';

interface Route {
  readonly method: string;
  readonly uri: (random: Random) => string;
  readonly medianMs: number;
  readonly medianBytes: number;
  /** The status code on success. */
  readonly status: number;
  readonly area: Area;
}

type Area = 'catalog' | 'cart' | 'account' | 'static';
/** The areas that incidents affect. */
const areas: readonly Area[] = ['catalog', 'cart', 'account'];

const bundles = ['1f35a7c1', '8be02d44', 'c05d19f2'];
const searches = ['tent', 'boots', 'lamp', 'rope', 'stove', 'jacket', 'map', 'water+filter'];

const routes = new Weighted<Route>([
  [route('catalog', 'GET', () => '/', 18, 9_200), 18],
  [route('catalog', 'GET', (random) => `/product/${1 + random.rank(800)}`, 34, 14_500), 26],
  [route('catalog', 'GET', (random) => `/api/search?q=${random.of(searches)}`, 72, 5_100), 14],
  [route('cart', 'GET', () => '/api/cart', 26, 1_100), 12],
  [route('cart', 'POST', () => '/api/cart', 41, 420, 201), 6],
  [route('cart', 'DELETE', (random) => `/api/cart/${1 + random.below(20)}`, 30, 0, 204), 2],
  [route('cart', 'POST', () => '/api/checkout', 310, 780, 201), 3],
  [route('account', 'POST', () => '/api/login', 120, 310), 4],
  [route('account', 'PUT', () => '/api/profile', 65, 540), 1],
  [
    route('account', 'GET', (random) => `/api/orders/${10_000 + random.below(90_000)}`, 48, 2_300),
    5,
  ],
  [route('static', 'GET', (random) => `/static/app.${random.of(bundles)}.js`, 3, 182_000), 9],
  [route('static', 'GET', () => '/healthz', 1.2, 2), 5],
]);

function route(
  area: Area,
  method: string,
  uri: Route['uri'],
  medianMs: number,
  medianBytes: number,
  status = 200,
): Route {
  return { area, method, uri, medianMs, medianBytes, status };
}

/** The client errors outside incidents, with their weights. */
const clientErrors = new Weighted([
  [404, 60],
  [400, 14],
  [401, 14],
  [403, 7],
  [429, 5],
]);
const incidentErrors = new Weighted([
  [503, 62],
  [500, 22],
  [504, 16],
]);

const HOSTS = 6;
const USERS = 40_000;

export function writeHttpLogs(block: Block): string {
  const { random, timeline, startMs, time } = block;
  const times = timeline.times(block.first, block.count, random);
  let text = '';
  for (const offset of times) {
    const chosen = routes.pick(random);
    const incident = timeline.incidentAt(offset);
    const hit = incident !== undefined && isHit(incident, chosen);
    const status = statusOf(random, chosen, hit ? incident : undefined);
    const slowdown = hit ? incident.slowdown : incident === undefined ? 1 : 1.15;
    const ms = random.logNormal(chosen.medianMs * slowdown, 0.55) * (status === 504 ? 12 : 1);
    const bytes = status >= 400 ? 120 + random.below(200) : bytesOf(random, chosen);
    const at = startMs + Math.floor(offset);
    const nanos = random.below(1_000_000);
    text += `{"_time":"${time.nanoseconds(at, nanos)}","method":"${chosen.method}","uri":"${chosen.uri(random)}","status":${status},"req_duration_ms":${Math.round(ms * 1_000) / 1_000},"resp_size_bytes":${bytes},"host":"web-${1 + random.rank(HOSTS)}","client_ip":"${clientAddress(random)}","user_agent":${userAgents.pick(random)},"geo":${cities.pick(random)}`;
    if (random.chance(0.45)) text += `,"user_id":${10_000 + random.rank(USERS)}`;
    if (status >= 500 || random.chance(0.2)) {
      text += `,"trace_id":"${hex(random.bits())}${hex(random.bits())}${hex(random.bits())}${hex(random.bits())}"`;
    }
    text += '}\n';
  }
  return text;
}

function isHit(incident: Incident, { area }: Route): boolean {
  return areas[incident.target % areas.length] === area;
}

function statusOf(random: Random, { status }: Route, incident: Incident | undefined): number {
  if (incident !== undefined && random.chance(incident.failing)) return incidentErrors.pick(random);
  const fate = random.unit();
  if (fate < 0.002) return 500;
  if (fate < 0.035) return clientErrors.pick(random);
  if (fate < 0.12 && status === 200) return 304;
  return status;
}

function bytesOf(random: Random, { medianBytes }: Route): number {
  return medianBytes === 0 ? 0 : Math.round(random.logNormal(medianBytes, 0.4));
}
