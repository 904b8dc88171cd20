// The set-up of clients in docs/agents.md: each block starts the same command, which runs as written.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { it } from 'node:test';
import { offeredTools } from '../../agents/src/index.ts';
import { PlainClient } from './harness.ts';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/agents.md'), 'utf8');

/** The commands of the blocks for clients, with their arguments. */
function commands(): string[][] {
  const shell = [...page.matchAll(/^```sh\nclaude mcp add \S+ -- (.*)\n```$/gm)].map(
    ([, command = '']) => command.split(' '),
  );
  const json = [...page.matchAll(/^```json\n(.*?)^```$/gms)].map(([, text = '']) => {
    const { mcpServers, servers } = JSON.parse(text);
    const { command, args } = (mcpServers ?? servers).aplomb;
    return [command, ...args];
  });
  return [...shell, ...json];
}

it('each client starts the command as written, which answers', async () => {
  const all = commands();
  assert.equal(all.length, 3);
  const [first] = all;
  for (const command of all) assert.deepEqual(command, first);
  const [program = '', ...args] = first as string[];
  const child = spawn(program, args, {
    cwd: root,
    // The command requires the Node version that runs the tests, not that of the machine.
    env: { ...process.env, PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH']}` },
    stdio: 'pipe',
    shell: process.platform === 'win32',
  });
  const client = new PlainClient(child);
  await client.initialize();
  const { result } = await client.request('tools/list');
  assert.equal(result.tools.length, 9);
  assert.match((await client.call('explain', { topic: 'where' })).text, /^Operator where/);
  assert.equal(await client.end(), 0);
});

it('docs/agents.md lists the tools', () => {
  const listed = [...page.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  const tools = offeredTools({ ingest: true } as never).map(({ name }) => name);
  assert.deepEqual(listed.sort(), tools.sort());
});
