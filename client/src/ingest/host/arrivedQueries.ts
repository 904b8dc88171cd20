// Queries for the events that a run stored, and for events in doubt (events that the service may have stored).
import type { Context } from '../../context.ts';
import { runApl } from '../../host/openApl.ts';
import { resultsTimeZone } from '../../host/settings.ts';
import {
  allTimes,
  type Extent,
  type ExtentRange,
  fetchArrivedExtent,
} from '../../service/extent.ts';
import { rangeAround } from '../../time/extentWords.ts';
import { rangeText } from '../../time/timeRange.ts';
import type { Span } from '../reportText.ts';
import { doubtQuery } from './doubtQuery.ts';
import type { ArrivedEvents } from './effects.ts';
import type { FinishedReport } from './engine.ts';
import type { IngestTarget } from './target.ts';

/** The maximum difference in milliseconds between this machine's clock and a hosted service's clock. */
const CLOCKS_DIFFER_MS = 60_000;
const RECENT_DAYS = 90;
const DAY_MS = 24 * 60 * 60 * 1_000;

type SendingTimes = Pick<ArrivedEvents, 'from' | 'to'>;

export class ArrivedQueries {
  readonly #context: Context;
  readonly #target: IngestTarget;

  constructor(context: Context, target: IngestTarget) {
    this.#context = context;
    this.#target = target;
  }

  /** Returns the time span of the stored events on a local deployment, where queries are free. */
  async span(arrived: ArrivedEvents): Promise<Extent | undefined> {
    return this.#target.profile.kind === 'local' ? this.#fetchSpan(arrived, allTimes) : undefined;
  }

  async queryArrived(events: ArrivedEvents): Promise<void> {
    const known = knownSpan(events.first, events.last, events);
    // Query for the other events: on a hosted deployment, the known span may only cover the first events.
    const found =
      this.#target.profile.kind === 'hosted'
        ? await this.#fetchSpan(events, around(known))
        : undefined;
    await this.#open(events.dataset, found ?? known, (source) => `${source}\n| take 100\n`);
  }

  /** Opens a query that counts the events in doubt. `sent` is the time span in which the file was sent. */
  async queryDoubt(report: FinishedReport, sent: SendingTimes): Promise<void> {
    const { firstTime, lastTime, dataset } = report;
    const span = knownSpan(firstTime, lastTime, sent);
    const times = this.#serviceTimes(sent);
    await this.#open(dataset, span, (source) => doubtQuery({ report, source, ...times }));
  }

  /** Opens and runs a query in a document that states its range and deployment. The window's range doesn't change. */
  async #open(dataset: string, span: Span, query: (source: string) => string): Promise<void> {
    const { deployments, language: server } = this.#context;
    const { name } = this.#target.profile;
    const lines = [
      `// range: ${rangeText(rangeAround({ events: 0, ...span }), resultsTimeZone())}`,
      ...(deployments.active.name === name ? [] : [`// deployment: ${name}`]),
      '',
      query(await server.quoteName(dataset)),
    ];
    await runApl(lines.join('\n'));
  }

  async #fetchSpan(events: ArrivedEvents, range: ExtentRange): Promise<Extent | undefined> {
    const service = await this.#target.service();
    if (!service.ok) return undefined;
    const arrived = this.#serviceTimes(events);
    const extent = await fetchArrivedExtent(service.value, events.dataset, arrived, range);
    return extent.ok ? extent.value : undefined;
  }

  /** Widens a span by the maximum clock difference. */
  #serviceTimes({ from, to }: SendingTimes): { readonly from: string; readonly to: string } {
    const apart = this.#target.profile.kind === 'local' ? 0 : CLOCKS_DIFFER_MS;
    return {
      from: new Date(from - apart).toISOString(),
      to: new Date(to + apart).toISOString(),
    };
  }
}

/** Returns the events' time span, or else the time span in which they were sent. */
function knownSpan(
  first: string | undefined,
  last: string | undefined,
  { from, to }: SendingTimes,
): Span {
  return first !== undefined && last !== undefined
    ? { first, last }
    : { first: new Date(from).toISOString(), last: new Date(to).toISOString() };
}

function around({ first, last }: Span): ExtentRange {
  const recently = Date.now() - RECENT_DAYS * DAY_MS;
  return {
    startTime: new Date(Math.min(Date.parse(first), recently)).toISOString(),
    endTime: new Date(Math.max(Date.parse(last) + DAY_MS, Date.now())).toISOString(),
  };
}
