// The steps of a plan as a list with checkboxes, to leave some out, and to look at each. What would be deleted is not
// selected.
import * as vscode from 'vscode';
import type { Action, Plan, Step } from '../../../../resources/src/folder/plan.ts';
import { stepLine } from '../../../../resources/src/folder/words.ts';

const looks: Readonly<Record<Action, { readonly title: string; readonly icon: string }>> = {
  create: { title: 'Create', icon: 'diff-added' },
  change: { title: 'Change', icon: 'diff-modified' },
  delete: { title: 'Delete', icon: 'diff-removed' },
};

const compareButton: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon('diff'),
  tooltip: 'Show Changes',
};

interface StepItem extends vscode.QuickPickItem {
  readonly step?: Step;
}

interface Asking {
  readonly title: string;
  readonly compare: (step: Step) => Promise<void>;
}

/** Undefined where the list is left. */
export function askSteps(
  plan: Plan,
  { title, compare }: Asking,
): Promise<readonly Step[] | undefined> {
  const pick = vscode.window.createQuickPick<StepItem>();
  pick.title = title;
  pick.placeholder = 'Select what to apply';
  pick.canSelectMany = true;
  pick.ignoreFocusOut = true;
  pick.matchOnDescription = true;
  pick.items = itemsOf(plan);
  pick.selectedItems = pick.items.filter(({ step }) => step && step.action !== 'delete');
  return new Promise((resolve) => {
    pick.onDidTriggerItemButton(({ item }) => item.step && void compare(item.step));
    pick.onDidAccept(() => {
      resolve(pick.selectedItems.flatMap(({ step }) => (step ? [step] : [])));
      pick.hide();
    });
    pick.onDidHide(() => {
      resolve(undefined);
      pick.dispose();
    });
    pick.show();
  });
}

function itemsOf({ steps }: Plan): StepItem[] {
  return (Object.keys(looks) as Action[]).flatMap((action) => {
    const { title, icon } = looks[action];
    const of = steps.filter((step) => step.action === action);
    if (of.length === 0) return [];
    const separator: StepItem = { label: title, kind: vscode.QuickPickItemKind.Separator };
    return [
      separator,
      ...of.map((step): StepItem => {
        const label = `$(${icon}) ${step.words}`;
        const note = step.needsDataset === undefined ? {} : { detail: stepLine(step) };
        return { label, description: step.path, ...note, buttons: [compareButton], step };
      }),
    ];
  });
}
