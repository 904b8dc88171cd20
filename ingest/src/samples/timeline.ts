// Distributes a sample's events and incidents over time: more by day than by night, in waves. Times are milliseconds
// from the start of the sample and don't depend on the clock, so another end time moves every event by the same amount.
import { Random } from './random.ts';
import type { SampleSettings } from './settings.ts';

/** A period in which something fails. */
export interface Incident {
  readonly startMs: number;
  readonly endMs: number;
  /** The share of affected requests that fail. */
  readonly failing: number;
  /** The factor by which the affected requests slow down. */
  readonly slowdown: number;
  /** Selects the affected service, area of routes or role of hosts: an index to take modulo their number. */
  readonly target: number;
}

const SLOTS = 8_192;
const DAY_MS = 86_400_000;

export class Timeline {
  readonly spanMs: number;
  readonly events: number;
  readonly incidents: readonly Incident[];
  readonly #slotMs: number;
  /** The number of events before each slot, followed by the total. */
  readonly #before: Float64Array;

  constructor({ seed, spanMs, events }: Pick<SampleSettings, 'seed' | 'spanMs' | 'events'>) {
    const random = new Random(seed, 0x71e);
    this.spanMs = spanMs;
    this.events = events;
    this.incidents = incidentsOf(random, spanMs);
    this.#slotMs = spanMs / SLOTS;
    this.#before = new Float64Array(SLOTS + 1);
    const weekend = random.below(7);
    const wave = { period: spanMs / random.between(5, 9), phase: random.between(0, 2 * Math.PI) };
    for (let slot = 0; slot < SLOTS; slot += 1) {
      const untilEnd = spanMs - (slot + 0.5) * this.#slotMs;
      const swell = 1 + 0.18 * Math.sin((2 * Math.PI * untilEnd) / wave.period + wave.phase);
      const weight = rhythm(untilEnd, weekend) * swell * random.logNormal(1, 0.12);
      this.#before[slot + 1] = (this.#before[slot] as number) + weight;
    }
    const total = this.#before[SLOTS] as number;
    for (let slot = 1; slot <= SLOTS; slot += 1) {
      this.#before[slot] = Math.round((events * (this.#before[slot] as number)) / total);
    }
  }

  /** Returns the times of events by index, ascending. `random` places each within its share of a slot. */
  times(first: number, count: number, random: Random): Float64Array {
    const times = new Float64Array(count);
    let slot = this.#slotOf(first);
    for (let index = 0; index < count; index += 1) {
      const event = first + index;
      while (event >= (this.#before[slot + 1] as number)) slot += 1;
      const before = this.#before[slot] as number;
      const inSlot = (this.#before[slot + 1] as number) - before;
      times[index] = (slot + (event - before + random.unit()) / inSlot) * this.#slotMs;
    }
    return times;
  }

  /** Returns the incident at a time, or undefined. */
  incidentAt(ms: number): Incident | undefined {
    for (const incident of this.incidents) {
      if (ms >= incident.startMs && ms < incident.endMs) return incident;
    }
    return undefined;
  }

  /** Returns the last slot whose first event is this one or an earlier one. */
  #slotOf(event: number): number {
    let low = 0;
    let high = SLOTS - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#before[middle] as number) <= event) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/** Returns the relative activity, around 1. The sample ends in the afternoon, and two days of seven are quiet. */
export function rhythm(untilEndMs: number, weekend: number): number {
  const days = untilEndMs / DAY_MS;
  const hour = 2 * Math.PI * days;
  const daily = 1 + 0.55 * Math.cos(hour - 0.3) + 0.12 * Math.cos(2 * hour + 0.8);
  const weekday = (Math.floor(days + 0.6) + 7 - weekend) % 7;
  // The last day of a sample is always a working day.
  return daily * (days >= 1 && weekday < 2 ? 0.6 : 1);
}

/**
 * Creates at least three incidents, each in its own part of the span. The last is near the end, which users see first.
 */
function incidentsOf(random: Random, spanMs: number): Incident[] {
  const count = Math.min(12, 3 + Math.floor(spanMs / (2 * DAY_MS)));
  const partMs = spanMs / count;
  return Array.from({ length: count }, (_, index) => {
    const lengthMs = partMs * random.between(0.05, 0.14);
    const startMs = partMs * (index + random.between(0.25, 0.75));
    return {
      startMs,
      endMs: startMs + lengthMs,
      failing: random.between(0.25, 0.65),
      slowdown: random.between(2, 6),
      target: random.below(1_000),
    };
  });
}
