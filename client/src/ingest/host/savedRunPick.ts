// Asks which interrupted run to resume.
import * as vscode from 'vscode';
import { counted } from '../../../../formats/src/counts.ts';
import { describeResumePosition, type SavedRun } from '../../../../ingest/src/send/savedRuns.ts';
import { answerOf, createQuickPick, type PickItem } from '../../ui/inputs.ts';
import { bytesInWords, doubtOf } from '../amounts.ts';

interface RunItem extends PickItem {
  readonly run: SavedRun;
}

/** Returns the chosen run. A button removes runs from the list. */
export function askForRun(
  runs: readonly SavedRun[],
  remove: (run: SavedRun) => Promise<void>,
): Promise<SavedRun | undefined> {
  const pick = createQuickPick<RunItem>();
  const button = { iconPath: new vscode.ThemeIcon('trash'), tooltip: 'Do Not Resume' };
  pick.title = 'Resume Ingest';
  pick.placeholder = 'Select the ingest to resume';
  pick.matchOnDetail = true;
  pick.items = runs.map((run) => ({ ...itemOf(run), buttons: [button] }));
  pick.onDidTriggerItemButton(({ item }) => {
    pick.items = pick.items.filter((other) => other !== item);
    void remove(item.run);
    if (pick.items.length === 0) pick.hide();
  });
  return answerOf(pick, (done) => done(pick.selectedItems[0]?.run));
}

function itemOf(run: SavedRun): RunItem {
  const { header, stored, fileBytes } = run;
  const { name, path, size } = header.file;
  const percent = size === 0 ? 0 : Math.floor((100 * fileBytes) / size);
  const doubt = doubtOf(run);
  const parts = [
    `${percent}% of ${bytesInWords(size)}`,
    `${counted(stored, 'event')} stored`,
    doubt > 0 ? `${counted(doubt, 'event')} in doubt` : '',
    `resumes at ${describeResumePosition(run)}`,
  ];
  return {
    run,
    label: name,
    description: `into ${header.dataset} on ${header.deployment}`,
    detail: [...parts.filter(Boolean), path ?? ''].join(' · '),
  };
}
