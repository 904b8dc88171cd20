// Queries the events that a run stored, or of which it is unknown whether they are stored.
import * as vscode from 'vscode';
import { allTimes, type Extent, type ExtentRange, fetchArrivedExtent } from '../../api/extent.ts';
import type { Context } from '../../context.ts';
import { resultsTimeZone } from '../../host/settings.ts';
import { languageId } from '../../languageServer/languageClient.ts';
import { rangeAround } from '../../time/extentWords.ts';
import { rangeText, type TimeRange } from '../../time/timeRange.ts';
import { doubtQuery } from './doubtQuery.ts';
import type { ArrivedEvents } from './effects.ts';
import type { FinishedReport } from './engine.ts';
import type { IngestTarget } from './target.ts';

/** The clocks of this machine and of a hosted service differ. */
const CLOCKS_DIFFER_MS = 60_000;
const RECENT_DAYS = 90;
const DAY_MS = 24 * 60 * 60 * 1_000;

export class ArrivedQueries {
  readonly #context: Context;
  readonly #target: IngestTarget;

  constructor(context: Context, target: IngestTarget) {
    this.#context = context;
    this.#target = target;
  }

  /** Returns the span of the arrived events on a local deployment, where it costs nothing to ask. */
  async span(arrived: ArrivedEvents): Promise<Extent | undefined> {
    return this.#target.profile.kind === 'local' ? this.#fetchSpan(arrived, allTimes) : undefined;
  }

  /** Queries the dataset in the range of the events. */
  async queryArrived(events: ArrivedEvents): Promise<void> {
    const { dataset, first, last, from, to } = events;
    const known =
      first !== undefined && last !== undefined
        ? { first, last }
        : { first: new Date(from).toISOString(), last: new Date(to).toISOString() };
    // The run on a hosted deployment knows at least the times of the first events.
    const found =
      this.#target.profile.kind === 'hosted'
        ? await this.#fetchSpan(events, around(known))
        : undefined;
    const lines = this.#fileLines(rangeAround({ events: 0, ...known, ...found }));
    const source = await this.#context.language.quoteName(dataset);
    await openQuery(`${lines}${source}\n| take 100\n`);
  }

  /** Queries the events in doubt of a report, whose events were sent at these times. */
  async queryDoubt(
    report: FinishedReport,
    { from, to }: { readonly from: number; readonly to: number },
  ): Promise<void> {
    const { firstTime: first, lastTime: last } = report;
    const range =
      first !== undefined && last !== undefined
        ? { first, last }
        : { first: new Date(from).toISOString(), last: new Date(to).toISOString() };
    const lines = this.#fileLines(rangeAround({ events: 0, ...range }));
    const source = await this.#context.language.quoteName(report.dataset);
    await openQuery(`${lines}${doubtQuery({ report, source, ...this.#serviceTimes(from, to) })}`);
  }

  /** Returns the lines of a file that state its deployment and range. The range of the window stays. */
  #fileLines(range: TimeRange): string {
    const { name } = this.#target.profile;
    const isActive = this.#context.deployments.active.name === name;
    const lines = [
      `// range: ${rangeText(range, resultsTimeZone())}`,
      ...(isActive ? [] : [`// deployment: ${name}`]),
    ];
    return `${lines.join('\n')}\n\n`;
  }

  async #fetchSpan(
    { dataset, from, to }: ArrivedEvents,
    range: ExtentRange,
  ): Promise<Extent | undefined> {
    const service = await this.#target.service();
    if (!service.ok) return undefined;
    const arrived = this.#serviceTimes(from, to);
    const extent = await fetchArrivedExtent(service.value, dataset, arrived, range);
    return extent.ok ? extent.value : undefined;
  }

  /** Widens a span by the difference that the service's clock may have. */
  #serviceTimes(from: number, to: number): { readonly from: string; readonly to: string } {
    const apart = this.#target.profile.kind === 'local' ? 0 : CLOCKS_DIFFER_MS;
    return {
      from: new Date(from - apart).toISOString(),
      to: new Date(to + apart).toISOString(),
    };
  }
}

/** Opens a document with a query at its end, and runs it. */
async function openQuery(content: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument({ language: languageId, content });
  const end = document.positionAt(content.trimEnd().length);
  await vscode.window.showTextDocument(document, {
    preview: false,
    selection: new vscode.Range(end, end),
  });
  await vscode.commands.executeCommand('aplomb.runQuery', document.uri);
}

/** Returns the recent days, and the known times of the events. */
function around({ first, last }: { readonly first: string; readonly last: string }): ExtentRange {
  const recently = Date.now() - RECENT_DAYS * DAY_MS;
  return {
    startTime: new Date(Math.min(Date.parse(first), recently)).toISOString(),
    endTime: new Date(Math.max(Date.parse(last) + DAY_MS, Date.now())).toISOString(),
  };
}
