// Divides a batch that the service refused because of its content. First the file's events are parsed, invalid ones are
// dropped and the rest is rewritten. Then the event named by the service is sent alone. Otherwise halves are sent. The
// number of requests is bounded.
import type { Batch, BatchReader } from '../contract.ts';
import { namedIndex } from './namedIndex.ts';
import type { Part } from './part.ts';
import { halves, indexesOf, type Ranges, without } from './ranges.ts';

const REQUESTS_MAX = 64;

/** A parsed event of a batch. */
export interface InspectedEvent {
  readonly line: number;
  readonly lastLine: number;
  /** The text as in the file. */
  readonly text: string;
  /** RFC 3339, if the file has a time. */
  readonly time?: string;
  /** The reason it isn't a valid event. */
  readonly problem?: string;
}

export interface BrokenEventAt {
  readonly index: number;
  readonly event: InspectedEvent;
  readonly problem: string;
}

/**
 * The parts to send instead, and the events left out. There are no parts for a single event, or at the request limit.
 */
export interface Division {
  readonly parts: readonly Ranges[];
  readonly broken: readonly BrokenEventAt[];
}

export class Divider {
  readonly #reader: BatchReader;
  readonly #batch: Batch;
  #events: Promise<readonly InspectedEvent[]> | undefined;
  #isParsed = false;
  #requests = 0;
  /** The event the service named last, until it is also refused alone. */
  #suspect: number | undefined;
  #hasNamedWrongEvent = false;

  constructor(reader: BatchReader, batch: Batch) {
    this.#reader = reader;
    this.#batch = batch;
  }

  /** Whether the file's events were parsed, after which requests are rewritten. */
  get isParsed(): boolean {
    return this.#isParsed;
  }

  /** Returns the batch's events by index. Rejects with a read error, or if the file has changed. */
  events(): Promise<readonly InspectedEvent[]> {
    this.#events ??= this.#parseEvents();
    return this.#events;
  }

  async divide({ ranges, request }: Part, message: string): Promise<Division> {
    const indexes = indexesOf(ranges);
    if (this.#isParsed && indexes.length === 1) {
      if (indexes[0] === this.#suspect) this.#suspect = undefined;
      return { parts: [], broken: [] };
    }
    if (!this.#isParsed) {
      const broken = await this.#findBroken(indexes);
      const remaining = without(
        this.#batch.events,
        ranges,
        broken.map(({ index }) => index),
      );
      this.#isParsed = true;
      return { parts: remaining.length > 0 ? [remaining] : [], broken };
    }
    this.#requests += 2;
    if (this.#requests > REQUESTS_MAX) return { parts: [], broken: [] };
    if (this.#suspect !== undefined) this.#hasNamedWrongEvent = true;
    const named = this.#hasNamedWrongEvent ? undefined : namedIndex(message, request);
    const suspect = named === undefined ? undefined : indexes[named];
    this.#suspect = suspect;
    if (suspect === undefined) return { parts: halves(ranges), broken: [] };
    const remaining = without(this.#batch.events, ranges, [suspect]);
    return { parts: [[[suspect, suspect + 1]], remaining], broken: [] };
  }

  async #findBroken(indexes: readonly number[]): Promise<BrokenEventAt[]> {
    const events = await this.events();
    return indexes.flatMap((index) => {
      const event = events[index] as InspectedEvent;
      return event.problem === undefined ? [] : [{ index, event, problem: event.problem }];
    });
  }

  async #parseEvents(): Promise<readonly InspectedEvent[]> {
    const { start, end, events: count } = this.#batch;
    const { events, broken } = await this.#reader.events(start, end);
    if (events.length + broken.length !== count) {
      throw new Error('The file changed while it was read.');
    }
    const inspected: InspectedEvent[] = new Array(count);
    for (const event of events) inspected[event.index] = event;
    for (const { reason, ...event } of broken)
      inspected[event.index] = { ...event, problem: reason };
    return inspected;
  }
}
