/** The extension in a real VS Code, with a deployment on ClickHouse. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { ensureBuilt } from '../../scripts/host/build.ts';
import { distDirectory } from '../../scripts/host/paths.ts';
import { assertPassed, runSuites, timeoutOf } from '../host/inVscode.ts';
import { type OtherDeployment, startOther } from '../host/otherDeployment.ts';
import { ClickHouseServer } from './server/server.ts';

let folder: string;
let clickhouse: ClickHouseServer;
let deployment: OtherDeployment;

before(async () => {
  await ensureBuilt();
  folder = await mkdtemp(join(tmpdir(), 'aplomb-clickhouse-'));
  clickhouse = await ClickHouseServer.start(folder);
  const options = ['--engine', 'clickhouse', '--clickhouse-url', clickhouse.url];
  deployment = await startOther(distDirectory, undefined, options);
});

after(async () => {
  await deployment?.stop();
  await clickhouse?.stop();
  await rm(folder, { recursive: true, force: true });
});

it(
  'the suite of a deployment on ClickHouse passes in a real VS Code',
  timeoutOf(['clickhouse']),
  async (context) => {
    const { url, token } = deployment;
    const environment = {
      APLOMB_OTHER: JSON.stringify({ url, token, clickhouse: clickhouse.url }),
    };
    const run = await runSuites(['clickhouse'], { prepare: async () => environment });
    assertPassed(run, 'clickhouse', context);
  },
);
