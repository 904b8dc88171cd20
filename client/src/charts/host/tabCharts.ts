// Charts in the results view. A chosen range is written to the file's range comment or set for its document.
import * as vscode from 'vscode';
import type { ResultsStore } from '../../answers/resultsStore.ts';
import type { ResultTab, ResultTabs } from '../../answers/tabs.ts';
import type { Deployments } from '../../deployments/deployments.ts';
import { rangeLine } from '../../deployments/fileLines.ts';
import { answerLimits, resultsTimeZone } from '../../host/settings.ts';
import type { LanguageServer } from '../../languageServer/languageClient.ts';
import { documentFilters } from '../../query/addFilter.ts';
import type { AskInTab } from '../../query/answerService.ts';
import { answerProfile } from '../../query/answerService.ts';
import { queryOf } from '../../query/query.ts';
import type { QueryRunner, Task } from '../../query/runner.ts';
import type { Answers } from '../../query/storedAnswers.ts';
import { writeFileLine } from '../../query/writeFileLine.ts';
import { parseTimeRange } from '../../time/parseTimeRange.ts';
import { rangeText } from '../../time/timeRange.ts';
import type { TimeRangeState } from '../../time/timeRangeState.ts';
import { ChartSession, type ChartSurface } from './chartSession.ts';
import type { SharedCharts } from './sharedCharts.ts';

interface TabChartsParts {
  readonly deployments: Deployments;
  readonly timeRange: TimeRangeState;
  readonly language: LanguageServer;
  readonly tabs: ResultTabs;
  readonly store: ResultsStore;
  readonly answers: Answers;
  readonly runner: QueryRunner;
  readonly shared: SharedCharts;
}

/** Previous ranges are stored as text: as the user wrote them, or formatted if the user wrote none. */
export function tabCharts(parts: TabChartsParts): ChartSession<string> {
  const { tabs, timeRange, runner, language, deployments } = parts;
  const surface: ChartSurface<string> = {
    owner: ({ id }) => tabs.tab(id)?.id,
    rangeOf: async (tab) => {
      const { rangeText: stated, place } = tab.query;
      const written = (await statedRange(tab))?.line.text;
      return written ?? stated ?? rangeText(timeRange.of(place?.uri), resultsTimeZone());
    },
    setRange: async (tab, given) => {
      const zone = resultsTimeZone();
      const isWritten = typeof given === 'string';
      const range = isWritten ? parseTimeRange(given, Date.now(), zone) : given;
      if (typeof range === 'string') return undefined;
      const query = queryOf(tab.query);
      const { place, rangeText: stated } = tab.query;
      const found = await statedRange(tab);
      if (found)
        await writeFileLine(found.document, found.line, isWritten ? given : rangeText(range, zone));
      else if (place) timeRange.setOf(place.uri, range);
      // A query without a range comment uses the range set for its document.
      if (stated === undefined && query.place !== undefined) return { query };
      return { query: { ...query, rangeText: rangeText(range, zone) } };
    },
    filters: documentFilters(language),
    runAgain: (tab, query = queryOf(tab.query)) => {
      const ended = runner.run([query]);
      // If the chart's tab is pinned, the run is in another tab, which is now active.
      return { owner: tabs.active?.id, ended };
    },
  };
  const askInTab: AskInTab = async (tab, progress, signal, deployment, work) => {
    const query = runner.queryOf(tab.id);
    const profile = answerProfile(deployments, deployment);
    if (query === undefined || !profile.ok) return profile.ok ? undefined : profile;
    const ask = (task: Task) => {
      task.report(progress);
      return work({ service: task.service, signal: AbortSignal.any([signal, task.signal]) });
    };
    const outcome = await runner.task(query, ask, profile.value);
    return outcome?.ok ? outcome.value : outcome;
  };
  return new ChartSession({ ...parts, surface, askInTab, limits: answerLimits });
}

/** Returns the document's range comment if it determined the range of the tab's query. */
async function statedRange({ query: { rangeText: stated, place } }: ResultTab) {
  if (stated === undefined || place === undefined) return undefined;
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(place.uri));
  const line = rangeLine(document.getText());
  return line && { document, line };
}
