// `npm run test:oldest`: the unit tests of everything that reads files, bodies and archives, on the oldest Node that the
// extension and the command line run on. Fetches that Node once.
//   npm run test:oldest -- [FILE…]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { cached } from './host/cache.ts';
import { repository } from './host/paths.ts';
import { unpackPackage } from './package/registry.ts';

const VERSION = '22.19.0';

/** Digests of the packages that contain Node, by platform. */
const digests: Readonly<Record<string, string>> = {
  'linux-x64':
    'sha512-kjgmAijr2xPcEIrK1eky8L05W9pZcVUYihQbsN99F0zQP6VXX+DlAbSFbVre3bI7oLjtyUd10/vCdCkxfqnysw==',
};

/** Tests of the parts that use what Node gives differently: compression, files, HTTP and workers. */
const patterns = [
  'test/{cli,formats,ingest,system}/**/*.test.ts',
  'test/client/{export,store,follow}/**/*.test.ts',
  'test/local/*.test.ts',
];

const platform = `${process.platform}-${process.arch}`;
const integrity = digests[platform];
if (integrity === undefined)
  throw new Error(`test:oldest runs on ${Object.keys(digests).join(', ')}, not on ${platform}.`);

const wanted = { name: `node-${platform}`, version: VERSION, integrity };
const folder = await cached(`node-${VERSION}`, (target) => unpackPackage(wanted, target));
const hooks = pathToFileURL(join(import.meta.dirname, 'tests', 'lowerUsing.mjs')).href;
const files = process.argv.slice(2);
const child = spawn(
  join(folder, 'bin', 'node'),
  ['scripts/tests.ts', 'unit', ...(files.length > 0 ? files : patterns)],
  {
    cwd: repository,
    stdio: 'inherit',
    env: {
      ...process.env,
      NODE_OPTIONS: `--import=${hooks} --disable-warning=ExperimentalWarning`,
      PATH: `${join(folder, 'bin')}:${process.env['PATH']}`,
    },
  },
);
const [code] = await once(child, 'exit');
process.exitCode = code ?? 1;
