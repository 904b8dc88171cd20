// Queries the number of events and their first and last time, which no other public endpoint returns.
import type { ReadResponse } from '../../../api/src/index.ts';
import { askForValue, bracketed, type Question } from './ask.ts';
import { failed, type Outcome } from './failure.ts';
import type { Service } from './service.ts';

type Table = NonNullable<ReadResponse<'queryEdge'>['tables']>[number];

const TIMEOUT_MS = 15_000;

export interface Extent {
  readonly events: number;
  /** The first and last event's times in RFC 3339. */
  readonly first: string;
  readonly last: string;
}

export type ExtentRange = Pick<Question, 'startTime' | 'endTime'>;

/** The time range for the local deployment, where reading all events is free. */
export const allTimes: ExtentRange = {
  startTime: '1677-09-22T00:00:00Z',
  endTime: '2262-04-11T00:00:00Z',
};

/** The time range for a hosted deployment, which limits the cost of reading. */
export const recentTimes: ExtentRange = { startTime: 'now-90d', endTime: 'now' };

/** Returns the datasets' combined extent; undefined if they have no events. */
export function fetchExtent(
  service: Service,
  datasets: readonly string[],
  range: ExtentRange,
): Promise<Outcome<Extent | undefined>> {
  const sources = datasets.map(bracketed);
  const source = sources.length === 1 ? sources[0] : `union ${sources.join(', ')}`;
  return askExtent(service, source as string, datasets, range);
}

/** Returns the extent of a dataset's events that arrived between two RFC 3339 times. */
export function fetchArrivedExtent(
  service: Service,
  dataset: string,
  arrived: { readonly from: string; readonly to: string },
  range: ExtentRange,
): Promise<Outcome<Extent | undefined>> {
  const { from, to } = arrived;
  const when = `where _sysTime between (datetime(${from}) .. datetime(${to}))`;
  return askExtent(service, `${bracketed(dataset)} | ${when}`, [dataset], range);
}

async function askExtent(
  service: Service,
  source: string,
  datasets: readonly string[],
  range: ExtentRange,
): Promise<Outcome<Extent | undefined>> {
  const apl = `${source} | summarize events = count(), first = min(_time), last = max(_time)`;
  const asking = { service, datasets, timeoutMs: TIMEOUT_MS };
  const answer = await askForValue({ apl, ...range }, asking);
  if (!answer.ok) return answer;
  const table = answer.value.tables?.[0];
  const value = (name: string) => columnOf(table, name)?.[0];
  const events = Number(value('events') ?? 0);
  if (events === 0) return { ok: true, value: undefined };
  const [first, last] = [value('first'), value('last')];
  if (typeof first === 'string' && typeof last === 'string') {
    return { ok: true, value: { events, first, last } };
  }
  return failed({
    kind: 'unreadable',
    host: service.connection.edge,
    message: `The response about the events of ${datasets.join(', ')} has no times.`,
  });
}

export function columnOf(table: Table | undefined, name: string): readonly unknown[] | undefined {
  const index = table?.fields.findIndex((field) => field.name === name) ?? -1;
  return table?.columns?.[index];
}
