// Diagnostics and completion in the editor, with fields of a dataset that was ingested a moment ago.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { completions, openApl, problem, until, workspaceFile } from '../editing.ts';

describe('writing a query', () => {
  before(async () => {
    const file = await workspaceFile(
      'orders.ndjson',
      [
        { status: 200, customer: 'mara', total: 12.5, paid: true, geo: { city: 'Lisbon' } },
        { status: 402, customer: 'ines', total: 7.25, paid: false, geo: { city: 'Kraków' } },
      ]
        .map((event) => `${JSON.stringify(event)}\n`)
        .join(''),
    );
    await vscode.commands.executeCommand('aplomb.ingestFiles', [file], 'orders');
  });

  it('underlines a misspelt function and says which one is meant', async () => {
    const { document } = await openApl('orders\n| summarize coutn() by status\n');
    const found = await problem(document, /count\(\)/);
    assert.equal(document.getText(found.range), 'coutn');
    assert.equal(found.severity, vscode.DiagnosticSeverity.Error);
  });

  it('offers the fields of the dataset with their types after `| where `', async () => {
    const editor = await openApl('orders\n| where $0\n');
    const items = await until('The fields of the dataset', async () => {
      const offered = await completions(editor);
      return offered.has('status') ? offered : undefined;
    });
    const type = (name: string) => {
      const item = items.get(name);
      const label = typeof item?.label === 'object' ? item.label : undefined;
      return [label?.detail, label?.description, item?.detail].filter((text) => text).join(' ');
    };
    assert.match(type('status'), /integer|long/);
    assert.match(type('customer'), /string/);
    assert.match(type('total'), /float|real/);
    assert.match(type('paid'), /bool/);
    assert.match(type('_time'), /datetime/);
    assert.ok([...items.keys()].some((name) => name.includes('geo.city')));
  });

  it('offers the dataset where a query begins', async () => {
    const editor = await openApl('ord$0');
    await until('The dataset', async () => (await completions(editor)).get('orders'));
  });
});
