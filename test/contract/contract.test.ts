// The contract, checked over a socket against a local deployment as shipped.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type EndpointKey, endpointKeys, endpointRow } from '../../api/src/index.ts';
import { Processes } from '../local/processes.ts';
import { endpointAt, type World } from './check.ts';
import { checks, isPossible } from './suite.ts';
import type { Target } from './target.ts';
import { openWorld } from './world.ts';

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
          else test.diagnostic('It needs a personal token.');
        });
      }
    });
  }

  it('checks a successful response of every endpoint in the table', () => {
    const { shown } = world.requests;
    // Resources that can't be created can't be read, and metrics are not stored.
    const isPossibleHere = (key: EndpointKey) => {
      if (key === 'ingestMetrics') return false;
      const { path, tokens } = endpointRow(key);
      const made = /^\/v2\/(?:rbac\/groups|tokens)(?=\/\{id\})/.exec(path)?.[0] as `/${string}`;
      const canBeMade = made === undefined || endpointAt('POST', made) !== undefined;
      return canBeMade && (tokens.includes('api') || target.personalToken !== undefined);
    };
    assert.deepEqual(
      endpointKeys.filter((key) => isPossibleHere(key) && !shown.has(key)),
      [],
    );
  });
});

describe('npm run contract', () => {
  const run = (...args: string[]) => {
    const main = fileURLToPath(new URL('main.ts', import.meta.url));
    const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], {
      encoding: 'utf8',
    });
    return { status, stdout, stderr };
  };

  it('checks a deployment by URL and token, and prints the number of passed checks', () => {
    const args = ['--url', `${target.url}/`, '--token', target.token];
    const { status, stdout } = run(...args, '--only', 'GET /v2/views ');
    assert.match(stdout, /^\d+ of \d+ checks passed/);
    assert.equal(status, 0, stdout);
  });

  it('lists the failed checks and exits with code 1', () => {
    const args = ['--url', target.url, '--token', target.token];
    // The API token is passed as a personal token, so the edge deployment accepts it and the check fails.
    const { status, stdout } = run(
      ...args,
      '--personal-token',
      target.token,
      '--only',
      '_apl rejects a personal token',
    );
    assert.match(stdout, /✗ POST \/v1\/query\/_apl rejects a personal token\n/);
    assert.equal(status, 1, stdout);
  });

  it('exits with code 2 if the URL lacks endpoints that every check needs', () => {
    const { status, stderr } = run(
      '--url',
      `${target.url}/edge/us-east-1`,
      '--token',
      target.token,
    );
    assert.equal(status, 2);
    assert.match(stderr, /404/);
  });

  it('exits with code 2 without a URL or with a refused token, and never prints the token', () => {
    assert.match(run().stderr, /^Usage: npm run contract/);
    assert.equal(run().status, 2);
    const refused = run('--url', target.url, '--token', 'xaat-unknown');
    assert.deepEqual([refused.status, refused.stdout], [2, '']);
    assert.doesNotMatch(refused.stderr, /xaat-unknown/);
  });
});
