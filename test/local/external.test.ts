// externaldata: files and loopback URLs in every format, and the sources that it must not read.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { link, mkdir, mkdtemp, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { readArguments } from '../../local/src/arguments.ts';
import { needs } from '../platform.ts';
import { ALL_TIMES, Deployment, rowsOf } from './deployment.ts';

let local: Deployment;
let outside: string;
let folder: string;
let server: Server;
let origin: string;

before(async () => {
  outside = await realpath(await mkdtemp(join(tmpdir(), 'aplomb-external-')));
  folder = join(outside, 'files');
  await mkdir(folder);
  server = createServer((request, response) => {
    if (request.url === '/away') response.writeHead(302, { location: 'http://example.com/' }).end();
    else if (request.url === '/big') response.end(Buffer.alloc(5_000_001, 'x'));
    else if (request.url === '/hosts.csv?x=1') response.end('a,1\nb,2\n');
    else response.writeHead(404).end('nothing');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  local = await Deployment.open({ allowExternal: [folder, `${origin}/`] });
});
after(async () => {
  server.closeAllConnections();
  server.close();
  await local.close();
  await rm(outside, { recursive: true });
});

async function file(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return JSON.stringify(path);
}

function ask(apl: string) {
  return local.query(apl, ALL_TIMES);
}

async function rows(apl: string): Promise<unknown[][]> {
  const { status, body, text } = await ask(apl);
  assert.equal(status, 200, text);
  return rowsOf(body.tables[0]).map((row) => Object.values(row));
}

describe('externaldata', () => {
  it('reads CSV with quotes and with missing or extra values, and converts values to the column types', async () => {
    const path = await file('a.csv', 'id,when,n\n1,2026-01-01,"x, ""y"""\n2\n3,never,z,more\n');
    const query = `externaldata (id:long, at:datetime, n:string) [${path}] with (ignoreFirstRecord=true)`;
    assert.deepEqual(await rows(query), [
      [1, '2026-01-01T00:00:00Z', 'x, "y"'],
      [2, null, null],
      [3, null, 'z'],
    ]);
  });

  it('reads values separated by tabs, semicolons and pipes, by file extension or format', async () => {
    const tsv = await file('a.tsv', 'a\t1\n');
    const other = await file('a.data', 'a;1\n');
    const bars = await file('b.data', 'a|1\n');
    for (const source of [
      `[${tsv}]`,
      `[${other}] with (format='scsv')`,
      `[${bars}] with (format='psv')`,
    ]) {
      assert.deepEqual(await rows(`externaldata (a:string, b:long) ${source}`), [['a', 1]], source);
    }
  });

  it('reads JSON by line, as an array and across lines, by column name', async () => {
    const line = await file('a.json', '{"n":1,"o":{"a/b":[1]}}\n{"n":"2","p":5}\n');
    const list = await file('b.json', '[{"n":1},\n {"n":2}]');
    const spread = await file('c.txt', '{\n"n":1\n}\n{"n":2}');
    assert.deepEqual(await rows(`externaldata (n:long, o:dynamic) [${line}]`), [
      [1, { 'a/b': [1] }],
      [2, null],
    ]);
    assert.deepEqual(await rows(`externaldata (n:long) [${list}]`), [[1], [2]]);
    assert.deepEqual(await rows(`externaldata (n:long) [${spread}] with (format='multijson')`), [
      [1],
      [2],
    ]);
  });

  it('reads text line by line or as a single value', async () => {
    const path = await file('a.txt', 'one\r\ntwo, three\n');
    assert.deepEqual(await rows(`externaldata (line:string) [${path}]`), [['one'], ['two, three']]);
    assert.deepEqual(await rows(`externaldata (all:string) [${path}] with (format='raw')`), [
      ['one\r\ntwo, three\n'],
    ]);
  });

  it('reads several sources, including a loopback URL, into one table', async () => {
    const path = await file('d.csv', 'c,3\n');
    const source = `externaldata (k:string, v:long) [${path}, "${origin}/hosts.csv?x=1"]`;
    assert.deepEqual(await rows(`${source} | sort by v asc`), [
      ['a', 1],
      ['b', 2],
      ['c', 3],
    ]);
    const query = `let names = ${source}; datatable(k:string)['b'] | lookup names on k`;
    assert.deepEqual(await rows(query), [['b', 2]]);
  });

  it('returns an empty table for an empty file', async () => {
    for (const name of ['empty.csv', 'empty.json']) {
      assert.deepEqual(await rows(`externaldata (a:string) [${await file(name, '')}]`), [], name);
    }
  });

  it('reports an unreadable source at its position, with the reason', async () => {
    const cases = [
      ['"https://example.com/data.csv"', /loopback address/],
      ['"http://127.0.0.1.example.com/"', /loopback address/],
      ['"relative.csv"', /loopback address/],
      ['"ftp://127.0.0.1/x"', /loopback address/],
      [JSON.stringify(join(folder, 'missing.csv')), /file does not exist/],
      [JSON.stringify(folder), /folder/],
      [`"${origin}/nothing"`, /status 404/],
      [`"${origin}/away"`, /redirect/i],
      [`"${origin}/big"`, /more than 5 MB/],
      [await file('big.csv', Buffer.alloc(5_000_001, 'x')), /more than 5 MB/],
    ] as const;
    for (const [address, expected] of cases) {
      const { status, body } = await ask(`externaldata (a:string) [${address}]`);
      assert.equal(status, 400, address);
      assert.match(body.message, expected, address);
      assert.equal(body.errors[0].code, 'external-data');
      assert.equal(body.detail.column, 26);
    }
  });

  it('rejects unknown formats and invalid content', async () => {
    const path = await file('e.csv', 'a');
    assert.match(
      (await ask(`externaldata (a:string) [${path}] with (format='avro')`)).body.message,
      /one of csv/,
    );
    const broken = await file('broken.json', '{"a":1}\n{"a":');
    const { status, body } = await ask(`externaldata (a:long) [${broken}]`);
    assert.equal(status, 400);
    assert.doesNotMatch(body.message, /spool/);
  });
});

describe('externaldata access', () => {
  const read = (address: string) =>
    `externaldata (a:string) [${JSON.stringify(address)}] with (format='raw')`;

  /** Returns the message of the refusal, or an empty string if the source is read. */
  async function refusal(from: Deployment, address: string): Promise<string> {
    const { status, body } = await from.query(read(address), ALL_TIMES);
    if (status === 200) return '';
    assert.equal(status, 400, address);
    assert.equal(body.errors[0].code, 'external-data', address);
    return body.message;
  }

  it('is disabled by default, with an error that explains how to allow a source', async () => {
    const off = await Deployment.open();
    try {
      await file('a.csv', 'a');
      for (const address of [join(folder, 'a.csv'), '/etc/passwd', `${origin}/hosts.csv?x=1`]) {
        assert.match(
          await refusal(off, address),
          /externaldata is off\. .*--allow-external.*aplomb\.local\.allowExternal/,
        );
      }
      const view = { name: 'outer', aplQuery: read(join(folder, 'a.csv')) };
      assert.equal((await off.call('POST', '/v2/views', view)).status, 200);
      assert.match((await off.query('outer | count', ALL_TIMES)).body.message, /is off/);
    } finally {
      await off.close();
    }
  });

  it('is limited to files in the allowed folder after symbolic links are resolved', {
    skip: needs.links,
  }, async () => {
    await file('in.csv', 'a');
    await mkdir(join(outside, 'files-too'));
    await writeFile(join(outside, 'files-too', 'secret.csv'), 'secret');
    await writeFile(join(outside, 'secret.csv'), 'secret');
    await symlink(join(outside, 'secret.csv'), join(folder, 'link.csv'));
    await symlink(outside, join(folder, 'up'));
    await symlink(join(folder, 'in.csv'), join(folder, 'inner.csv'));
    await symlink(folder, join(outside, 'by-link'));
    await symlink('/dev/zero', join(folder, 'endless'));
    await symlink('/proc/self/environ', join(folder, 'environ'));
    await symlink('nowhere', join(folder, 'dangling'));
    const refused = [
      join(outside, 'secret.csv'),
      join(outside, 'missing.csv'),
      join(outside, 'files-too', 'secret.csv'),
      `${folder}/../secret.csv`,
      `file://${folder}/%2e%2e/secret.csv`,
      join(folder, 'link.csv'),
      join(folder, 'up', 'secret.csv'),
      join(folder, 'endless'),
      join(folder, 'environ'),
      '/etc/shadow',
      '/proc/self/environ',
      `${folder}/../../../../../../../../proc/self/environ`,
      '/dev/stdin',
      join(local.folder, 'data.duckdb'),
    ];
    for (const address of refused) {
      assert.match(await refusal(local, address), /it is not allowed\./, address);
    }
    assert.match(await refusal(local, join(folder, 'dangling')), /file does not exist/);
    for (const name of ['in.csv', 'inner.csv', 'up/files/in.csv']) {
      assert.equal(await refusal(local, join(folder, name)), '', name);
    }
    assert.equal(await refusal(local, join(outside, 'by-link', 'in.csv')), '');
    assert.equal(await refusal(local, `file://${folder}/in.csv`), '');
  });

  it('is limited to regular files', { skip: needs.pipes }, async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    assert.match(await refusal(local, pipe), /not a plain file/);
    assert.match(await refusal(local, folder), /folder/);
    assert.match(await refusal(local, `${folder}/a\0.csv`), /NUL/);
    assert.match(await refusal(local, `${folder}/${'x'.repeat(5_000)}`), /file does not exist/);
  });

  it('never includes devices, /proc, /sys or the data folder, even if / is allowed', {
    skip: needs.devices,
  }, async () => {
    const all = await Deployment.open({ allowExternal: ['/'] });
    try {
      await file('in.csv', 'a');
      assert.equal(await refusal(all, join(folder, 'in.csv')), '');
      await symlink(all.folder, join(folder, 'data'));
      await symlink('/proc', join(folder, 'proc'));
      await link(join(all.folder, 'data.duckdb'), join(folder, 'linked'));
      await mkdir(join(all.folder, 'below'));
      await writeFile(join(all.folder, 'below', 'part'), 'a');
      await link(join(all.folder, 'below', 'part'), join(folder, 'linked-below'));
      for (const address of [
        join(folder, 'linked'),
        join(folder, 'linked-below'),
        '/proc/self/environ',
        '/proc/nothing',
        '/dev/zero',
        '/sys/kernel/notes',
        join(all.folder, 'data.duckdb'),
        join(all.folder, 'token'),
        join(folder, 'data', 'data.duckdb'),
        join(folder, 'proc', 'self', 'environ'),
        join(folder, 'proc', 'nothing'),
      ]) {
        assert.notEqual(await refusal(all, address), '', address);
      }
    } finally {
      await all.close();
    }
  });

  it('never reaches a file outside the allowed folder, even if a folder is swapped while it is opened', {
    skip: needs.links,
  }, async () => {
    const [real, decoy] = [join(folder, 'swapped'), join(outside, 'decoy')];
    await mkdir(real);
    await mkdir(decoy);
    await writeFile(join(real, 'x.csv'), 'allowed');
    await writeFile(join(decoy, 'x.csv'), 'secret');
    let swapping = true;
    const swap = (async () => {
      while (swapping) {
        await rename(real, `${real}.away`);
        await symlink(decoy, real);
        await rm(real);
        await rename(`${real}.away`, real);
      }
    })();
    const answers = new Set<string>();
    for (let i = 0; i < 200; i++) {
      const { status, body } = await ask(read(join(real, 'x.csv')));
      answers.add(status === 200 ? String(body.tables[0].columns[0][0]) : body.errors[0].code);
    }
    swapping = false;
    await swap;
    assert.ok(!answers.has('secret'), [...answers].join(', '));
  });

  it('requires an allowed scheme, host, port and path of a URL', async () => {
    const some = await Deployment.open({
      allowExternal: [`${origin}/open`, 'http://localhost:1/'],
    });
    try {
      const port = new URL(origin).port;
      for (const address of [
        `${origin}/`,
        `${origin}/opened.csv`,
        `${origin}/open/../hosts.csv?x=1`,
        `${origin}/open/%2e%2e/hosts.csv?x=1`,
        `${origin}/open/..%2fhosts.csv?x=1`,
        `${origin}/open/..%5Chosts.csv`,
        `http://user:word@127.0.0.1:${port}/open/a.csv`,
        `http://localhost:${port}/open/a.csv`,
        `https://127.0.0.1:${port}/open/a.csv`,
        'http://127.0.0.1:1/open/a.csv',
        'http://localhost:2/',
      ]) {
        assert.match(await refusal(some, address), /it is not allowed\./, address);
      }
      assert.match(await refusal(some, `${origin}/open/a.csv`), /status 404/);
      assert.match(await refusal(some, `${origin}/open`), /status 404/);
    } finally {
      await some.close();
    }
  });

  it('is limited to 20 sources per query', async () => {
    const path = await file('in.csv', 'a');
    const many = Array.from({ length: 21 }, (_, i) => path.replace('in.csv', `in.csv?${i}`));
    const { status, body } = await ask(`externaldata (a:string) [${many}]`);
    assert.equal(status, 400);
    assert.match(body.message, /at most 20 addresses/);
  });
});

describe('--allow-external', () => {
  const read = (...args: string[]) => readArguments(['--data', 'x', ...args]).allowExternal;

  it('can be repeated, and is required for any access', () => {
    assert.deepEqual(read(), []);
    const both = ['--allow-external', '/data', '--allow-external', 'http://127.0.0.1:8080/'];
    assert.deepEqual(read(...both), ['/data', 'http://127.0.0.1:8080/']);
  });

  it('must be an absolute path or a URL', () => {
    for (const entry of ['data', './data', '', 'ftp://127.0.0.1/', 'http://', '*']) {
      assert.throws(() => read('--allow-external', entry), /--allow-external must be/, entry);
    }
  });
});
