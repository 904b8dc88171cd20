// `npm run contract -- --url URL --token TOKEN`: checks any deployment against the contract and prints the
// differences. It creates resources whose names start with `contract-` and deletes them.
import { AssertionError } from 'node:assert';
import { parseArgs } from 'node:util';
import { endpointRow } from '../../api/src/index.ts';
import { checks, isPossible } from './suite.ts';
import type { Target } from './target.ts';
import { openWorld } from './world.ts';

const USAGE = `Usage: npm run contract -- --url URL --token TOKEN [--edge URL] [--personal-token TOKEN] [--only TEXT]
  --url URL              the general address of the deployment
  --token TOKEN          an API token that may do everything
  --edge URL             the address for ingest and edge queries; default: that of --url
  --personal-token TOKEN a personal token; without one, what needs it is skipped
  --only TEXT            only checks whose endpoint or name contains the text`;

function targetOf(values: Readonly<Record<string, string | undefined>>): Target | undefined {
  const { url, token, edge = url, 'personal-token': personalToken } = values;
  if (!url || !token || !edge || !URL.canParse(url) || !URL.canParse(edge)) return undefined;
  const plain = (address: string) => address.replace(/\/+$/, '');
  const personal = personalToken === undefined ? {} : { personalToken };
  return { url: plain(url), edge: plain(edge), token, ...personal };
}

async function main(): Promise<number> {
  const option = { type: 'string' } as const;
  const names = ['url', 'token', 'edge', 'personal-token', 'only'];
  const options = Object.fromEntries(names.map((name) => [name, option]));
  const { values } = parseArgs({ options });
  const target = targetOf(values);
  if (target === undefined) {
    console.error(USAGE);
    return 2;
  }
  const world = await openWorld(target);
  const counts = { kept: 0, broken: 0, skipped: 0 };
  try {
    for (const check of checks) {
      const { method, path } = endpointRow(check.endpoint);
      const title = `${method} ${path} ${check.name}`;
      if (values['only'] !== undefined && !title.includes(values['only'])) continue;
      if (!isPossible(check, target)) {
        counts.skipped += 1;
        continue;
      }
      try {
        await check.run(world);
        counts.kept += 1;
      } catch (error) {
        if (!(error instanceof AssertionError)) throw error;
        counts.broken += 1;
        console.log(`✗ ${title}\n    ${error.message.split('\n')[0]}`);
      }
    }
  } finally {
    await world.close();
  }
  const { kept, broken, skipped } = counts;
  const rest = skipped === 0 ? '' : `, ${skipped} skipped for want of a personal token`;
  console.log(`${kept} of ${kept + broken} checks passed${rest}.`);
  return broken === 0 ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 2;
}
