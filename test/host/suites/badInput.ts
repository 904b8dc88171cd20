// Bad files, through the extension's command and the real deployment: each with a clear reason, and
// nothing lost or half-written.
import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import * as vscode from 'vscode';
import type { IngestOutcome } from '../../../client/src/ingest/outcome.ts';
import { endOf, openApl, rowsOf, runQuery, workspaceFile } from '../editing.ts';

async function ingest(name: string, content: string | Uint8Array): Promise<IngestOutcome> {
  const file = await workspaceFile(name, '');
  await vscode.workspace.fs.writeFile(file, Buffer.from(content as string));
  const dataset = name.replace(/\W+/g, '-');
  const outcomes = await vscode.commands.executeCommand<IngestOutcome[]>(
    'aplomb.ingestFiles',
    [file],
    dataset,
  );
  assert.equal(outcomes.length, 1);
  return outcomes[0] as IngestOutcome;
}

/** How many events a dataset holds, whatever their time. */
async function stored(dataset: string): Promise<unknown> {
  const result = await runQuery(`['${dataset}']\n| where _time > datetime(1970-01-01)\n| count`);
  return rowsOf(result)[0]?.[0];
}

describe('a bad file', () => {
  it('that is empty says so', async () => {
    const outcome = await ingest('empty.json', '');
    assert.match(outcome.problem ?? '', /The file is empty/);
    assert.equal(outcome.ingested, 0);
  });

  it('with an array that does not end stores nothing', async () => {
    const outcome = await ingest('truncated.json', '[{"a":1},{"a":2},{"a"');
    assert.match(outcome.problem ?? '', /ends before the array is closed/);
    assert.equal(outcome.requests, 0);
    await assert.rejects(stored('truncated-json'), /Unknown dataset/);
  });

  it('with a broken line in the middle names the line and stores nothing of that request', async () => {
    const outcome = await ingest('broken.ndjson', '{"a":1}\n{"a":2}\n{"a":\n{"a":4}\n');
    assert.equal(outcome.failure?.status, 400);
    assert.match(outcome.problem ?? '', /line 3/i);
    await assert.rejects(stored('broken-ndjson'), /Unknown dataset/);
  });

  it('with a broken line far down stores what went before, names the line of the file, and stops', async () => {
    const lines = Array.from({ length: 25_000 }, (_, index) => `{"n":${index}}`);
    lines[12_344] = '{"n":';
    const outcome = await ingest('later.ndjson', lines.join('\n'));
    assert.equal(outcome.ingested, 10_000);
    assert.match(outcome.problem ?? '', /line 12,345 of the file/);
    assert.equal(outcome.stoppedAtLine, 10_001);
    assert.equal(await stored('later-ndjson'), 10_000);
  });

  it('with rows of different lengths is refused with the line', async () => {
    const outcome = await ingest('ragged.csv', 'a,b,c\n1,2,3\n4,5\n6,7,8,9\n');
    assert.equal(outcome.failure?.status, 400);
    assert.match(outcome.problem ?? '', /line 3/i);
    await assert.rejects(stored('ragged-csv'), /Unknown dataset/);
  });

  it('with one line of 50 MB is refused before anything is sent', async () => {
    const outcome = await ingest('long.ndjson', `{"a":"${'x'.repeat(50_000_000)}"}\n`);
    assert.match(outcome.problem ?? '', /line 1 exceeds the limit of 16 MB/);
    assert.equal(outcome.requests, 0);
  });

  it('that is packed and damaged says so', async () => {
    const packed = gzipSync(`{"a":"${'x'.repeat(5_000)}"}\n`).subarray(0, 30);
    const outcome = await ingest('damaged.json.gz', packed);
    assert.match(outcome.problem ?? '', /damaged or incomplete/);
  });

  it('with an event that cannot be stored has it counted, with the reason', async () => {
    const wide = JSON.stringify(
      Object.fromEntries(
        Array.from({ length: 40 }, (_, index) => [`${'n'.repeat(300)}${index}`, 1]),
      ),
    );
    const outcome = await ingest('unstorable.ndjson', `{"a":1}\n${wide}\n{"a":3}\n`);
    assert.equal(outcome.problem, undefined);
    assert.equal(outcome.ingested + outcome.failed, 3);
    assert.equal(await stored('unstorable-ndjson'), outcome.ingested);
    if (outcome.failed > 0) assert.ok((outcome.failures[0]?.error ?? '') !== '');
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
