// Compare Results: compares two results of this window and shows the differences as a new result.

import type * as vscode from 'vscode';
import { counted, grouped } from '../../../formats/src/counts.ts';
import type { AnswerTable } from '../../../table/src/answer.ts';
import { StoreError } from '../answers/storeError.ts';
import type { ResultTab } from '../answers/tabs.ts';
import type { Context } from '../context.ts';
import { resultsTimeZone } from '../host/settings.ts';
import { incomparable, othersToCompare } from '../results/comparable.ts';
import { resultOf, type TabResult } from '../results/resultOf.ts';
import { timeOfDay } from '../time/timeZone.ts';
import { registerCommand } from '../ui/commands.ts';
import { showQuickPick } from '../ui/inputs.ts';
import { showErrorMessage, showInformationMessage } from '../ui/notifications.ts';
import { showCancellable } from '../ui/progress.ts';
import { errorMessage } from '../words/errors.ts';

export function activate(context: Context): vscode.Disposable {
  return registerCommand('aplomb.compareResults', () => compare(context));
}

async function compare(context: Context) {
  const { tabs, store } = context;
  const sides = tabs.tabs.flatMap((tab) => resultOf(tab, store) ?? []);
  if (sides.length < 2)
    return void showInformationMessage(
      'There are fewer than two results. Pin a result to keep it while its query runs again.',
    );
  const after = await askSide(sides, 'The newer result', tabs.active);
  if (after === undefined) return undefined;
  const others = othersToCompare(sides, after);
  const before =
    others.length === 1 ? others[0] : await askSide(others, 'The result to compare with');
  if (before === undefined) return undefined;
  const reason = incomparable(before, after);
  if (reason !== undefined) return void showInformationMessage(reason);
  const keys = await askKeys(tableOf(before), tableOf(after));
  if (keys === undefined) return undefined;
  const title = `${before.tab.title} → ${after.tab.title}`;
  return showCancellable('Comparing results', async (signal, progress) => {
    try {
      await Promise.all([store.restore(before.answer.id), store.restore(after.answer.id)]);
      const { answer, added, removed, changed, unchanged } = await store.compare(
        placeOf(before),
        placeOf(after),
        keys,
        { ...after.answer.about, title, query: '', statesColumnOrder: true, askedAt: Date.now() },
        {
          signal,
          onProgress: ({ done, total }) =>
            progress.report({ message: `${Math.round((100 * done) / Math.max(1, total))}%` }),
        },
      );
      tabs.open({
        query: { text: '', title, statesColumnOrder: true },
        pinned: false,
        state: {
          kind: 'result',
          answer: answer.id,
          hint: {
            message: `${grouped(added)} added, ${grouped(removed)} removed, ${grouped(changed)} changed, ${grouped(unchanged)} unchanged.`,
            actions: [],
          },
        },
      });
      return { added, removed, changed, unchanged };
    } catch (error) {
      if (error instanceof StoreError && error.code === 'cancelled') return undefined;
      void showErrorMessage(`The results were not compared. ${errorMessage(error)}`);
      return undefined;
    }
  });
}

async function askSide(
  sides: readonly TabResult[],
  placeHolder: string,
  first?: ResultTab,
): Promise<TabResult | undefined> {
  const items = sides
    .map((side) => {
      const { about, head } = side.answer;
      const rowCount = head.tables[0]?.rowCount ?? 0;
      const rows = counted(rowCount, 'row');
      const time = timeOfDay(about.askedAt, resultsTimeZone());
      return {
        label: side.tab.title,
        description: `${rows} · ${about.rangeLabel} · ${about.deployment} · ${time}`,
        side,
      };
    })
    .sort((a, b) => Number(b.side.tab.id === first?.id) - Number(a.side.tab.id === first?.id));
  const chosen = await showQuickPick(items, {
    title: 'Compare Results',
    placeHolder,
  });
  return chosen?.side;
}

/** Asks for the columns that identify a row. Without a column, entire rows are compared. */
async function askKeys(
  before: AnswerTable | undefined,
  after: AnswerTable | undefined,
): Promise<readonly string[] | undefined> {
  const known = new Set(before?.fields.map(({ name }) => name));
  const groups = new Set(after?.groups);
  const shared = [...new Set(after?.fields.map(({ name }) => name))].filter((name) =>
    known.has(name),
  );
  const items = shared.map((label) => ({ label, picked: groups.has(label) }));
  const chosen = await showQuickPick(items, {
    title: 'Compare Results',
    placeHolder: 'Select the columns that identify a row, or none to compare entire rows',
    canPickMany: true,
  });
  return chosen?.map(({ label }) => label);
}

const placeOf = ({ answer }: TabResult) => ({ answer: answer.id, table: 0 });

function tableOf({ answer }: TabResult): AnswerTable | undefined {
  return answer.head.tables[0];
}
