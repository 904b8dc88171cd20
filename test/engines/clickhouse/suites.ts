/** Runs the tests of other files against deployments on ClickHouse. */
import assert from 'node:assert/strict';
import { after } from 'node:test';
import { furtherArguments } from '../../local/processes.ts';
import { documentedGrants, startLimitedServer } from './rights.ts';

/**
 * Registers the tests that `load` imports. All deployments that they start store events in one
 * ClickHouse, whose user has only the documented rights.
 */
export async function onClickHouse(load: () => Promise<unknown>): Promise<void> {
  // Start ClickHouse here, because Node runs the hooks of several files at the same time.
  const server = await startLimitedServer(documentedGrants());
  furtherArguments.push('--engine', 'clickhouse', '--clickhouse-url', server.clickhouse.url);
  await load();
  after(async () => {
    const body = "SELECT sum(total_rows) FROM system.tables WHERE database = 'aplomb'";
    const response = await fetch(server.clickhouse.url, { method: 'POST', body });
    const events = Number(await response.text());
    await server.stop();
    assert.ok(events > 0, 'ClickHouse has no events.');
  });
}
