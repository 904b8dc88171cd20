// Bad files, through the extension's command and the real deployment: each with a clear reason, and
// nothing lost or half-written.
import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import * as vscode from 'vscode';
import type { RunReport } from '../../../ingest/src/contract.ts';
import { endOf, openApl, rowsOf, runQuery, workspaceFile } from '../editing.ts';

async function ingest(name: string, content: string | Uint8Array): Promise<RunReport> {
  const file = await workspaceFile(name, '');
  await vscode.workspace.fs.writeFile(file, Buffer.from(content as string));
  const dataset = name.replace(/\W+/g, '-');
  const reports = await vscode.commands.executeCommand<RunReport[]>(
    'aplomb.ingestFiles',
    [file],
    dataset,
  );
  assert.equal(reports.length, 1);
  return reports[0] as RunReport;
}

/** How many events a dataset holds, whatever their time. */
async function stored(dataset: string): Promise<unknown> {
  const result = await runQuery(`['${dataset}']\n| where _time > datetime(1970-01-01)\n| count`);
  return rowsOf(result)[0]?.[0];
}

describe('a bad file', () => {
  it('that is empty says so', async () => {
    const report = await ingest('empty.json', '');
    assert.equal(report.problem, 'empty.json is empty.');
    assert.equal(report.stored, 0);
  });

  it('with an array that does not end stores the events before its end, and says where it is', async () => {
    const report = await ingest('truncated.json', '[{"a":1},{"a":2},{"a"');
    assert.deepEqual([report.stored, report.skipped], [2, 1]);
    assert.match(report.failures[0]?.reason ?? '', /The file ends inside this event/);
    assert.equal(await stored('truncated-json'), 2);
  });

  it('with a broken line far down leaves it out, and keeps it in a file of its own', async () => {
    const lines = Array.from({ length: 25_000 }, (_, index) => `{"n":${index}}`);
    lines[12_344] = '{"n":';
    const report = await ingest('later.ndjson', lines.join('\n'));
    assert.deepEqual([report.stored, report.skipped], [24_999, 1]);
    assert.equal(report.failures[0]?.line, 12_345);
    assert.equal(await stored('later-ndjson'), 24_999);
    const failed = await vscode.workspace.fs.readFile(vscode.Uri.file(report.failedFile ?? ''));
    assert.equal(Buffer.from(failed).toString(), '{"n":\n');
  });

  it('with rows of different lengths leaves them out, with their lines', async () => {
    const report = await ingest('ragged.csv', 'a,b,c\n1,2,3\n4,5\n6,7,8,9\n');
    assert.deepEqual(
      report.failures.map(({ line }) => line),
      [3, 4],
    );
    assert.equal(await stored('ragged-csv'), 1);
    const failed = await vscode.workspace.fs.readFile(vscode.Uri.file(report.failedFile ?? ''));
    assert.equal(Buffer.from(failed).toString(), 'a,b,c\n4,5\n6,7,8,9\n');
  });

  it('with one line of 50 MB says so and stores nothing', async () => {
    const report = await ingest('long.ndjson', `{"a":"${'x'.repeat(50_000_000)}"}\n`);
    assert.match(report.failures[0]?.reason ?? '', /exceeds the limit of 16 MB/);
    assert.equal(report.stored, 0);
    await assert.rejects(stored('long-ndjson'), /Unknown dataset/);
  });

  it('that is compressed and damaged says so', async () => {
    const packed = gzipSync(`{"a":"${'x'.repeat(5_000)}"}\n`).subarray(0, 30);
    const report = await ingest('damaged.json.gz', packed);
    assert.match(report.problem ?? '', /compressed data ends early/);
  });

  it('with an event that cannot be stored has it counted, with the reason and its line', async () => {
    const wide = JSON.stringify(
      Object.fromEntries(
        Array.from({ length: 40 }, (_, index) => [`${'n'.repeat(300)}${index}`, 1]),
      ),
    );
    const report = await ingest('unstorable.ndjson', `{"a":1}\n${wide}\n{"a":3}\n`);
    assert.equal(report.problem, undefined);
    assert.deepEqual([report.stored, report.failed], [2, 1]);
    assert.equal(await stored('unstorable-ndjson'), 2);
    assert.equal(report.failures[0]?.line, 2);
    assert.notEqual(report.failures[0]?.reason ?? '', '');
  });
});

describe('a bad query', () => {
  it('of a megabyte of brackets is refused and leaves the window working', async () => {
    const { document } = await openApl('('.repeat(1_000_000));
    const end = await endOf('aplomb.runQuery');
    assert.ok(end.kind === 'failed' && end.message.length < 5_000);
    assert.deepEqual(rowsOf(await runQuery('print n = 1')), [[1]]);
    // Emptied and not closed: the next unsaved document would get its name while it is still being closed.
    const empty = new vscode.WorkspaceEdit();
    empty.delete(document.uri, new vscode.Range(0, 0, document.lineCount, 0));
    await vscode.workspace.applyEdit(empty);
  });
});
