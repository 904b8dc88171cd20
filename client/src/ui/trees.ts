// Creates tree views with plain labels, descriptions, tooltips and messages. No other module may create them.
import * as vscode from 'vscode';
import { plainError } from './commands.ts';
import { applyRules, guarded, lineRule, linesRule, plainAccessibility } from './guarded.ts';

/** The time in milliseconds that VS Code needs to draw an empty tree's welcome view. */
const WELCOME_MS = 100;

const itemRules = {
  label: lineRule,
  description: lineRule,
  tooltip: linesRule,
  accessibilityInformation: plainAccessibility,
};

const views = new Map<string, { readonly visible: boolean }>();
/** The views in which an item was deleted after their items were last listed. */
const deletedIn = new Set<string>();

/** Reports a deletion. A tree without items loses the focus, so its welcome view gets it as soon as it is drawn. */
export function itemDeleted(id: string): void {
  if (views.get(id)?.visible) deletedIn.add(id);
}

export function createTreeView<T>(
  id: string,
  { treeDataProvider: provider, ...options }: vscode.TreeViewOptions<T>,
): vscode.TreeView<T> {
  const treeDataProvider: vscode.TreeDataProvider<T> = {
    ...(provider.onDidChangeTreeData && { onDidChangeTreeData: provider.onDidChangeTreeData }),
    getChildren: async (element) => {
      const children = await plainError(() => provider.getChildren(element));
      if (element === undefined && deletedIn.delete(id) && !children?.length)
        setTimeout(() => vscode.commands.executeCommand(`${id}.focus`), WELCOME_MS);
      return children;
    },
    getTreeItem: async (element) => applyRules(await provider.getTreeItem(element), itemRules),
    ...(provider.getParent && { getParent: (element) => provider.getParent?.(element) }),
  };
  const view = vscode.window.createTreeView(id, { ...options, treeDataProvider });
  views.set(id, view);
  return guarded(view, { title: lineRule, description: lineRule, message: linesRule });
}
