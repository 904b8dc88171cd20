/** Requests as any client of ClickHouse's HTTP interface sends them. */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { request } from 'undici';
import { endless, failing, useServer } from './testServer.ts';

const server = useServer({ users: { default: '', reader: 'secret' } });

describe('a query', () => {
  it('is answered from the body, in TabSeparated, with its id, format and time zone', async () => {
    const { status, headers, text } = await server.send({
      body: 'SELECT 1, 2',
      parameters: { query_id: 'first' },
    });
    assert.deepEqual([status, text], [200, '1\t2\n']);
    assert.equal(headers['x-clickhouse-query-id'], 'first');
    assert.equal(headers['x-clickhouse-format'], 'TabSeparated');
    assert.equal(headers['content-type'], 'text/tab-separated-values; charset=UTF-8');
    assert.ok(headers['x-clickhouse-timezone']);
  });

  it('may be in the URL, and continue in the body', async () => {
    const alone = await server.send({ method: 'GET', parameters: { query: 'SELECT 1' } });
    assert.equal(alone.text, '1\n');
    const both = await server.send({ parameters: { query: 'SELECT 1' }, body: ', 2' });
    assert.equal(both.text, '1\t2\n');
  });

  it('has the format of FORMAT, else of the header, else of default_format', async () => {
    const headers = { 'x-clickhouse-format': 'CSV' };
    const parameters = { default_format: 'JSONEachRow' };
    const body = "SELECT 1 AS a, 'x' AS b";
    assert.equal((await server.send({ body, parameters })).text, '{"a":1,"b":"x"}\n');
    assert.equal((await server.send({ body, parameters, headers })).text, '1,"x"\n');
    const named = await server.send({ body: `${body} FORMAT Values`, parameters, headers });
    assert.equal(named.text, "(1,'x')");
    assert.equal(named.headers['x-clickhouse-format'], 'Values');
  });

  it('has one header, however many blocks its rows have', async () => {
    const sql = 'SELECT number AS n FROM numbers(300000) FORMAT';
    for (const [format, header] of [
      ['JSONCompactEachRowWithNamesAndTypes', ['["n"]', '["UInt64"]', '[0]']],
      ['TSVWithNames', ['n', '0', '1']],
    ] as const) {
      const lines = (await server.run(`${sql} ${format}`)).trimEnd().split('\n');
      assert.deepEqual(lines.slice(0, 3), header);
      const headerLines = header.findIndex((line) => /0/.test(line));
      assert.equal(lines.length, 300_000 + headerLines);
      assert.equal(new Set(lines).size, lines.length);
    }
  });

  it('is whole in a format that has to be written at once', async () => {
    const text = await server.run('SELECT number AS n FROM numbers(200000) FORMAT JSONCompact');
    const { rows, data } = JSON.parse(text);
    assert.deepEqual([rows, data.length, data.at(-1)], [200_000, 200_000, [199_999]]);
  });

  it('uses settings, a database and parameters of the URL, for itself alone', async () => {
    const sql =
      "SELECT getSetting('max_threads'), currentDatabase(), {s:String}, {n:Array(Int64)}[2]";
    const parameters = {
      max_threads: '3',
      database: 'system',
      // Escaped as in TabSeparated, as clients send parameters.
      param_s: "it's\\ta \\\\ tab",
      param_n: '[1,-2]',
    };
    assert.equal(await server.run(sql, parameters), "3\tsystem\tit\\'s\\ta \\\\ tab\t-2\n");
    assert.equal(await server.run('SELECT currentDatabase()'), 'default\n');
    await assert.rejects(server.run('SELECT {s:String}'), /Code: 456\. /);
  });

  it('has parameters and itself in a multipart body', async () => {
    const body = ['query', 'SELECT {a:String}', 'param_a', 'ü\\tb']
      .reduce<string[][]>((pairs, text, index) => {
        if (index % 2 === 0) pairs.push([text]);
        else pairs.at(-1)!.push(text);
        return pairs;
      }, [])
      .map(
        ([name, value]) =>
          `--XX\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
      )
      .join('');
    const { text } = await server.send({
      body: `${body}--XX--\r\n`,
      headers: { 'content-type': 'multipart/form-data; boundary=XX' },
    });
    assert.equal(text, 'ü\\tb\n');
  });

  it('cannot change data with GET', async () => {
    const { status, text } = await server.send({
      method: 'GET',
      parameters: { query: 'CREATE TABLE not_made (a Int8) ENGINE = Memory' },
    });
    assert.match(text, /^Code: 164\. DB::Exception: .*\(READONLY\)/);
    assert.equal(status, 500);
    assert.equal(await server.run('EXISTS not_made'), '0\n');
  });
});

describe('an error', () => {
  for (const [sql, status, code] of [
    ['SELECT * FROM nothing', 404, 'Code: 60. DB::Exception: '],
    ['SELECT nothing', 404, 'Code: 47. DB::Exception: '],
    ['SELECT 1 +', 400, 'Code: 62. DB::Exception: Syntax error'],
    [' -- nothing', 400, 'Code: 62. DB::Exception: '],
    ["SELECT 1; SELECT 2 AS ';'", 400, 'Code: 62. DB::Exception: Syntax error (Multi-'],
    ['SELECT throwIf(1)', 500, 'Code: 395. DB::Exception: '],
    ["SELECT toInt8('x')", 400, 'Code: 6. DB::Exception: '],
  ] as const) {
    it(`of ${sql} has the status ${status} and its code`, async () => {
      const { status: actual, headers, text } = await server.send({ body: sql });
      assert.equal(actual, status, text);
      assert.ok(text.startsWith(code), text);
      assert.match(text, / \([A-Z_]+\) \(version \d+\.\d+\.\d+\.\d+ \(official build\)\)\n$/);
      assert.equal(headers['x-clickhouse-exception-code'], /\d+/.exec(code)?.[0]);
    });
  }

  it('of an unknown setting or database is 404', async () => {
    const settings = await server.send({ body: 'SELECT 1', parameters: { no_such: '1' } });
    assert.deepEqual([settings.status, settings.text.slice(0, 9)], [404, 'Code: 115']);
    const database = await server.send({ body: 'SELECT 1', parameters: { database: 'no`such' } });
    assert.deepEqual([database.status, database.text.slice(0, 8)], [404, 'Code: 81']);
  });

  it('accepts one statement with a semicolon at its end, and in strings and comments', async () => {
    assert.equal(await server.run("SELECT ';' -- ;\n /* ; */ ; \n"), ';\n');
  });

  it('after rows follows them with the tag of the header, and ends the connection', async () => {
    const response = await request(server.url, {
      method: 'POST',
      body: failing,
    });
    assert.equal(response.statusCode, 200);
    let text = '';
    await assert.rejects(async () => {
      for await (const chunk of response.body) text += chunk;
    });
    const tag = response.headers['x-clickhouse-exception-tag'];
    const block =
      /\r\n__exception__\r\n(\w+)\r\n([\s\S]*?\n)(\d+) (\w+)\r\n__exception__\r\n$/.exec(text);
    assert.ok(block, text.slice(-500));
    assert.deepEqual([block[1], block[4]], [tag, tag]);
    assert.match(block[2]!, /^Code: 395\. /);
    assert.equal(Number(block[3]), Buffer.byteLength(block[2]!));
  });

  it('after rows is the answer if it waits for the end of the query', async () => {
    const { status, text } = await server.send({
      body: failing,
      parameters: { wait_end_of_query: '1' },
    });
    assert.deepEqual([status, text.slice(0, 9)], [500, 'Code: 395']);
  });
});

describe('compression', () => {
  const sql = 'SELECT number FROM numbers(100000)';

  it('of the answer needs the setting and the header', async () => {
    const headers = { 'accept-encoding': 'gzip' };
    const plain = await server.send({ body: sql, headers });
    assert.equal(plain.headers['content-encoding'], undefined);
    const response = await request(`${server.url}/?enable_http_compression=1`, {
      method: 'POST',
      headers,
      body: sql,
    });
    assert.equal(response.headers['content-encoding'], 'gzip');
    const bytes = Buffer.from(await response.body.arrayBuffer());
    assert.ok(bytes.length < plain.text.length / 2);
    assert.equal(gunzipSync(bytes).toString(), plain.text);
  });

  it('of an answer that fails after rows covers the error', async () => {
    const response = await request(`${server.url}/?enable_http_compression=1`, {
      method: 'POST',
      headers: { 'accept-encoding': 'gzip' },
      body: failing,
    });
    const chunks: Uint8Array[] = [];
    await assert.rejects(async () => {
      for await (const chunk of response.body) chunks.push(chunk);
    });
    const text = gunzipSync(Buffer.concat(chunks)).toString();
    assert.match(
      text,
      /^0\n[\s\S]*\r\n__exception__\r\n\w+\r\nCode: 395\. [\s\S]*__exception__\r\n$/,
    );
  });

  it('of the body is by Content-Encoding', async () => {
    const gzip = { 'content-encoding': 'gzip' };
    assert.equal((await server.send({ body: gzipSync('SELECT 1'), headers: gzip })).text, '1\n');
    const unknown = await server.send({
      body: 'SELECT 1',
      headers: { 'content-encoding': 'snow' },
    });
    assert.deepEqual([unknown.status, unknown.text.slice(0, 8)], [501, 'Code: 48']);
    const broken = await server.send({ body: 'SELECT 1', headers: gzip });
    assert.equal(broken.status, 500);
  });
});

describe('an insert', () => {
  it('stores the rows of its body and reports how many', async () => {
    await server.run('CREATE TABLE inserted (a Int64, b String) ENGINE = MergeTree ORDER BY a');
    const { headers } = await server.send({
      parameters: { query: 'INSERT INTO inserted FORMAT JSONEachRow' },
      body: '{"a":1,"b":"é"}\n{"a":2,"b":"; SELECT 1"}\n',
    });
    const summary = JSON.parse(headers['x-clickhouse-summary']!);
    assert.equal(summary.written_rows, '2');
    assert.ok(Number(summary.written_bytes) > 0);
    assert.ok(Number(summary.elapsed_ns) > 0);
    await server.run("INSERT INTO inserted VALUES (3, 'c')");
    assert.equal(
      await server.run('SELECT a, b FROM inserted ORDER BY a'),
      '1\té\n2\t; SELECT 1\n3\tc\n',
    );
  });

  it('takes bytes that are not UTF-8', async () => {
    await server.run('CREATE TABLE bytes (b String) ENGINE = MergeTree ORDER BY b');
    const row = Buffer.from([3, 0xff, 0x00, 0xfe]);
    await server.send({ parameters: { query: 'INSERT INTO bytes FORMAT RowBinary' }, body: row });
    assert.equal(await server.run('SELECT hex(b) FROM bytes'), 'FF00FE\n');
  });

  it('with a broken row stores nothing', async () => {
    await server.run('CREATE TABLE broken (a Int64) ENGINE = MergeTree ORDER BY a');
    const { status, text } = await server.send({
      parameters: { query: 'INSERT INTO broken FORMAT JSONEachRow' },
      body: '{"a":1}\n{"a":"x"}\n',
    });
    assert.deepEqual([status, text.slice(0, 8)], [400, 'Code: 27']);
    assert.equal(await server.run('SELECT count() FROM broken'), '0\n');
  });

  it('stores nothing when the connection ends in its body, and the server goes on', async () => {
    await server.run('CREATE TABLE cut (a Int64) ENGINE = MergeTree ORDER BY a');
    const socket = connect(server.server.port, '127.0.0.1');
    const query = encodeURIComponent('INSERT INTO cut FORMAT JSONEachRow');
    socket.write(
      `POST /?query=${query} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n8\r\n{"a":1}\n\r\n`,
    );
    await new Promise((resolve) => setTimeout(resolve, 100));
    socket.destroy();
    await new Promise((resolve) => setTimeout(resolve, 100));
    assert.equal(await server.run('SELECT count() FROM cut'), '0\n');
  });
});

describe('a user', () => {
  const body = 'SELECT 1';

  it('is known by basic authentication, headers or parameters', async () => {
    const basic = `Basic ${Buffer.from('reader:secret').toString('base64')}`;
    const keys = { 'x-clickhouse-user': 'reader', 'x-clickhouse-key': 'secret' };
    for (const reply of [
      await server.send({ body, headers: { authorization: basic } }),
      await server.send({ body, headers: keys }),
      await server.send({ body, parameters: { user: 'reader', password: 'secret' } }),
      await server.send({ body }),
    ])
      assert.equal(reply.text, '1\n');
  });

  it('with a wrong password or name is refused', async () => {
    for (const headers of [
      { 'x-clickhouse-user': 'reader', 'x-clickhouse-key': 'wrong' },
      { 'x-clickhouse-user': 'nobody' },
      { authorization: `Basic ${Buffer.from('default:x').toString('base64')}` },
    ]) {
      const { status, text } = await server.send({ body, headers });
      assert.equal(status, 403);
      assert.match(
        text,
        /^Code: 516\. DB::Exception: \w+: Authentication failed: .*\(AUTHENTICATION_FAILED\)/,
      );
    }
  });
});

describe('a named session', () => {
  it('keeps temporary tables and SET, and no setting of a request', async () => {
    const session = { session_id: 'one' };
    await server.run('CREATE TEMPORARY TABLE kept (a Int8)', session);
    await server.run('INSERT INTO kept VALUES (7)', session);
    await server.run('SET max_block_size = 77', session);
    await server.run('SELECT 1', { ...session, max_threads: '3' });
    const sql = "SELECT a, getSetting('max_block_size'), getSetting('max_threads') = 3 FROM kept";
    assert.equal(await server.run(sql, session), '7\t77\t0\n');
    await assert.rejects(server.run(sql), /Code: 60\. /);
  });

  it('is locked while a query of it runs', async () => {
    const session = { session_id: 'busy' };
    const failed = assert.rejects(
      server.run(endless, { ...session, query_id: 'busy' }),
      /Code: 394/,
    );
    await server.waitFor('busy', true);
    await assert.rejects(server.run('SELECT 1', session), /Code: 373\. /);
    await server.run("KILL QUERY WHERE query_id = 'busy' SYNC");
    await failed;
    assert.equal(await server.run('SELECT 1', session), '1\n');
  });

  it('has to exist if session_check says so, and ends after its time', async () => {
    const session = { session_id: 'short', session_timeout: '1' };
    await assert.rejects(
      server.run('SELECT 1', { ...session, session_check: '1' }),
      /Code: 372\. /,
    );
    await server.run('CREATE TEMPORARY TABLE gone (a Int8)', session);
    assert.equal(
      await server.run('SELECT count() FROM gone', { ...session, session_check: '1' }),
      '0\n',
    );
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    await assert.rejects(
      server.run('SELECT 1', { ...session, session_check: '1' }),
      /Code: 372\. /,
    );
  });
});

describe('paths', () => {
  it('answers /ping, and refuses others', async () => {
    for (const [path, status] of [
      ['/ping', 200],
      ['/replicas_status', 200],
      ['/elsewhere', 404],
    ] as const) {
      const response = await request(server.url + path);
      assert.equal(response.statusCode, status);
      if (status === 200) assert.equal(await response.body.text(), 'Ok.\n');
      else await response.body.dump();
    }
  });
});
