/** A process that sends events to the local deployment at a rate, one request after the other, numbered from 0. */
import { setTimeout as sleep } from 'node:timers/promises';

const [url = '', token = '', rateText = ''] = process.argv.slice(2);
const rate = Number(rateText);
const everyMs = 100;
let count = 0;
let stopped = false;

async function post(path: string, body: object): Promise<void> {
  const answer = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(await answer.text());
  await answer.arrayBuffer();
}

/** Events whose times are late, equal and ahead. */
const event = (n: number, now: number) => ({
  _time: new Date(now - [0, 1, 600_000, -5_000][n % 4]!).toISOString(),
  n,
  level: ['info', 'warn', 'error'][n % 3],
  status: [200, 404, 500][n % 3],
  duration: (n % 1_000) / 7,
  host: `host-${n % 50}`,
  message: `Request ${n} for /api/items/${n % 977} took a while`,
  attributes: { region: `r${n % 5}`, trace: (n * 2_654_435_761) % 4_294_967_296 },
});

let sending = post('/v2/datasets', { name: 'fed' }).then(() =>
  post('/v1/ingest/fed', [event(count++, Date.now())]),
);
process.on('message', (message) => {
  if (message === 'stop') stopped = true;
  else void sending.then(() => process.send?.(count));
});
process.on('disconnect', () => process.exit());

await sending;
for (const began = Date.now(); !stopped; ) {
  const now = Date.now();
  const due = Math.floor(((now - began) * rate) / 1_000) - count;
  if (due > 0) {
    const events = Array.from({ length: Math.min(due, 10_000) }, () => event(count++, now));
    sending = post('/v1/ingest/fed', events);
    await sending;
  }
  await sleep(Math.max(0, everyMs - (Date.now() - now)));
}
