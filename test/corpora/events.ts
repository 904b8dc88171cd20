/**
 * Events for the fields that queries use: values of the kinds that a query takes a field for, among them
 * those it compares the field with, and every so often none at all. The same seed gives the same events.
 */
import type { Random } from '../local/random.ts';
import type { Kind, Use } from './uses.ts';

export type Value = string | number | boolean | null | Value[] | { [key: string]: Value };

const second = 1_000_000_000;

/** Texts that the functions over texts can read, and some that hardly any can. */
const texts = [
  '',
  'plain words, nothing more',
  'São Paulo ☕ naïve 東京',
  'https://user:secret@example.com:8443/shop/cart/42?item=7&lang=de#top',
  '/api/v1/products/17?limit=20&sort=price',
  '10.1.2.3',
  '192.168.7.0/24',
  '2001:db8::ff00:42:8329',
  '{"level":"error","latency":12.5,"tags":["a","b"],"user":{"id":7,"name":"Ada"}}',
  '[1, 2.5, null, "four"]',
  'key1=value1 key2="two words" status=200',
  'level:warn,code:17;took:1h2m3s',
  'SGVsbG8sIHdvcmxkIQ==',
  'caf%C3%A9%20au%20lait',
  '2024-05-01T10:00:00.123456789Z',
  '1h30m',
  '42',
  '-3.75e2',
  'true',
  '12.5 MB',
  'user-17@example.org paid with 4111 1111 1111 1111',
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/125.0 Safari/537.36',
  'GET /index.html HTTP/1.1" 200 5123',
  '\u001b[31mred\u001b[0m text',
];

const words = ['alpha', 'beta', 'gamma', 'delta', 'alpha', ''];

/** The values of a field, each at its turn. */
export function fieldValue(use: Use, now: number, random: Random): Value {
  return valueOfKind(kindOf(use), use, now, random);
}

const kinds: readonly Kind[] = ['text', 'whole', 'real', 'truth', 'time', 'list', 'map', 'talk'];

/** The same, whatever the field is taken for. */
export function anyValue(use: Use, now: number, random: Random): Value {
  return valueOfKind(pick(kinds, random), use, now, random);
}

function valueOfKind(kind: Kind, use: Use, now: number, random: Random): Value {
  if (random(8) === 0) return null;
  const known = [...use.texts];
  switch (kind) {
    case 'text':
      return known.length > 0 && random(3) > 0 ? pick(known, random) : pick(texts, random);
    case 'whole':
      return Math.round(numberOf(use, random));
    case 'real':
      return numberOf(use, random);
    case 'truth':
      return random(2) === 0;
    case 'time':
      return new Date(now - random(3_600_000 * 48)).toISOString();
    case 'list':
      return listOf(random);
    case 'map':
      return mapOf(use, now, random);
    case 'talk':
      return talkOf(random);
  }
}

/** What a field is mostly taken for. Where nothing tells, it is text; numbers that compute are real. */
export function kindOf({ kinds, texts: compared, members }: Use): Kind {
  const [most] = [...kinds].sort(([, a], [, b]) => b - a);
  const kind = most?.[0] ?? (members.size > 0 ? 'map' : 'text');
  return kind === 'whole' && kinds.has('real') && compared.size === 0 ? 'real' : kind;
}

/** Mostly near what it is compared with, sometimes nothing, negative, or as large as a duration. */
function numberOf({ numbers }: Use, random: Random): number {
  const near = [...numbers];
  const base = near.length > 0 ? pick(near, random) : pick([1, 20, 300], random);
  switch (random(10)) {
    case 0:
      return 0;
    case 1:
      return -base;
    case 2:
      return random(90) * second;
    default:
      return Math.round(base * (random(2000) / 10)) / 100;
  }
}

function listOf(random: Random): Value {
  const length = random(6);
  const item = pick<() => Value>(
    [
      () => random(100),
      () => random(1000) / 8,
      () => pick(words, random),
      () => pick<Value>([null, true, random(9), pick(words, random), [1, 2]], random),
      () => ({ name: pick(words, random), count: random(9) }),
    ],
    random,
  );
  return Array.from({ length }, item);
}

function mapOf(use: Use, now: number, random: Random): Value {
  const members = [...use.members].map(([key, inner]) => [key, fieldValue(inner, now, random)]);
  const others = { id: random(50), name: pick(words, random), nested: { deep: [random(9)] } };
  return { ...others, ...Object.fromEntries(members) };
}

function talkOf(random: Random): Value {
  const call = {
    id: 'call_1',
    type: 'function',
    function: { name: 'lookup', arguments: '{"q":1}' },
  };
  const messages: Value[] = [
    { role: 'system', content: 'You are terse.' },
    { role: 'user', content: pick(texts, random) },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'call_1', content: '{"found":3}' },
    { role: 'assistant', content: pick(texts, random) },
  ];
  return messages.slice(0, random(messages.length + 1));
}

function pick<T>(of: readonly T[], random: Random): T {
  return of[random(of.length)] as T;
}
