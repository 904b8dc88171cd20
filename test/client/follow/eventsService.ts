/** A service over real HTTP whose events arrive while a test runs. It can misbehave. */
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { arrivalColumn } from '../../../server/src/protocol.ts';
import { nanosOf } from '../../../table/src/columns/timeValues.ts';
import { bodyOf, type JsonColumn } from '../../table/tables.ts';
import { json, LoopbackServer, type Received } from '../loopback.ts';

export interface StoredEvent {
  readonly n: number;
  /** Milliseconds since 1970: when the event arrived, and when queries first find it. */
  readonly arrived: number;
  readonly visible: number;
  readonly time: number;
}

/** How a response misbehaves. */
export type Misbehaviour = 'late' | 'limited' | 'cut' | 'repeated' | 'broken' | 'unordered';

export class EventsService {
  readonly events: StoredEvent[] = [];
  readonly questions: string[] = [];
  /** Whether new events have an additional field. */
  hasNote = false;
  /** The number of running requests, and its maximum so far. */
  atOnce = 0;
  mostAtOnce = 0;
  readonly #now: () => number;
  readonly #cursors: boolean;
  readonly #misbehaviour: (request: number) => Misbehaviour | undefined;
  #loopback: LoopbackServer | undefined;

  private constructor(
    now: () => number,
    cursors: boolean,
    misbehaviour: (request: number) => Misbehaviour | undefined,
  ) {
    this.#now = now;
    this.#cursors = cursors;
    this.#misbehaviour = misbehaviour;
  }

  static async start(
    now: () => number,
    { cursors = true, misbehaviour = (_: number): Misbehaviour | undefined => undefined } = {},
  ): Promise<EventsService> {
    const service = new EventsService(now, cursors, misbehaviour);
    service.#loopback = await LoopbackServer.start((response, request, index) =>
      service.#answer(response, request, index),
    );
    return service;
  }

  get client() {
    return (this.#loopback as LoopbackServer).service();
  }

  /** Adds events that arrive now and are visible after a delay. */
  arrive(count: number, visibleAfter = 0, time = this.#now()): void {
    for (let index = 0; index < count; index++)
      this.events.push({
        n: this.events.length,
        arrived: this.#now(),
        visible: this.#now() + visibleAfter,
        time,
      });
  }

  async #answer(response: ServerResponse, request: Received, index: number): Promise<void> {
    this.atOnce += 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.atOnce);
    response.on('close', () => {
      this.atOnce -= 1;
    });
    const how = this.#misbehaviour(index);
    if (how === 'limited') {
      response.setHeader('x-ratelimit-reset', String(Math.ceil(Date.now() / 1_000) + 20));
      return json(response, 429, { code: 429, message: 'rate limit exceeded' });
    }
    if (how === 'broken') return json(response, 500, { message: 'broken' });
    if (how === 'late') await sleep(120);
    const body = this.#body(JSON.parse(request.body.toString()), how);
    if (how !== 'cut') return json(response, 200, body);
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
    response.write(body.slice(0, body.length / 2), () => response.destroy());
  }

  #body(
    { apl, includeCursorField }: { apl: string; includeCursorField?: boolean },
    how: Misbehaviour | undefined,
  ): string {
    this.questions.push(apl);
    const [, from = '1970-01-01T00:00:00Z'] = /_sysTime >= datetime\(([^)]+)\)/.exec(apl) ?? [];
    const limit = Number(/limit (\d+)/.exec(apl)?.[1]);
    const visible = this.events.filter(
      ({ arrived, visible }) =>
        visible <= this.#now() && BigInt(arrived) * 1_000_000n >= nanosOf(from),
    );
    visible.sort((one, other) => one.arrived - other.arrived || one.n - other.n);
    let rows = / desc\n/.test(apl) ? visible.slice(-limit) : visible.slice(0, limit);
    if (how === 'repeated') rows = rows.flatMap((row) => [row, row]);
    if (how === 'unordered') rows.reverse();
    const text = (time: number) =>
      JSON.stringify(new Date(time).toISOString().replace('.000Z', 'Z'));
    const columns: JsonColumn[] = [
      ['_time', 'datetime', rows.map(({ time }) => text(time))],
      ['_sysTime', 'datetime', rows.map(({ arrived }) => text(arrived))],
      // Without cursors, events come in pairs of equal content.
      ['n', 'integer', rows.map(({ n }) => String(this.#cursors ? n : n >> 1))],
      ['level', 'string', rows.map(({ n }) => JSON.stringify(['info', 'error'][n % 2]))],
      [arrivalColumn, 'datetime', rows.map(({ arrived }) => text(arrived))],
    ];
    if (!this.#cursors) columns.splice(3, 1);
    if (this.hasNote) columns.push(['note', 'string', rows.map(({ n }) => `"note ${n}"`)]);
    if (includeCursorField && this.#cursors)
      columns.push(['_cursor', 'string', rows.map(({ n }) => JSON.stringify(`cursor-${n}`))]);
    return bodyOf(columns);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await (this.#loopback as LoopbackServer)[Symbol.asyncDispose]();
  }
}
