// Lists a plan's steps with checkboxes. Deletions and conflicts aren't selected by default.
import * as vscode from 'vscode';
import { explainConflict, stepLine } from '../../../../resources/src/folder/messages.ts';
import type { Action, Plan, Step } from '../../../../resources/src/folder/plan.ts';
import { answerOf, createQuickPick, type PickItem } from '../../ui/inputs.ts';
import { Icon, withIcons } from '../../ui/plain.ts';

interface Group {
  readonly title: string;
  readonly icon: string;
  readonly isSelected: boolean;
  readonly has: (step: Step) => boolean;
}

const isConflict = ({ action, conflict }: Step) => conflict !== undefined && action !== 'delete';
const groupOf = (action: Action) => (step: Step) => step.action === action && !isConflict(step);

const groups: readonly Group[] = [
  { title: 'Create', icon: 'diff-added', isSelected: true, has: groupOf('create') },
  { title: 'Change', icon: 'diff-modified', isSelected: true, has: groupOf('change') },
  { title: 'Delete', icon: 'diff-removed', isSelected: false, has: groupOf('delete') },
  { title: 'Conflict', icon: 'warning', isSelected: false, has: isConflict },
];

const compareButton: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon('diff'),
  tooltip: 'Show Changes',
};

interface StepItem extends PickItem {
  readonly step?: Step;
}

interface Asking {
  readonly title: string;
  readonly compare: (step: Step) => Promise<void>;
  /** Called when the focus moves to a step. */
  readonly look: (step: Step) => void;
}

/** Returns the selected steps; undefined if the list is dismissed. */
export function askSteps(
  plan: Plan,
  { title, compare, look }: Asking,
): Promise<readonly Step[] | undefined> {
  const pick = createQuickPick<StepItem>();
  pick.title = title;
  pick.placeholder = 'Select what to apply';
  pick.canSelectMany = true;
  pick.ignoreFocusOut = true;
  pick.matchOnDescription = true;
  pick.items = itemsOf(plan);
  const isSelected = (step: Step) => groups.some((group) => group.isSelected && group.has(step));
  pick.selectedItems = pick.items.filter(({ step }) => step && isSelected(step));
  pick.onDidChangeActive(([item]) => item?.step && look(item.step));
  pick.onDidTriggerItemButton(({ item }) => item.step && void compare(item.step));
  return answerOf(pick, (done) => done(pick.selectedItems.flatMap(({ step }) => step ?? [])));
}

function itemsOf({ steps, conflicts }: Plan): StepItem[] {
  const all = [...steps, ...conflicts];
  return groups.flatMap(({ title, icon, has }) => {
    const items = all.filter(has).map((step): StepItem => {
      const { path, needsDataset } = step;
      const detail =
        step.conflict !== undefined
          ? explainConflict(step)
          : needsDataset === undefined
            ? undefined
            : stepLine(step);
      const label = withIcons`${new Icon(icon)} ${step.label}`;
      return {
        label,
        description: path,
        ...(detail && { detail }),
        buttons: [compareButton],
        step,
      };
    });
    const separator: StepItem = { label: title, kind: vscode.QuickPickItemKind.Separator };
    return items.length === 0 ? [] : [separator, ...items];
  });
}
