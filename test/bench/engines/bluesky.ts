/**
 * Events of the shape of Bluesky's stream: its field names and nesting, kinds of event and collections by their share in
 * JSONBench's first million, about as many users of each, and members that only some records have. `subject` is a
 * string in some records and a map in others, as there.
 */

type Next = () => number;

interface Collection {
  readonly name: string;
  /** How many of a million events are in it. */
  readonly share: number;
  /** How many of a thousand of its events create a record. The rest delete one, or update one if `updates` is set. */
  readonly creates: number;
  readonly updates?: boolean;
  /** How many users there are. The first ones act most often. */
  readonly users: number;
  /** Gives the record's members, but its type and time. */
  readonly record: (next: Next) => string;
}

const collections: readonly Collection[] = [
  { name: 'feed.like', share: 448_944, creates: 990, users: 128_000, record: postSubject },
  { name: 'graph.follow', share: 360_374, creates: 938, users: 66_000, record: userSubject },
  { name: 'feed.post', share: 90_816, creates: 956, users: 97_000, record: post },
  { name: 'feed.repost', share: 58_540, creates: 974, users: 39_000, record: postSubject },
  { name: 'graph.block', share: 14_040, creates: 986, users: 7_700, record: userSubject },
  {
    name: 'actor.profile',
    share: 11_762,
    creates: 454,
    updates: true,
    users: 400_000,
    record: profile,
  },
  { name: 'graph.listitem', share: 8_103, creates: 934, users: 1_080, record: listItem },
  { name: 'graph.listblock', share: 895, creates: 961, users: 710, record: listSubject },
  {
    name: 'graph.starterpack',
    share: 405,
    creates: 257,
    updates: true,
    users: 300,
    record: starterPack,
  },
  { name: 'graph.list', share: 356, creates: 727, users: 300, record: list },
  { name: 'feed.threadgate', share: 255, creates: 894, users: 250, record: threadGate },
  { name: 'feed.postgate', share: 104, creates: 971, users: 90, record: postGate },
  { name: 'feed.generator', share: 74, creates: 135, updates: true, users: 40, record: generator },
];

const start = 1_732_206_349_000_167;
/** Mean time between two events, in microseconds. */
const GAP = 814;

const vocabulary = [
  ...[
    'the',
    'a',
    'of',
    'and',
    'to',
    'in',
    'is',
    'on',
    'it',
    'this',
    'with',
    'so',
    'day',
    'good',
    'new',
    'art',
  ],
  ...[
    'posted',
    'morning',
    'people',
    'think',
    'again',
    'really',
    'photo',
    'music',
    'world',
    'love',
    'today',
  ],
  ...[
    'gato',
    'manhã',
    'você',
    'não',
    'über',
    'schön',
    'für',
    'これ',
    '今日',
    '朝',
    'です',
    'いい',
    '고양이',
    '☕',
    '🦋',
    '✨',
  ],
];
const languages = [
  'en',
  'en',
  'en',
  'en',
  'pt',
  'pt',
  'ja',
  'ja',
  'es',
  'de',
  'fr',
  'ko',
  'tr',
  'nl',
];

/** An event as a line of NDJSON. Times increase with the row. */
export function blueskyEvent(row: number, next: Next): string {
  const time = start + row * GAP + (next() % GAP);
  const head = (user: string) => `{"did":"${user}","time_us":${time}`;
  let left = next() % 1_000_000;
  for (const collection of collections) {
    if (left < collection.share) {
      return `${head(userOf(collection.users, next))},"kind":"commit","commit":${commit(collection, time, next)}}\n`;
    }
    left -= collection.share;
  }
  const user = userOf(100_000, next);
  const who = `"did":"${user}","seq":${3_500_000_000 + row},"time":"${isoTime(time)}"`;
  return left % 2 === 0
    ? `${head(user)},"kind":"identity","identity":{${who},"handle":"${words(1, next)}.bsky.social"}}\n`
    : `${head(user)},"kind":"account","account":{"active":true,${who}}}\n`;
}

function commit({ name, creates, updates, record }: Collection, time: number, next: Next): string {
  const operation = next() % 1_000 < creates ? 'create' : updates ? 'update' : 'delete';
  const collection = `app.bsky.${name}`;
  const head = `{"rev":"${key(next)}","operation":"${operation}","collection":"${collection}","rkey":"${key(next)}"`;
  if (operation === 'delete') return `${head}}`;
  return `${head},"record":{"$type":"${collection}","createdAt":"${isoTime(time)}",${record(next)}},"cid":"${cid(next)}"}`;
}

function postSubject(next: Next): string {
  return `"subject":${reference(next)}`;
}

function userSubject(next: Next): string {
  return `"subject":"${anyUser(next)}"`;
}

function listSubject(next: Next): string {
  return `"subject":"${address('graph.list', next)}"`;
}

function listItem(next: Next): string {
  return `"list":"${address('graph.list', next)}",${userSubject(next)}`;
}

function post(next: Next): string {
  const members = [`"text":"${words(4 + (next() % 30), next)}"`];
  if (next() % 100 < 86) members.push(`"langs":["${pick(languages, next)}"]`);
  if (next() % 100 < 50)
    members.push(`"reply":{"parent":${reference(next)},"root":${reference(next)}}`);
  if (next() % 100 < 35) members.push(`"embed":${embed(next)}`);
  if (next() % 100 < 12) {
    const feature = `{"$type":"app.bsky.richtext.facet#tag","tag":"${words(1, next)}"}`;
    members.push(
      `"facets":[{"features":[${feature}],"index":{"byteEnd":${next() % 300},"byteStart":0}}]`,
    );
  }
  return members.join(',');
}

function embed(next: Next): string {
  const kind = next() % 10;
  if (kind < 5) {
    const ratio = `{"height":${500 + (next() % 1_500)},"width":${500 + (next() % 1_500)}}`;
    return `{"$type":"app.bsky.embed.images","images":[{"alt":"","aspectRatio":${ratio},"image":${blob(next)}}]}`;
  }
  if (kind < 8) {
    const page = `"title":"${words(6, next)}","uri":"https://news.example/${key(next)}"`;
    return `{"$type":"app.bsky.embed.external","external":{"description":"${words(15, next)}","thumb":${blob(next)},${page}}}`;
  }
  return `{"$type":"app.bsky.embed.record","record":${reference(next)}}`;
}

function profile(next: Next): string {
  const members = [`"displayName":"${words(2, next)}"`];
  if (next() % 2 === 0) members.push(`"description":"${words(next() % 25, next)}"`);
  if (next() % 10 < 8) members.push(`"avatar":${blob(next)}`);
  if (next() % 10 < 4) members.push(`"banner":${blob(next)}`);
  return members.join(',');
}

function starterPack(next: Next): string {
  return `"name":"${words(3, next)}","list":"${address('graph.list', next)}","feeds":[]`;
}

function list(next: Next): string {
  return `"name":"${words(2, next)}","purpose":"app.bsky.graph.defs#curatelist","description":"${words(8, next)}"`;
}

function threadGate(next: Next): string {
  return `"post":"${address('feed.post', next)}","allow":[{"$type":"app.bsky.feed.threadgate#followingRule"}]`;
}

function postGate(next: Next): string {
  return `"post":"${address('feed.post', next)}","embeddingRules":[{"$type":"app.bsky.feed.postgate#disableRule"}]`;
}

function generator(next: Next): string {
  return `"did":"did:web:feeds.example","displayName":"${words(2, next)}","description":"${words(9, next)}"`;
}

function reference(next: Next): string {
  return `{"cid":"${cid(next)}","uri":"${address('feed.post', next)}"}`;
}

function address(collection: string, next: Next): string {
  return `at://${anyUser(next)}/app.bsky.${collection}/${key(next)}`;
}

function blob(next: Next): string {
  return `{"$type":"blob","ref":{"$link":"${cid(next)}"},"mimeType":"image/jpeg","size":${next() % 1_000_000}}`;
}

/** A user's id: the square makes the first users act most often. */
function userOf(users: number, next: Next): string {
  const user = Math.floor(users * (next() / 2 ** 32) ** 2);
  const mixed = Math.imul(user + 1, 0x9e3779b1) >>> 0;
  const name = `${user.toString(32)}${mixed.toString(32)}${(mixed ^ 0x5bd1e995).toString(32)}`;
  return `did:plc:${name.replaceAll('-', 'x').padEnd(24, 'q2m7v4xk6ha3d5wz').slice(0, 24)}`;
}

function anyUser(next: Next): string {
  return userOf(1_000_000, next);
}

/** A key of 13 characters, and an id of content of 59. */
function key(next: Next): string {
  return `3lb${base32(next)}${base32(next)}`.slice(0, 13);
}

function cid(next: Next): string {
  return `bafyrei${base32(next)}${base32(next)}${base32(next)}${base32(next)}${base32(next)}${base32(next)}${base32(next)}${base32(next)}`
    .padEnd(59, 'a')
    .slice(0, 59);
}

function base32(next: Next): string {
  return next().toString(32).padStart(7, '2');
}

function words(count: number, next: Next): string {
  return Array.from({ length: count }, () => pick(vocabulary, next)).join(' ');
}

function pick<T>(values: readonly T[], next: Next): T {
  return values[next() % values.length] as T;
}

function isoTime(microseconds: number): string {
  return new Date(microseconds / 1_000).toISOString();
}
