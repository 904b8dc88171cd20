/**
 * Sample data is determined by its seed, every batch can be generated independently, and the events
 * are realistic.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Batch } from '../../../ingest/src/contract.ts';
import { SampleReader } from '../../../ingest/src/samples/sampleReader.ts';
import type { SampleKind, SampleSettings } from '../../../ingest/src/samples/settings.ts';
import { Timeline } from '../../../ingest/src/samples/timeline.ts';

const kinds: readonly SampleKind[] = ['http-logs', 'app-logs', 'traces', 'metrics'];
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const endMs = Date.parse('2026-03-01T15:04:05.678Z');

type Event = Readonly<Record<string, unknown>> & { readonly _time: string };

function settings(kind: SampleKind, more: Partial<SampleSettings> = {}): SampleSettings {
  return { kind, events: 12_345, spanMs: DAY_MS, endMs, seed: 7, ...more };
}

async function batchesOf(asked: SampleSettings, from?: Batch['start']): Promise<Batch[]> {
  const batches: Batch[] = [];
  for await (const batch of new SampleReader(asked).batches(from)) batches.push(batch);
  return batches;
}

async function textOf(asked: SampleSettings): Promise<string> {
  return Buffer.concat((await batchesOf(asked)).map(({ body }) => body)).toString();
}

async function eventsOf(asked: SampleSettings): Promise<Event[]> {
  const lines = (await textOf(asked)).split('\n');
  assert.equal(lines.pop(), '', 'the last line has a line feed');
  return lines.map((line) => JSON.parse(line));
}

/** Returns nanoseconds since 1970. */
function nanos(time: string): bigint {
  const [, seconds, fraction = ''] = /^(.*?)(?:\.(\d+))?Z$/.exec(time) ?? [];
  return BigInt(Date.parse(`${seconds}Z`)) * 1_000_000n + BigInt(fraction.padEnd(9, '0'));
}

for (const kind of kinds) {
  describe(`a sample of ${kind}`, () => {
    it('has the requested number of events and is reproducible by its seed', async () => {
      for (const events of [1, 10, 999, 8_000, 12_345]) {
        const asked = settings(kind, { events });
        assert.equal((await eventsOf(asked)).length, events);
      }
      assert.equal(await textOf(settings(kind)), await textOf(settings(kind)));
      assert.notEqual(await textOf(settings(kind)), await textOf(settings(kind, { seed: 8 })));
    });

    it('changes only its times if its end moves', async () => {
      const movedMs = 5 * HOUR_MS + 1_234;
      const early = await eventsOf(settings(kind));
      const late = await eventsOf(settings(kind, { endMs: endMs + movedMs }));
      for (const [index, event] of early.entries()) {
        const moved = late[index] as Event;
        assert.equal(nanos(moved._time) - nanos(event._time), BigInt(movedMs) * 1_000_000n);
        assert.deepEqual({ ...moved, _time: '' }, { ...event, _time: '' });
      }
    });

    it('fills its time range and has no event outside it', async () => {
      for (const spanMs of [60_000, HOUR_MS, 7 * DAY_MS]) {
        const events = await eventsOf(settings(kind, { spanMs }));
        const times = events.map(({ _time }) => Date.parse(_time));
        assert.ok(Math.min(...times) >= endMs - spanMs, 'none is too early');
        assert.ok(Math.max(...times) <= endMs, 'none is in the future');
        assert.ok(Math.min(...times) < endMs - spanMs * 0.98, 'it starts at the start');
        assert.ok(Math.max(...times) > endMs - spanMs * 0.02, 'it ends at the end');
      }
    });

    it('can be resumed at the end of any batch', async () => {
      const asked = settings(kind);
      const all = await batchesOf(asked);
      assert.equal(all.length, 2);
      for (const [index, batch] of all.entries()) {
        assert.deepEqual(await batchesOf(asked, batch.end), all.slice(index + 1));
      }
    });

    it('stays within the request limits of any service, even at its largest', async () => {
      const asked = settings(kind, { events: 10_000_000, spanMs: 30 * DAY_MS });
      const reader = new SampleReader(asked);
      let read = 0;
      // Starts in the middle, without generating the preceding batches.
      const middle = { batch: 625, events: 5_000_000, broken: 0, offset: 0, line: 1, stored: 0 };
      for await (const batch of reader.batches(middle)) {
        assert.ok(batch.bytes < 4 * 1024 * 1024, `${batch.bytes} bytes`);
        assert.ok(batch.events <= 10_000);
        const first = JSON.parse(Buffer.from(batch.body).toString().split('\n')[0] as string);
        const days = (endMs - Date.parse(first._time)) / DAY_MS;
        assert.ok(days > 5 && days < 25, `${days} days before the end`);
        read += 1;
        if (read === 3) break;
      }
    });
  });
}

describe('sample events', () => {
  const large = (kind: SampleKind, spanMs = 3 * DAY_MS) =>
    settings(kind, { events: 60_000, spanMs });

  /** Returns the failure rates during incidents and outside them. */
  async function failures(kind: SampleKind, fails: (event: Event) => boolean) {
    const asked = large(kind);
    const timeline = new Timeline(asked);
    const counts = { in: [0, 0], out: [0, 0] };
    for (const event of await eventsOf(asked)) {
      const at = Date.parse(event._time) - (asked.endMs - asked.spanMs);
      const count = timeline.incidentAt(at) === undefined ? counts.out : counts.in;
      count[0] = (count[0] as number) + 1;
      if (fails(event)) count[1] = (count[1] as number) + 1;
    }
    const share = ([all, failed]: number[]) => (failed as number) / (all as number);
    return { inside: share(counts.in), outside: share(counts.out) };
  }

  it('fail in bursts', async () => {
    const rates = [
      await failures('http-logs', ({ status }) => (status as number) >= 500),
      await failures('app-logs', ({ severity }) => severity === 'error'),
      await failures('traces', ({ error }) => error === true),
    ];
    for (const { inside, outside } of rates) {
      assert.ok(outside > 0 && outside < 0.02, `outside ${outside}`);
      assert.ok(inside > 5 * outside, `inside ${inside}, outside ${outside}`);
    }
  });

  it('are more frequent by day than by night', async () => {
    for (const kind of ['http-logs', 'app-logs', 'traces'] as const) {
      const perHour = new Array<number>(24).fill(0);
      for (const { _time } of await eventsOf(large(kind))) {
        const hour = Math.floor((endMs - Date.parse(_time)) / HOUR_MS) % 24;
        perHour[hour] = (perHour[hour] as number) + 1;
      }
      assert.ok(Math.max(...perHour) > 1.8 * Math.min(...perHour), perHour.join(' '));
    }
  });

  it('have durations with a long tail', async () => {
    const events = await eventsOf(large('http-logs'));
    const sorted = events
      .filter(({ uri, status }) => uri === '/' && status === 200)
      .map(({ req_duration_ms }) => req_duration_ms as number)
      .sort((a, b) => a - b);
    const at = (share: number) => sorted[Math.floor(sorted.length * share)] as number;
    assert.ok(at(0.5) > 10 && at(0.5) < 30, `median ${at(0.5)}`);
    assert.ok(at(0.99) > 3 * at(0.5), 'the slowest are far slower');
    assert.ok(at(0.5) - at(0.01) < at(0.99) - at(0.5), 'the tail is on one side');
  });

  it('of application logs have nested fields, and errors have a stack', async () => {
    const events = await eventsOf(settings('app-logs'));
    const logs = events as unknown as readonly {
      readonly severity: string;
      readonly message: string;
      readonly context: { readonly user: { readonly id: unknown; readonly plan: unknown } };
      readonly kubernetes: { readonly pod: string };
      readonly error?: { readonly message: string; readonly stack: readonly string[] };
    }[];
    const failed = logs.filter(({ severity }) => severity === 'error');
    assert.ok(failed.length > 100);
    for (const { message, error } of failed) {
      assert.match(error?.stack[0] ?? '', /^\w+\.\w+ \(\w+\.ts:\d+\)$/);
      assert.equal(error?.message, message);
    }
    assert.deepEqual([...new Set(logs.map(({ context }) => context.user.plan))].sort(), [
      'enterprise',
      'free',
      'pro',
    ]);
    assert.equal(new Set(logs.map(({ kubernetes }) => kubernetes.pod)).size, 20);
  });

  it("of traces form trees whose spans are within their parents' time", async () => {
    const traces = new Map<unknown, Event[]>();
    for (const span of await eventsOf(settings('traces'))) {
      traces.set(span['trace_id'], [...(traces.get(span['trace_id']) ?? []), span]);
    }
    let deepest = 0;
    for (const spans of traces.values()) {
      const byId = new Map(spans.map((span) => [span['span_id'], span]));
      assert.equal(byId.size, spans.length, 'ids are unique');
      assert.equal(spans.filter((span) => span['parent_span_id'] === undefined).length, 1);
      for (const span of spans) {
        const start = nanos(span._time);
        const end = start + BigInt(span['duration'] as number);
        assert.ok(end <= BigInt(endMs) * 1_000_000n, 'it ends by the end of the sample');
        if (span['parent_span_id'] === undefined) continue;
        const parent = byId.get(span['parent_span_id']);
        assert.ok(parent, 'the parent is in the trace');
        assert.ok(start >= nanos(parent._time));
        assert.ok(end <= nanos(parent._time) + BigInt(parent['duration'] as number));
      }
      const depth = (span: Event | undefined): number =>
        span === undefined ? 0 : 1 + depth(byId.get(span['parent_span_id']));
      deepest = Math.max(deepest, ...spans.map(depth));
    }
    assert.ok(deepest >= 4, `${deepest} levels`);
    assert.ok(traces.size > 1_000);
  });

  it('of metrics are series with a fixed interval, and counters only reset on a host restart', async () => {
    const events = await eventsOf(settings('metrics', { events: 20_000, spanMs: DAY_MS }));
    const hosts = new Map<unknown, Event[]>();
    for (const event of events) {
      hosts.set(event['host'], [...(hosts.get(event['host']) ?? []), event]);
    }
    assert.ok(hosts.size >= 8);
    const longest = Math.max(...[...hosts.values()].map((series) => series.length));
    for (const series of hosts.values()) {
      const times = series.map(({ _time }) => Date.parse(_time));
      const steps = new Set(times.slice(1).map((time, index) => time - (times[index] as number)));
      assert.equal(steps.size, 1, `steps of ${[...steps].join(', ')} ms`);
      let restarts = 0;
      for (const [index, event] of series.slice(1).entries()) {
        const before = series[index] as Event;
        const grew = (event['requests_total'] as number) >= (before['requests_total'] as number);
        const up = (event['uptime_s'] as number) > (before['uptime_s'] as number);
        assert.equal(grew, up, 'a counter starts again with its host');
        if (!up) restarts += 1;
      }
      // The last host joins late and may have missed its restart.
      assert.ok(restarts === 1 || (restarts === 0 && series.length < longest));
      for (const { cpu_percent } of series) {
        assert.ok((cpu_percent as number) > 0 && (cpu_percent as number) <= 100);
      }
    }
  });
});
