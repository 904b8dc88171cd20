/** `aplomb mcp` as clients see it: every tool through two clients, and messages that are malformed, huge or cancelled. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { guide, offeredTools } from '../../agents/src/index.ts';
import { bundle, Folder } from '../cli/run.ts';
import { count } from '../local/processes.ts';
import { PlainClient, SampleDeployment } from './harness.ts';

let deployment: SampleDeployment;
let folder: Folder;
let plain: PlainClient;

before(async () => {
  deployment = await SampleDeployment.start();
  folder = new Folder();
  folder.files({ 'queries/errors.apl': "['http-logs']\n| where status >= 500\n| count\n" });
  plain = await PlainClient.start(['--data', deployment.data, '--allow-ingest', folder.path]);
  await deployment.post('/v2/monitors', {
    name: 'Errors',
    type: 'MatchEvent',
    aplQuery: "['http-logs'] | where status >= 500",
  });
});
after(async () => {
  await plain.end();
  folder.remove();
  await deployment.dispose();
});

/** A call of every tool, with the text that its answer contains. */
const calls: readonly (readonly [name: string, input: object, expected: RegExp])[] = [
  ['list_datasets', {}, /^1 dataset of the local deployment\.[\s\S]*\nhttp-logs\n/],
  ['get_fields', { dataset: 'http-logs', filter: 'status' }, /\nstatus integer: 200 to 504\n/],
  [
    'check_query',
    { query: "['http-logs'] | where Timestamp > ago(5m) and Status == 500" },
    /no errors are left\):\n```apl\n\['http-logs'\] \| where _time > ago\(5m\) and status == 500\n```$/,
  ],
  ['run_query', { query: "['http-logs'] | count" }, /Rows examined: 2,000[\s\S]*\n\[2000\]\n/],
  [
    'run_to_stage',
    { query: "['http-logs'] | where status < 0 | take 1", stage: 1 },
    /0\. 2,000: \['http-logs'\]\n1\. 0: \| where status < 0\n[\s\S]*No rows\./,
  ],
  ['explain', { topic: 'summarize' }, /^Operator summarize: /],
  ['search_queries', { words: 'status 500' }, /-- errors\.apl:1\n[\s\S]*-- monitor Errors\n/],
  ['get_resource', { kind: 'monitors', id: 'Errors' }, /"aplQuery": "\['http-logs'\] \| where/],
  [
    'plan_change',
    { kind: 'monitors', id: 'Errors', change: { name: 'Server errors' } },
    /nothing was changed[\s\S]*\n- {2}"name": "Errors",\n\+ {2}"name": "Server errors",\n/,
  ],
  ['ingest_events', { dataset: 'notes', events: [{ text: 'x' }] }, /not.*found|does not exist/i],
];

describe('the protocol', () => {
  it('offers ten tools, each of which the plain client calls', async () => {
    const { result } = await plain.request('tools/list');
    assert.deepEqual(
      result.tools.map(({ name }: { name: string }) => name).sort(),
      calls.map(([name]) => name).sort(),
    );
    for (const [name, input, expected] of calls) {
      assert.match((await plain.call(name, input)).text, expected, name);
    }
  });

  it("answers the SDK's client the same, with its tools, resource and prompt", async () => {
    const client = new Client({ name: 'sdk', version: '1' });
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [bundle, 'mcp', '--data', deployment.data, '--allow-ingest', folder.path],
        env: { PATH: process.env['PATH'] ?? '', NO_PROXY: '127.0.0.1' },
      }),
    );
    try {
      const { tools } = await client.listTools();
      assert.equal(tools.length, 10);
      assert.deepEqual(
        tools
          .filter(({ annotations }) => annotations?.readOnlyHint !== true)
          .map(({ name }) => name),
        ['ingest_events'],
      );
      for (const [name, input, expected] of calls) {
        const { content } = await client.callTool({ name, arguments: { ...input } });
        assert.match((content as { text: string }[])[0]?.text ?? '', expected, name);
      }
      const { resources } = await client.listResources();
      const read = await client.readResource({ uri: resources[0]?.uri ?? '' });
      assert.equal((read.contents[0] as { text?: string }).text, guide);
      const { prompts } = await client.listPrompts();
      const { messages } = await client.getPrompt({ name: prompts[0]?.name ?? '' });
      assert.deepEqual(messages[0]?.content, { type: 'text', text: guide });
      assert.match(client.getInstructions() ?? '', /explain guide/);
    } finally {
      await client.close();
    }
  });

  it('offers ingest only if it was allowed', async () => {
    const client = await PlainClient.start(['--data', deployment.data]);
    const { result } = await client.request('tools/list');
    assert.equal(result.tools.length, 9);
    const { error } = await client.request('tools/call', {
      name: 'ingest_events',
      arguments: { dataset: 'http-logs', events: [{ a: 1 }] },
    });
    assert.equal(error?.code, -32_602);
    assert.equal(await client.end(), 0);
    assert.equal(await count(deployment.running, 'http-logs'), 2_000);
  });

  it('refuses malformed messages and goes on', async () => {
    const before = plain.unclaimed.length;
    for (const line of ['{', '[]', '"x"', '{"id":true}', '\u0000', '{"jsonrpc":"2.0","id":null}']) {
      plain.writeLine(line);
    }
    plain.write({ jsonrpc: '2.0', method: 'notifications/unknown' });
    plain.writeLine('');
    assert.equal((await plain.request('nothing/here')).error?.code, -32_601);
    const codes = plain.unclaimed.slice(before).map(({ error }) => error?.code);
    assert.deepEqual(codes, [-32_700, -32_600, -32_600, -32_600, -32_700, -32_600]);
  });

  it('reports what is wrong with the input of a tool', async () => {
    for (const input of [{}, { query: 5 }, { query: '' }, { query: 'x'.repeat(60_000) }]) {
      const { text, isError } = await plain.call('check_query', input);
      assert.ok(isError);
      assert.match(text, /^Invalid input:\n- query (?:must|is) /);
    }
  });

  it('refuses a message above 10 MB by its identifier, and goes on', async () => {
    const query = 'x'.repeat(11 * 1024 * 1024);
    const params = { name: 'check_query', arguments: { query } };
    const { error } = await plain.request('tools/call', params);
    assert.match(error?.message ?? '', /larger than 10 MB/);
    const last = await new Promise<number | undefined>((resolve) => {
      const { id, reply } = plain.begin('ping');
      void reply.then(() => resolve(id));
    });
    assert.ok(last);
    // Clients such as the SDK's write the identifier last.
    const before = plain.unclaimed.length;
    plain.writeLine(JSON.stringify({ method: 'tools/call', params, jsonrpc: '2.0', id: 'last' }));
    await plain.request('ping');
    assert.deepEqual(
      plain.unclaimed.slice(before).map(({ id }) => id),
      ['last'],
    );
  });

  it('answers 200 parallel calls, each with its own answer', async () => {
    const texts = await Promise.all(
      Array.from({ length: 200 }, async (_, index) => {
        const { text } = await plain.call('run_query', { query: `print n = ${index}` });
        return /\n\[(\d+)\]\n/.exec(text)?.[1];
      }),
    );
    assert.deepEqual(
      texts,
      Array.from({ length: 200 }, (_, index) => String(index)),
    );
  });

  it('a cancelled call ends its query, and is not answered', async () => {
    const slow = 'range(0, 3000, 1)';
    const query = `print a = ${slow} | mv-expand a | extend b = ${slow} | mv-expand b | extend c = ${slow} | mv-expand c | summarize dcount(tolong(a) * tolong(b) + tolong(c))`;
    const runs = [1, 2].map(() =>
      plain.begin('tools/call', { name: 'run_query', arguments: { query } }),
    );
    // Both slots are taken, so another run waits until they are cancelled.
    const waiting = plain.call('run_query', { query: 'print x = 1' });
    await sleep(300);
    const answered = await Promise.race([waiting.then(() => true), sleep(200).then(() => false)]);
    assert.equal(answered, false);
    for (const { id } of runs) {
      plain.write({
        jsonrpc: '2.0',
        method: 'notifications/cancelled',
        params: { requestId: id },
      });
    }
    const started = Date.now();
    assert.match((await waiting).text, /\n\[1\]\n/);
    assert.ok(Date.now() - started < 5_000);
  });

  it('a client that is killed during a call leaves no process', async () => {
    const client = await PlainClient.start(['--data', deployment.data]);
    client.begin('tools/call', {
      name: 'run_query',
      arguments: { query: "['http-logs'] | join kind=inner (['http-logs']) on method | count" },
    });
    // Closing both ends is what the death of a client does.
    client.child.stdout?.destroy();
    assert.equal(await client.end(), 0);
  });

  it('starts a deployment that was killed, with its data', async () => {
    const other = await SampleDeployment.start();
    const client = await PlainClient.start(['--data', other.data]);
    assert.match((await client.call('run_query', { query: 'print x = 1' })).text, /\n\[1\]\n/);
    other.running.child.kill('SIGKILL');
    await sleep(100);
    const counts = await Promise.all(
      [1, 2].map(() => client.call('run_query', { query: "['http-logs'] | count" })),
    );
    for (const { text } of counts) assert.match(text, /\n\[2000\]\n/);
    const again = await PlainClient.start(['--data', other.data]);
    assert.match((await again.call('list_datasets')).text, /http-logs/);
    assert.equal(await again.end(), 0);
    assert.equal(await client.end(), 0);
    await other.dispose();
  });

  it('without data of a deployment, explains and checks, and says how to start one', async () => {
    const client = await PlainClient.start(['--data', join(folder.path, 'none')]);
    const { text, isError } = await client.call('run_query', { query: 'print x = 1' });
    assert.ok(isError);
    assert.match(text, /^No local deployment is running, and there is no data to start one with\./);
    assert.ok(!text.includes(folder.path), text);
    assert.match((await client.call('check_query', { query: 'print x =' })).text, /expected-exp/);
    assert.match((await client.call('explain', { topic: 'unknown-column' })).text, /# unknown/);
    assert.equal(await client.end(), 0);
  });
});

describe('the command line', () => {
  it('refuses a hosted deployment unless it is declared not to be production', async () => {
    const url = ['--url', 'https://api.example.com'];
    const cases: readonly (readonly [readonly string[], RegExp])[] = [
      [url, /Production deployments are refused[\s\S]*add --not-production/],
      [[...url, '--not-production', '--allow-ingest'], /--allow-ingest is for the local deploy/],
      [['--not-production'], /--not-production requires --url/],
      [['--url', 'http://api.example.com', '--not-production'], /must start with https/],
    ];
    for (const [args, expected] of cases) {
      const { status, err } = await folder.run(['mcp', ...args]);
      assert.equal(status, 2);
      assert.match(err, expected);
    }
  });

  it('reads the token of a hosted deployment from the environment, and never shows it', async () => {
    const args = ['--url', deployment.running.url, '--not-production'];
    const without = await PlainClient.start(args);
    assert.match((await without.call('list_datasets')).text, /Set the token .* APLOMB_TOKEN/);
    await without.end();
    const { token } = deployment.running;
    const client = await PlainClient.start(args, { APLOMB_TOKEN: token });
    assert.match((await client.call('list_datasets')).text, /http-logs/);
    const query = `print token = "${token}"`;
    const { text } = await client.call('run_query', { query });
    assert.match(text, /"…"/);
    assert.ok(!text.includes(token));
    await client.end();
  });

  it('prints its help', async () => {
    const { out, status } = await folder.run(['mcp', '--help']);
    assert.equal(status, 0);
    assert.match(out, /--allow-ingest/);
  });
});

it('every tool of the core has a call here', () => {
  const context = { ingest: async () => undefined } as never;
  assert.deepEqual(
    offeredTools(context)
      .map(({ name }) => name)
      .sort(),
    calls.map(([name]) => name).sort(),
  );
  assert.ok(readFileSync(bundle, 'utf8').includes('mcpCli.cjs'));
});
