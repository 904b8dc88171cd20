// Tree items for resources.
import * as vscode from 'vscode';
import { kinds } from '../../../resources/src/kinds.ts';
import type { Resource } from './resource.ts';

/** Returns a tree item. Its menus depend on the kind, the query and the state, such as `monitor query disabled`. */
export function resourceItem(resource: Resource): vscode.TreeItem {
  const { kind, id, name, note, about, detail = [], state } = resource;
  const row = kinds[kind];
  const item = new vscode.TreeItem(name);
  item.id = `${kind}/${id}`;
  item.description = note;
  item.tooltip = [name, about, note, ...detail].filter(Boolean).join('\n');
  const color = resource.color === undefined ? undefined : new vscode.ThemeColor(resource.color);
  item.iconPath = new vscode.ThemeIcon(resource.icon ?? row.icon, color);
  const words = [row.noun, resource.apl === undefined ? '' : 'query', state ?? ''];
  item.contextValue = words.filter(Boolean).join(' ');
  item.command = { title: 'Open', command: 'aplomb.openResource', arguments: [resource] };
  return item;
}
