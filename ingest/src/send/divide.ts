// What to send of a batch that the service refused as a whole because of what is in it. First the file is looked
// at closely for what is not an event, and the rest is rewritten; then the event that the service names is sent
// alone; else halves are sent. The number of requests is bounded.
import type { Batch, BatchReader } from '../contract.ts';
import { namedPlace } from './namedPlace.ts';
import type { Part } from './part.ts';
import { halves, placesOf, type Ranges, without } from './ranges.ts';

const REQUESTS_MAX = 64;

/** An event of a batch, looked at closely. */
export interface SeenEvent {
  readonly line: number;
  readonly lastLine: number;
  /** As in the file. */
  readonly text: string;
  /** RFC 3339, where the file has a time. */
  readonly time?: string;
  /** Why it is not an event. */
  readonly problem?: string;
}

export interface BrokenPlace {
  readonly place: number;
  readonly event: SeenEvent;
  readonly problem: string;
}

/** Parts to send instead, and what is left out of them. No parts: a single event, or the bound is reached. */
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
  /** What the service named last, until it is refused alone too. */
  #suspect: number | undefined;
  #namesWrongly = false;

  constructor(reader: BatchReader, whole: Batch) {
    this.#reader = reader;
    this.#whole = whole;
  }

  /** Whether the file was looked at closely, after which requests are rewritten. */
  get hasLooked(): boolean {
    return this.#hasLooked;
  }

  /** The events of the batch by their place. Rejects with the error of reading, or where the file has changed. */
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
