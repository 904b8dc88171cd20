// Opens and saves notebooks. Outputs aren't part of the document, so running a cell changes the file only if the
// notebook saves rows.
import * as vscode from 'vscode';
import { querySettings } from '../deployments/querySettings.ts';
import { languageId } from '../host/languageId.ts';
import { markdownId } from '../languageServer/languageClient.ts';
import type { CellFile, NotebookFile } from './file.ts';
import { keepsOutputs, keptOutputs, othersOf, othersText } from './metadata.ts';
import { keptOutput } from './output.ts';
import { readNotebook } from './readFile.ts';
import { writeNotebook } from './writeFile.ts';

export class NotebookSerializer implements vscode.NotebookSerializer {
  deserializeNotebook(content: Uint8Array): vscode.NotebookData {
    const { cells, others, keepOutputs, ...settings } = readNotebook(content);
    const data = new vscode.NotebookData(cells.map(cellData));
    data.metadata = {
      ...settings,
      ...(keepOutputs && { keepOutputs }),
      ...othersText(others),
    };
    return data;
  }

  serializeNotebook(data: vscode.NotebookData): Uint8Array {
    return new TextEncoder().encode(writeNotebook(fileOf(data)));
  }
}

function cellData(file: CellFile): vscode.NotebookCellData {
  const { kind, language = '', source, outputs, others, ...settings } = file;
  const cell = new vscode.NotebookCellData(
    kind === 'markdown' ? vscode.NotebookCellKind.Markup : vscode.NotebookCellKind.Code,
    source,
    kind === 'markdown' ? markdownId : kind === 'apl' ? languageId : language,
  );
  cell.metadata = {
    ...settings,
    ...(outputs.length > 0 && { kept: outputs }),
    ...othersText(others),
  };
  cell.outputs = outputs.map(keptOutput);
  return cell;
}

function fileOf({ cells, metadata = {} }: vscode.NotebookData): NotebookFile {
  return {
    ...querySettings(metadata),
    keepOutputs: keepsOutputs(metadata),
    others: othersOf(metadata),
    cells: cells.map(cellFile),
  };
}

function cellFile({ kind, languageId: language, value, metadata = {} }: vscode.NotebookCellData) {
  const isMarkup = kind === vscode.NotebookCellKind.Markup;
  const kinds: Pick<CellFile, 'kind' | 'language'> = isMarkup
    ? { kind: 'markdown' }
    : language === languageId
      ? { kind: 'apl' }
      : { kind: 'code', language };
  return {
    ...kinds,
    ...querySettings(metadata),
    source: value,
    outputs: keptOutputs(metadata),
    others: othersOf(metadata),
  };
}
