// externaldata: files and loopback addresses in every format, and what is not read.
import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { ALL_TIMES, Deployment, rowsOf } from './deployment.ts';

let local: Deployment;
let folder: string;
let server: Server;
let origin: string;

before(async () => {
  local = await Deployment.open();
  folder = join(local.folder, 'files');
  await mkdir(folder);
  server = createServer((request, response) => {
    if (request.url === '/away') response.writeHead(302, { location: 'http://example.com/' }).end();
    else if (request.url === '/big') response.end(Buffer.alloc(5_000_001, 'x'));
    else if (request.url === '/hosts.csv?x=1') response.end('a,1\nb,2\n');
    else response.writeHead(404).end('nothing');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(async () => {
  server.closeAllConnections();
  server.close();
  await local.close();
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
  it('reads CSV with quotes, short and long lines, and turns values into their types', async () => {
    const path = await file('a.csv', 'id,when,n\n1,2026-01-01,"x, ""y"""\n2\n3,never,z,more\n');
    const query = `externaldata (id:long, at:datetime, n:string) [${path}] with (ignoreFirstRecord=true)`;
    assert.deepEqual(await rows(query), [
      [1, '2026-01-01T00:00:00Z', 'x, "y"'],
      [2, null, null],
      [3, null, 'z'],
    ]);
  });

  it('reads values divided by tabs, semicolons and bars, by the ending or by name', async () => {
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

  it('reads JSON by line, as a list and over several lines, by the names of columns', async () => {
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

  it('reads texts by line or whole', async () => {
    const path = await file('a.txt', 'one\r\ntwo, three\n');
    assert.deepEqual(await rows(`externaldata (line:string) [${path}]`), [['one'], ['two, three']]);
    assert.deepEqual(await rows(`externaldata (all:string) [${path}] with (format='raw')`), [
      ['one\r\ntwo, three\n'],
    ]);
  });

  it('reads several addresses into one table, also over loopback, and can be looked up', async () => {
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

  it('of an empty file is an empty table', async () => {
    for (const name of ['empty.csv', 'empty.json']) {
      assert.deepEqual(await rows(`externaldata (a:string) [${await file(name, '')}]`), [], name);
    }
  });

  it('says at the address what cannot be read, and why', async () => {
    await symlink('/dev/zero', join(folder, 'endless'));
    const cases = [
      ['"https://example.com/data.csv"', /loopback addresses only/],
      ['"http://127.0.0.1.example.com/"', /loopback addresses only/],
      ['"relative.csv"', /loopback addresses only/],
      ['"ftp://127.0.0.1/x"', /loopback addresses only/],
      [JSON.stringify(join(folder, 'missing.csv')), /no such file/],
      [JSON.stringify(folder), /folder/],
      [JSON.stringify(join(folder, 'endless')), /no plain file/],
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

  it('names formats that it does not know, and broken content', async () => {
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
