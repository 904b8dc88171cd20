// The contract, checked over a socket against a local deployment as it ships.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { endpointKeys, endpointRow } from '../../api/src/index.ts';
import { Processes } from '../local/processes.ts';
import type { World } from './check.ts';
import { checks, isPossible, openWorld } from './suite.ts';
import type { Target } from './target.ts';

let processes: Processes;
let target: Target;
let world: World;
before(async () => {
  processes = await Processes.create();
  const running = await processes.start('data');
  const { url, token, personalToken } = running as typeof running & { personalToken?: string };
  target = { url, edge: url, token, ...(personalToken && { personalToken }) };
  world = await openWorld(target);
});
after(() => processes.dispose());

describe('the contract', () => {
  for (const key of endpointKeys) {
    const { method, path } = endpointRow(key);
    describe(`${method} ${path}`, () => {
      for (const check of checks.filter(({ endpoint }) => endpoint === key)) {
        it(check.name, async (test) => {
          if (isPossible(check, target)) await check.run(world);
          else test.skip('no personal token');
        });
      }
    });
  }

  it('names no endpoint that the table lacks', () => {
    for (const { endpoint } of checks) assert.ok(endpointKeys.includes(endpoint), endpoint);
  });
});
