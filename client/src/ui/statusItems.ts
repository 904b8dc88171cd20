// Creates items in the status bar and the language status. No other module may create them, because VS Code draws icons
// in their text, and links in the detail of language status items.
import * as vscode from 'vscode';
import { guarded, labelRule, lineRule, linesRule, plainAccessibility } from './guarded.ts';
import { type Label, plainLine } from './plain.ts';

/** An item in the status bar. Only text that `withIcons` created has icons. */
interface StatusItem extends Omit<vscode.StatusBarItem, 'text'> {
  text: Label;
}

export function createStatusBarItem(
  id: string,
  alignment: vscode.StatusBarAlignment,
  priority: number,
): StatusItem {
  const item: object = vscode.window.createStatusBarItem(id, alignment, priority);
  return guarded(item as StatusItem, {
    name: lineRule,
    text: labelRule,
    tooltip: linesRule,
    accessibilityInformation: plainAccessibility,
  });
}

export function createLanguageStatusItem(
  id: string,
  selector: vscode.DocumentSelector,
): vscode.LanguageStatusItem {
  return guarded(vscode.languages.createLanguageStatusItem(id, selector), {
    name: lineRule,
    text: lineRule,
    detail: linesRule,
    accessibilityInformation: plainAccessibility,
  });
}

export function cellStatusItem(
  text: Label,
  tooltip: string,
  command?: vscode.Command,
): vscode.NotebookCellStatusBarItem {
  const item = new vscode.NotebookCellStatusBarItem(
    labelRule(text) ?? '',
    vscode.NotebookCellStatusBarAlignment.Right,
  );
  item.tooltip = plainLine(tooltip);
  if (command !== undefined) item.command = command;
  return item;
}
