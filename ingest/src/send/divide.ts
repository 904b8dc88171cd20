// Divides a batch that the service refused because of its content. First the file's events are parsed, invalid ones are
// dropped and the rest is rewritten. Then the event named by the service is sent alone. Otherwise halves are sent. The
// number of requests is bounded.
import type { Batch, BatchReader } from '../contract.ts';
import { namedPlace } from './namedPlace.ts';
import type { Part } from './part.ts';
import { halves, placesOf, type Ranges, without } from './ranges.ts';

const REQUESTS_MAX = 64;

/** A parsed event of a batch. */
export interface SeenEvent {
  readonly line: number;
  readonly lastLine: number;
  /** The text as in the file. */
  readonly text: string;
  /** RFC 3339, if the file has a time. */
  readonly time?: string;
  /** The reason it isn't a valid event. */
  readonly problem?: string;
}

export interface BrokenPlace {
  readonly place: number;
  readonly event: SeenEvent;
  readonly problem: string;
}

/**
 * The parts to send instead, and the events left out. There are no parts for a single event, or at the request limit.
 */
export interface Division {
  readonly parts: readonly Ranges[];
  readonly broken: readonly BrokenPlace[];
}

export class Divider {
  readonly #reader: BatchReader;
  readonly #whole: Batch;
  #events: Promise<readonly SeenEvent[]> | undefined;
  #hasLooked = false;
  #requests = 0;
  /** The event the service named last, until it is also refused alone. */
  #suspect: number | undefined;
  #namesWrongly = false;

  constructor(reader: BatchReader, whole: Batch) {
    this.#reader = reader;
    this.#whole = whole;
  }

  /** Whether the file's events were parsed, after which requests are rewritten. */
  get hasLooked(): boolean {
    return this.#hasLooked;
  }

  /** Returns the batch's events by index. Rejects with a read error, or if the file has changed. */
  events(): Promise<readonly SeenEvent[]> {
    this.#events ??= this.#look();
    return this.#events;
  }

  async divide({ ranges, request }: Part, message: string): Promise<Division> {
    const places = placesOf(ranges);
    if (this.#hasLooked && places.length === 1) {
      if (places[0] === this.#suspect) this.#suspect = undefined;
      return { parts: [], broken: [] };
    }
    if (!this.#hasLooked) {
      const broken = await this.#brokenAmong(places);
      const rest = without(
        this.#whole.events,
        ranges,
        broken.map(({ place }) => place),
      );
      this.#hasLooked = true;
      return { parts: rest.length > 0 ? [rest] : [], broken };
    }
    this.#requests += 2;
    if (this.#requests > REQUESTS_MAX) return { parts: [], broken: [] };
    if (this.#suspect !== undefined) this.#namesWrongly = true;
    const named = this.#namesWrongly ? undefined : namedPlace(message, request);
    const place = named === undefined ? undefined : places[named];
    this.#suspect = place;
    if (place === undefined) return { parts: halves(ranges), broken: [] };
    const rest = without(this.#whole.events, ranges, [place]);
    return { parts: [[[place, place + 1]], rest], broken: [] };
  }

  async #brokenAmong(places: readonly number[]): Promise<BrokenPlace[]> {
    const events = await this.events();
    return places.flatMap((place) => {
      const event = events[place] as SeenEvent;
      return event.problem === undefined ? [] : [{ place, event, problem: event.problem }];
    });
  }

  async #look(): Promise<readonly SeenEvent[]> {
    const { start, end, events: count } = this.#whole;
    const { events, broken } = await this.#reader.events(start, end);
    if (events.length + broken.length !== count) {
      throw new Error('The file changed while it was read.');
    }
    const seen: SeenEvent[] = new Array(count);
    for (const event of events) seen[event.index] = event;
    for (const { reason, ...event } of broken) seen[event.index] = { ...event, problem: reason };
    return seen;
  }
}
