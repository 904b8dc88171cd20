// Shows the active tab in the results view, which holds one state at a time.
import * as vscode from 'vscode';
import type { MemoryAnswers } from '../query/memoryAnswers.ts';
import type { ResultState } from './result.ts';
import type { ResultsViewProvider } from './resultsView.ts';
import type { ResultTab, ResultTabs, TabId } from './tabs.ts';

export function showActiveTab(
  tabs: ResultTabs,
  answers: MemoryAnswers,
  view: ResultsViewProvider,
  cancel: (tab: TabId) => void,
): vscode.Disposable {
  return vscode.Disposable.from(
    tabs.onDidChange(({ changed, activated, released }) => {
      for (const answer of released) answers.drop(answer);
      const { active } = tabs;
      if (active === undefined || !(activated || changed.includes(active.id))) return;
      view.show(resultState(active, answers));
    }),
    view.onCancel(() => tabs.active && cancel(tabs.active.id)),
  );
}

/** The state of a tab as the view shows it. */
export function resultState({ title, state }: ResultTab, answers: MemoryAnswers): ResultState {
  switch (state.kind) {
    case 'running':
      return { kind: 'running', title, startedAt: state.startedAt };
    case 'cancelled':
      return { kind: 'cancelled', title };
    case 'failed':
      return { ...state, title };
    case 'result': {
      const result = answers.result(state.answer);
      if (result === undefined) return { kind: 'empty' };
      const [action] = state.hint?.actions ?? [];
      const hint = state.hint && action && { message: state.hint.message, action };
      return { kind: 'result', result, ...(hint && { hint }) };
    }
  }
}
