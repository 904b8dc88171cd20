/**
 * A surface in one file: a page that shows the answer to one query with its chart. A range that is dragged in the chart
 * runs the query again. A test limits the file to 80 lines, because adding a surface must stay easy.
 */
import { AnswerSlots } from '../../../client/src/answers/slots.ts';
import { ChartSession, type SharedEffects } from '../../../client/src/charts/host/chartSession.ts';
import { aboutAnswer } from '../../../client/src/query/about.ts';
import type { Answers } from '../../../client/src/query/storedAnswers.ts';
import { AnswersHost } from '../../../client/src/results/host/answersHost.ts';
import type { AnswersHostParts } from '../../../client/src/results/host/parts.ts';
import { ask } from '../../../client/src/service/ask.ts';
import type { Service } from '../../../client/src/service/service.ts';
import { rangeLabel, rangeParameters, type TimeRange } from '../../../client/src/time/timeRange.ts';
import type { Pipe } from '../../../client/src/webview/hostChannel.ts';

interface ScratchParts extends Omit<AnswersHostParts, 'tabs' | 'charts' | 'runAgain'> {
  readonly answers: Answers;
  readonly service: Service;
  readonly shared: SharedEffects;
}

/** Runs a query and shows its answer on the results page at the other end of the pipe. */
export function openScratch(text: string, first: TimeRange, pipe: Pipe, parts: ScratchParts) {
  const { answers, service, effects } = parts;
  const query = { text, title: 'Scratch' };
  const slots = new AnswerSlots('scratch');
  const limits = { timeoutMs: 60_000 };
  let range = first;
  let running = new AbortController();

  const run = async (): Promise<void> => {
    running.abort();
    running = new AbortController();
    const { signal } = running;
    const askedAt = Date.now();
    const times = rangeParameters(range, askedAt);
    const request = { deployment: 'Local', ...times, rangeLabel: rangeLabel(range), askedAt };
    const pending = answers.begin(aboutAnswer(query, request));
    const answer = await ask({ apl: text, ...times }, { service, signal, ...limits }, pending);
    if (signal.aborted) answers.drop(pending.id);
    else if (answer.ok) slots.show(query, { kind: 'result', answer: pending.id });
    else slots.show(query, { kind: 'failed', message: answer.failure.message, actions: [] });
  };

  const charts = new ChartSession<TimeRange>({
    ...parts,
    tabs: slots,
    surface: {
      owner: () => slots,
      rangeOf: () => range,
      setRange: async (_, next) => {
        range = next;
        return {};
      },
      runAgain: () => ({ owner: slots, ended: run() }),
    },
    askInTab: (_tab, _progress, signal, _deployment, work) => work({ service, signal }),
    limits: () => limits,
  });
  const host = new AnswersHost({
    ...parts,
    tabs: slots,
    charts,
    effects: { ...effects, runAction: run },
    runAgain: () => ({ label: 'Run Again', command: 'scratch.run' }),
  });
  host.attach(pipe);
  void run();
  return {
    dispose: () => {
      running.abort();
      for (const { id } of slots.tabs) slots.close(id);
      host.dispose();
      charts.dispose();
    },
  };
}
