/**
 * Runs `aplomb ingest` as a process against a local deployment process and against failing
 * services.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { dataFolders } from '../../cli/src/ingest/findLocal.ts';
import { runsFolder } from '../../cli/src/ingest/runsFolder.ts';
import { ProgressLine } from '../../system/src/progressLine.ts';
import { LoopbackServer } from '../client/loopback.ts';
import { call, Processes, type Running } from '../local/processes.ts';
import { needs } from '../platform.ts';
import { Folder, type Outcome } from './run.ts';

let processes: Processes;
let running: Running;
let folder: Folder;
let dataset = '';
let datasets = 0;

before(async () => {
  processes = await Processes.create();
  running = await processes.start('data');
  folder = new Folder();
});
after(async () => {
  await processes.dispose();
  folder.remove();
});
beforeEach(() => {
  datasets += 1;
  dataset = `cli-${datasets}`;
});

/** Skips a test on Windows, where a process can't send a signal to another. */
const noSignals = { skip: needs.signals };

const state = () => join(folder.path, 'state');
const environment = (more: object = {}) => ({
  XDG_STATE_HOME: state(),
  LOCALAPPDATA: state(),
  NO_PROXY: '127.0.0.1',
  APLOMB_TOKEN: undefined,
  ...more,
});

/** Runs the command against the local deployment. */
function ingest(...args: string[]): Promise<Outcome> {
  const data = join(processes.folder, 'data');
  return folder.run(['ingest', ...args, '--data', data], '', environment());
}

/** Runs the command against a URL. */
function ingestTo(url: string, args: readonly string[], token?: string): Promise<Outcome> {
  const env = environment({ APLOMB_TOKEN: token });
  return folder.run(['ingest', ...args, '--url', url], '', env);
}

/** Returns the rows of a query without a time limit. */
async function rows(apl: string): Promise<unknown[][]> {
  const range = { startTime: '2000-01-01T00:00:00Z', endTime: '2100-01-01T00:00:00Z' };
  const body = JSON.stringify({ apl, ...range });
  const answer = await call(running, 'POST', '/v1/query/_apl?format=tabular', body);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  const columns: unknown[][] = answer.body.tables[0].columns;
  return (columns[0] ?? []).map((_, row) => columns.map((column) => column[row]));
}

const lines = (count: number, from = 0) =>
  Array.from(
    { length: count },
    (_, n) =>
      `{"_time":"2026-01-01T00:00:00.${String(n % 1_000).padStart(3, '0')}Z","n":${from + n}}\n`,
  ).join('');

describe('aplomb ingest', () => {
  it('sends nothing without a terminal if the order of day and month is ambiguous', async () => {
    folder.files({ 'days.csv': 'time,n\n01/02/2024 10:00:00,1\n03/04/2024 11:00:00,2\n' });
    const guessed = await ingest('days.csv', '--dataset', dataset);
    assert.match(guessed.err, /nothing was sent, since the order of day and month is ambiguous/);
    assert.notEqual(guessed.status, 0);
    const layout = '02/01/2006 15:04:05';
    const sent = await ingest('days.csv', '--dataset', dataset, '--time-format', layout);
    assert.equal(sent.status, 0, sent.err);
    const found = await rows(`['${dataset}'] | project _time | sort by _time asc`);
    assert.deepEqual(found, [['2024-02-01T10:00:00Z'], ['2024-04-03T11:00:00Z']]);
  });

  it('escapes control characters from files in its output', async () => {
    const sequence = '\u001b]0;owned\u0007';
    folder.files({ 'hostile.csv': `n,na${sequence}me,date\n1,2,3${sequence}\n4,5,1700000000\n` });
    const args = ['hostile.csv', '--time-field', 'date', '--time-format', 's'];
    for (const more of [['--check'], ['--dataset', dataset, '--yes']]) {
      const { out, err } = await ingest(...args, ...more);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters must not occur.
      assert.doesNotMatch(`${out}${err}`, /[\u0000-\u0009\u000b-\u001f]/);
      assert.match(out, /\\u001b\]0;owned\\u0007/);
    }
  });

  it('sends files of several formats to a new dataset and reports their formats and time fields', async () => {
    folder.files({
      'a.ndjson': lines(25_000),
      'b.csv.gz': gzipSync('date,n,zip\n2015-03-01,7,01234\n2016-04-02,8,00001\n'),
      'c.log': 'level=info n=9 msg="all good"\n',
    });
    const { status, out, err } = await ingest(
      'a.ndjson',
      'b.csv.gz',
      'c.log',
      '--dataset',
      dataset,
    );
    assert.equal(status, 0, err);
    assert.match(
      out,
      new RegExp(`^a\\.ndjson: 25,000 events read, 25,000 stored in ${dataset}\\.$`, 'm'),
    );
    assert.match(out, /^b\.csv\.gz: 2 events read, 2 stored/m);
    assert.match(out, /^c\.log: 1 event read, 1 stored/m);
    assert.match(err, /^a\.ndjson: NDJSON, time from _time \(RFC 3339\)$/m);
    assert.match(err, /^b\.csv\.gz: CSV with a header line, gzip, time from date \(/m);
    assert.match(err, /^c\.log: logfmt, no time field/m);
    assert.deepEqual(
      await rows(
        `['${dataset}'] | where _time < datetime(2020-01-01) | project _time, n, zip | order by n asc`,
      ),
      [
        ['2015-03-01T00:00:00Z', 7, '01234'],
        ['2016-04-02T00:00:00Z', 8, '00001'],
      ],
    );
    assert.deepEqual(await rows(`['${dataset}'] | count`), [[25_003]]);
    assert.ok(!err.includes('\r'), 'progress is for terminals');
  });

  it('applies its options for format, time zone, labels, column types and column names', async () => {
    folder.files({ 'odd.txt': '1;31/12/2025 23:30;42\n2;01/01/2026 00:15;43\n' });
    const { status, err } = await ingest(
      ...['odd.txt', '--dataset', dataset, '--format', 'csv', '--csv-delimiter', ';'],
      ...['--csv-names', 'id,at,code', '--csv-types', 'text,code=integer'],
      ...[
        '--time-field',
        'at',
        '--time-format',
        '02/01/2006 15:04',
        '--time-zone',
        'Europe/Lisbon',
      ],
      ...['--label', 'source=old', '--label', 'region=a=b'],
    );
    assert.equal(status, 0, err);
    assert.deepEqual(
      await rows(`['${dataset}'] | order by _time asc | project _time, id, code, source, region`),
      [
        ['2025-12-31T23:30:00Z', '1', 42, 'old', 'a=b'],
        ['2026-01-01T00:15:00Z', '2', 43, 'old', 'a=b'],
      ],
    );
  });

  it('skips broken lines, lists them, saves them to a file and exits with 1', async () => {
    folder.files({ 'broken.ndjson': '{"n":1}\n{"n":\n{"n":3}\n' });
    const { status, out } = await ingest('broken.ndjson', '--dataset', dataset, '--yes');
    assert.equal(status, 1);
    assert.match(out, /2 events read, 2 stored/);
    assert.match(out, /1 event could not be read and was left out/);
    assert.match(out, /^ {2}line 2: /m);
    const [, kept = ''] = /that are not stored are in (.*)$/m.exec(out) ?? [];
    assert.equal(readFileSync(kept, 'utf8'), '{"n":\n');
    assert.deepEqual(await rows(`['${dataset}'] | order by n asc | project n`), [[1], [3]]);
  });

  it('warns about events that would be lost, and sends their files only with --yes', async () => {
    folder.files({
      'lossy.ndjson': '{"_time":"2026-01-01T00:00:00Z","n":1}\n{"n":2}\n{"n":\n',
      'timed.ndjson': '{"_time":"2026-01-01T00:00:00Z","n":1}\n{"_time":"soon","n":2}\n',
      'late.csv': 'n\n1\ntext\n',
      'long.ndjson': `{"${'x'.repeat(201)}":1}\n`,
    });
    const lossy = await ingest('lossy.ndjson', '--dataset', dataset);
    assert.equal(lossy.status, 2);
    assert.equal(lossy.out, '');
    assert.match(lossy.err, /^lossy\.ndjson: 1 event of the first 2 has no time/m);
    assert.match(lossy.err, /^lossy\.ndjson: line 3: /m);
    assert.match(
      lossy.err,
      /^aplomb: lossy\.ndjson: nothing was sent, because 1 event would be lost\. To ingest the others, add --yes\.$/m,
    );
    const timed = await ingest('timed.ndjson', '--dataset', dataset);
    // Only a warning, because the deployment may be able to read such a time.
    assert.match(
      timed.err,
      /^timed\.ndjson: NDJSON, time from _time \(RFC 3339\)\ntimed\.ndjson: The time in _time on line 2, "soon", is not RFC 3339\./,
    );
    assert.match(timed.out, /2 events read, 1 stored/);
    const long = await ingest('long.ndjson', '--dataset', dataset);
    assert.match(long.err, /nothing was sent, because some events would be lost/);
    // A file is sent despite warnings if it loses no events or if an option allows the loss.
    const late = await ingest('late.csv', '--dataset', dataset, '--csv-types', 'n=integer');
    assert.equal(late.status, 0, late.err);
    assert.match(late.err, /^late\.csv: n: 1 value is not of its type and would be text\.$/m);
    const skipped = await ingest('lossy.ndjson', '--dataset', dataset, '--broken', 'skip');
    assert.match(skipped.out, /2 events read, 2 stored/);
    assert.equal(skipped.status, 1);
  });

  it('lists files in natural order, regardless of their order on the command line', async () => {
    folder.files({ 'f1.ndjson': lines(1), 'f2.ndjson': lines(2), 'f10.ndjson': lines(3) });
    const files = ['f1.ndjson', 'f10.ndjson', 'f2.ndjson'];
    for (const more of [['--check'], ['--dataset', dataset]]) {
      const { out } = await ingest(...files, ...more);
      assert.deepEqual(out.match(/^f\d+/gm), ['f1', 'f2', 'f10']);
    }
  });

  it('sends small files concurrently and creates their dataset once', async () => {
    const names = Array.from({ length: 20 }, (_, n) => `small-${n}.ndjson`);
    folder.files(Object.fromEntries(names.map((name, n) => [name, lines(3, 3 * n)])));
    let under = 0;
    let meet: () => void = () => {};
    const met = new Promise<void>((resolve) => {
      meet = resolve;
    });
    let most = 0;
    let creates = 0;
    await using counting = await LoopbackServer.start(
      async (response, { method, url, headers, body }) => {
        if (url === '/v2/datasets' && method === 'POST') creates += 1;
        const isIngest = url.startsWith('/v1/ingest/');
        if (isIngest) under += 1;
        most = Math.max(most, under);
        // Waits for concurrent requests. The timeout ends the test if the requests aren't
        // concurrent.
        if (most > 2) meet();
        await Promise.race([met, sleep(10_000, undefined, { ref: false })]);
        const {
          authorization = '',
          'content-type': type = '',
          'content-encoding': how = '',
        } = headers;
        const answer = await fetch(`${running.url}${url}`, {
          method,
          headers: { authorization, 'content-type': type, 'content-encoding': how },
          ...(body.length > 0 && { body: new Uint8Array(body) }),
        });
        if (isIngest) under -= 1;
        response.writeHead(answer.status, { 'content-type': 'application/json' });
        response.end(await answer.text());
      },
    );
    const { status, out, err } = await ingestTo(
      counting.url,
      [...names, '--dataset', dataset],
      running.token,
    );
    assert.equal(status, 0, err);
    assert.ok(most > 2, `at most ${most} requests at once`);
    assert.equal(creates, 1);
    assert.deepEqual(
      out.match(/^small-\d+/gm),
      names.map((name) => name.replace('.ndjson', '')),
    );
    assert.deepEqual(await rows(`['${dataset}'] | summarize count(), dcount(n)`), [[60, 60]]);
  });

  it('reports a file that grew while it was read', async () => {
    folder.files({ 'grows.ndjson': '{"n":1}\n' });
    await using answering = await LoopbackServer.start((response) => {
      appendFileSync(join(folder.path, 'grows.ndjson'), '{"n":2}\n');
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('{"ingested":1,"failed":0,"failures":[],"processedBytes":8}');
    });
    const args = ['grows.ndjson', '--dataset', dataset];
    const { out, err } = await ingestTo(answering.url, args, 'xaat-any');
    assert.match(out, /^grows\.ndjson: 1 event read, 1 stored/m, err);
    assert.match(
      out,
      /^ {2}The file grew by 8 bytes while it was read\. Lines that were added meanwhile were not read\.$/m,
    );
  });

  it('with --broken stop, prints no event count if the first line is malformed', async () => {
    folder.files({ 'first.ndjson': '{"n":\n{"n":2}\n' });
    const { out, err } = await ingest('first.ndjson', '--dataset', dataset, '--broken', 'stop');
    assert.equal(out, '');
    assert.match(err, /^aplomb: first\.ndjson: .*[Ll]ine 1/m);
  });

  it('stops at a broken line with --broken stop, and sends the fixed file only with --restart', async () => {
    folder.files({ 'stop.ndjson': '{"n":1}\n{"n":\n{"n":3}\n' });
    const args = ['stop.ndjson', '--dataset', dataset, '--broken', 'stop'];
    const stopped = await ingest(...args);
    assert.equal(stopped.status, 2);
    assert.match(stopped.err, /aplomb: stop\.ndjson.*2/);
    assert.deepEqual(await rows(`['${dataset}'] | count`), [[1]]);
    folder.files({ 'stop.ndjson': '{"n":1}\n{"n":2}\n{"n":3}\n' });
    const changed = await ingest(...args, '--resume');
    assert.equal(changed.status, 2);
    assert.match(changed.err, /has changed since the run started/);
    assert.equal((await ingest(...args, '--restart')).status, 0);
    assert.deepEqual(await rows(`['${dataset}'] | count`), [[4]]);
  });

  it('checks a file to its end with --check and sends nothing', async () => {
    folder.files({ 'check.csv': 'date,n\n2015-03-01,7\n2016-04-02,8\nbroken,"9\n' });
    const { status, out } = await folder.run(['ingest', 'check.csv', '--check'], '', environment());
    assert.equal(status, 1, out);
    assert.match(out, /^check\.csv: 2 events, 1 broken\.$/m);
    assert.match(out, /Times: 2015-03-01T00:00:00.*Z to 2016-04-02/);
    assert.match(out, /^ {2}n: integer, 2 events$/m);
    assert.doesNotMatch(out, /_time/);
    assert.match(out, /^ {2}line 4: /m);
  });

  it('warns about an ambiguous day and month order with --check', async () => {
    folder.files({ 'days.csv': 'day,n\n03/04/2025,1\n05/06/2025,2\n' });
    const { status, err } = await folder.run(['ingest', 'days.csv', '--check'], '', environment());
    assert.equal(status, 0, err);
    assert.match(err, /days\.csv: No value of day shows whether it is .*the day or the month/);
  });

  it('continues with the other files after an unreadable file', async () => {
    folder.files({ 'good.ndjson': '{"n":1}\n', 'empty.ndjson': '' });
    const args = ['missing.ndjson', 'empty.ndjson', '.', 'good.ndjson', '--dataset', dataset];
    const { status, out, err } = await ingest(...args);
    assert.equal(status, 2);
    assert.match(err, /^aplomb: missing\.ndjson: /m);
    assert.match(err, /^aplomb: empty\.ndjson: /m);
    assert.match(err, /^aplomb: \.: .* is a folder/m);
    assert.match(out, /^good\.ndjson: 1 event read, 1 stored/m);
  });

  it('rejects an invalid command line with an explanation', async () => {
    folder.files({ 'a.ndjson': '{"n":1}\n' });
    const to = ['--dataset', dataset];
    const wrong: [string[], RegExp][] = [
      [[], /Specify the files/],
      [['a.ndjson'], /--dataset/],
      [['-', ...to], /Standard input cannot be ingested/],
      [['a.ndjson', '--dataset', 'a/b'], /'a\/b' is not a name of a dataset/],
      [['a.ndjson', ...to, '--format', 'xml'], /--format must be one of json, ndjson/],
      [['a.ndjson', ...to, '--time-zone', 'Mars'], /--time-zone must be a time zone/],
      [['a.ndjson', ...to, '--time-format', 'yyyy'], /--time-format must be rfc3339/],
      [['a.ndjson', ...to, '--label', 'x'], /--label must be NAME=VALUE/],
      [['a.ndjson', ...to, '--csv-types', 'x'], /--csv-types must be COLUMN=TYPE/],
      [['a.ndjson', ...to, '--check', '--resume'], /cannot be combined/],
      [['a.ndjson', ...to, '--no-time', '--time-field', 't'], /--no-time cannot be combined/],
      [['a.ndjson', ...to, '--url', 'http://example.com'], /must start with https/],
      [['a.ndjson', ...to, '--url', 'https://u:p@example.com'], /must not contain a password/],
      [['a.ndjson', ...to, '--url', 'https://example.com'], /APLOMB_TOKEN/],
      [['a.ndjson', ...to, '--tokn', 'x'], /--tokn/],
      [['a.ndjson', ...to, '--time-field', 'when'], /first values of when are not times/],
    ];
    for (const [args, expected] of wrong) {
      const isAboutFile = args.includes('when');
      const { status, out, err } = isAboutFile
        ? await ingest(...args)
        : await folder.run(['ingest', ...args], '', environment());
      assert.equal(status, 2, args.join(' '));
      assert.equal(out, '');
      assert.match(err, expected);
    }
  });

  it('explains how to start the local deployment if none is running', async () => {
    folder.files({
      'a.ndjson': '{"n":1}\n',
      'empty/deployment.json': '{"url":"http://127.0.0.1:9","port":9,"token":"xaat-x"}',
    });
    const args = ['ingest', 'a.ndjson', '--dataset', dataset, '--data', 'empty'];
    const { status, err } = await folder.run(args, '', environment());
    assert.equal(status, 2);
    assert.match(err, /No local deployment.*APL: Start Local Deployment/);
  });

  it("does not send a lock file's token to another process on the lock file's port", async () => {
    await using stranger = await LoopbackServer.start((response) => response.end('{"proof":"x"}'));
    const port = new URL(stranger.url).port;
    folder.files({
      'a.ndjson': '{"n":1}\n',
      'old/deployment.json': JSON.stringify({
        url: stranger.url,
        port: Number(port),
        pid: process.pid,
        token: 'xaat-secret',
      }),
    });
    const args = ['ingest', 'a.ndjson', '--dataset', dataset, '--data', 'old'];
    const { status } = await folder.run(args, '', environment());
    assert.equal(status, 2);
    assert.equal(stranger.received.length, 1);
    assert.ok(!JSON.stringify(stranger.received).includes('xaat-secret'));
  });

  it('sends the token from the environment to the --url deployment and never prints it', async () => {
    folder.files({ 'a.ndjson': '{"n":1}\n' });
    await call(running, 'POST', '/v2/datasets', JSON.stringify({ name: dataset }));
    const sent = await ingestTo(running.url, ['a.ndjson', '--dataset', dataset], running.token);
    assert.equal(sent.status, 0, sent.err);
    const refused = await ingestTo(running.url, ['a.ndjson', '--dataset', dataset], 'xaat-wrong');
    assert.equal(refused.status, 2);
    assert.match(refused.err, /token/i);
    assert.ok(!refused.err.includes('xaat-wrong') && !refused.out.includes('xaat-wrong'));
    assert.deepEqual(await rows(`['${dataset}'] | count`), [[1]]);
  });

  it('stops on Ctrl+C with status 130, and --resume stores nothing twice', noSignals, async () => {
    const count = 60_000;
    folder.files({ 'large.ndjson': lines(count) });
    await call(running, 'POST', '/v2/datasets', JSON.stringify({ name: dataset }));
    // Delays the deployment's responses, so there is time to cancel.
    let batches = 0;
    await using slow = await LoopbackServer.start(
      async (response, { method, url, headers, body }) => {
        batches += 1;
        await sleep(300);
        const {
          authorization = '',
          'content-type': type = '',
          'content-encoding': encoding = '',
        } = headers;
        const answer = await fetch(`${running.url}${url}`, {
          method,
          headers: { authorization, 'content-type': type, 'content-encoding': encoding },
          body: new Uint8Array(body),
        });
        response.writeHead(answer.status, { 'content-type': 'application/json' });
        response.end(await answer.text());
      },
    );
    const args = ['ingest', 'large.ndjson', '--dataset', dataset, '--url', slow.url];
    const env = { ...process.env, ...environment({ APLOMB_TOKEN: running.token }) };
    const bundle = join(import.meta.dirname, '../../dist/cli.cjs');
    const child = spawn(process.execPath, [bundle, ...args], { cwd: folder.path, env });
    let err = '';
    child.stderr.setEncoding('utf8').on('data', (text) => {
      err += text;
    });
    child.stdout.resume();
    while (batches < 2) await sleep(20);
    child.kill('SIGINT');
    const [status] = await once(child, 'close');
    assert.equal(status, 130, err);
    assert.match(err, /To continue at line [\d,]+, run: aplomb ingest large\.ndjson --dataset/);
    const [[partly]] = (await rows(`['${dataset}'] | count`)) as [[number]];
    assert.ok(partly > 0 && partly < count, `${partly} events`);

    const again = await ingestTo(slow.url, ['large.ndjson', '--dataset', dataset], running.token);
    assert.equal(again.status, 2);
    assert.match(again.err, /an earlier run .* ended at line [\d,]+.*--resume/);

    const resumed = await ingestTo(
      slow.url,
      ['large.ndjson', '--dataset', dataset, '--resume'],
      running.token,
    );
    assert.equal(resumed.status, 0, resumed.err + resumed.out);
    assert.match(resumed.out, /60,000 events read, 60,000 stored/);
    assert.deepEqual(await rows(`['${dataset}'] | summarize count(), dcount(n), max(n)`), [
      [count, count, count - 1],
    ]);
    const runs = runsFolder(process.platform, environment() as NodeJS.ProcessEnv);
    const journals = readdirSync(runs).filter((name) => name.endsWith('.run.ndjson'));
    for (const name of journals) {
      assert.ok(!readFileSync(join(runs, name), 'utf8').includes('large.ndjson'), name);
    }
    const nothing = await ingestTo(slow.url, [...args.slice(1, 4), '--resume'], running.token);
    assert.equal(nothing.status, 2);
    assert.match(nothing.err, /no run into .* ended early/);
    rmSync(join(folder.path, 'large.ndjson'));
  });
});

describe('the progress line', () => {
  const text = 'large.ndjson: 1.0 of 2.0 MB, 10 events';

  function shown(isTTY: boolean, columns: number): string {
    let written = '';
    const write = (part: string) => {
      written += part;
      return true;
    };
    const stream = { isTTY, columns, write } as unknown as NodeJS.WriteStream;
    const line = new ProgressLine(stream, (plain) => plain);
    line.show(text);
    line.show('too soon after the first');
    line.clear();
    return written;
  }

  it("is truncated to the terminal's width and cleared at the end", () => {
    assert.equal(shown(true, 80), `\r\u001b[2K${text}\r\u001b[2K`);
    assert.equal(shown(true, 21), '\r\u001b[2Klarge.ndjson: 1.0 o…\r\u001b[2K');
  });

  it("is not written if the output isn't a terminal", () => {
    assert.equal(shown(false, 80), '');
  });
});

describe('the search for the local deployment', () => {
  it('checks the storage folder of every VS Code product on every platform', () => {
    const at = (platform: NodeJS.Platform, env: NodeJS.ProcessEnv) =>
      dataFolders(platform, env, '/home/me').map((path) => path.replaceAll('\\', '/'));
    const linux = at('linux', {});
    assert.ok(linux.includes('/home/me/.config/Code/User/globalStorage/aplomb.aplomb/local'));
    assert.ok(
      linux.includes('/home/me/.vscode-server/data/User/globalStorage/aplomb.aplomb/local'),
    );
    assert.ok(
      at('linux', { XDG_CONFIG_HOME: '/c' }).includes(
        '/c/VSCodium/User/globalStorage/aplomb.aplomb/local',
      ),
    );
    assert.ok(
      at('darwin', {}).includes(
        '/home/me/Library/Application Support/Code/User/globalStorage/aplomb.aplomb/local',
      ),
    );
    assert.ok(
      at('win32', { APPDATA: 'C:/A' }).includes('C:/A/Code/User/globalStorage/aplomb.aplomb/local'),
    );
    const [first] = at('linux', { VSCODE_PORTABLE: '/usb/data' });
    assert.equal(first, '/usb/data/user-data/User/globalStorage/aplomb.aplomb/local');
  });
});
