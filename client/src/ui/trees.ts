// Tree views, the only way to make them: labels, descriptions, tooltips and messages come out plain.
import * as vscode from 'vscode';
import { plainError } from './commands.ts';
import { guarded, lineRule, linesRule, plainAccessibility, tooltipRule } from './guarded.ts';

export function createTreeView<T>(
  id: string,
  { treeDataProvider: provider, ...options }: vscode.TreeViewOptions<T>,
): vscode.TreeView<T> {
  const treeDataProvider: vscode.TreeDataProvider<T> = {
    ...(provider.onDidChangeTreeData && { onDidChangeTreeData: provider.onDidChangeTreeData }),
    getChildren: (element) => plainError(() => provider.getChildren(element)),
    getTreeItem: async (element) => plainItem(await provider.getTreeItem(element)),
    ...(provider.getParent && { getParent: (element) => provider.getParent?.(element) }),
  };
  const view = vscode.window.createTreeView(id, { ...options, treeDataProvider });
  return guarded(view, { title: lineRule, description: lineRule, message: linesRule });
}

function plainItem(item: vscode.TreeItem): vscode.TreeItem {
  const { label, description, tooltip, accessibilityInformation } = item;
  if (typeof label === 'string') item.label = lineRule(label) as string;
  if (typeof description === 'string') item.description = lineRule(description) as string;
  if (tooltip !== undefined) item.tooltip = tooltipRule(tooltip);
  if (accessibilityInformation)
    item.accessibilityInformation = plainAccessibility(accessibilityInformation);
  return item;
}
