/** Backups of a deployment on ClickHouse: resources by `aplomb backup`, and events by ClickHouse. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { call, count, Processes, type Running, stop } from '../../local/processes.ts';
import { type Server, startServer } from './deployment.ts';

let server: Server;
let processes: Processes;
let engine: string[];
before(async () => {
  server = await startServer();
  processes = await Processes.create();
  engine = ['--engine', 'clickhouse', '--clickhouse-url', server.clickhouse.url];
});
after(async () => {
  await processes?.dispose();
  await server?.stop();
});

async function run(...args: string[]) {
  const child = processes.launch(...args);
  let errors = '';
  child.stderr!.on('data', (text) => {
    errors += text;
  });
  const [code] = await once(child, 'close');
  return { code, errors };
}

const path = (name: string) => join(processes.folder, name);

const backup = (file: string, data: string) => run('backup', path(file), '--data', path(data));

async function inClickHouse(sql: string): Promise<void> {
  // A backup in memory belongs to its session.
  const response = await fetch(`${server.clickhouse.url}/?session_id=backup`, {
    method: 'POST',
    body: sql,
  });
  assert.equal(response.status, 200, await response.text());
}

async function monitors(running: Running): Promise<string[]> {
  const { body } = await call(running, 'GET', '/v2/monitors');
  return body.map(({ name }: { name: string }) => name);
}

it('a backup says that the events are in ClickHouse, and both are restored', async () => {
  const running = await processes.start('data', ...engine, '--clickhouse-database', 'Events');
  await call(running, 'POST', '/v2/datasets', JSON.stringify({ name: 'kept' }));
  await call(running, 'POST', '/v1/ingest/kept', JSON.stringify([{ n: 1 }, { n: 2 }]));
  const monitor = { name: 'mine', type: 'Threshold', aplQuery: 'kept | count' };
  await call(running, 'POST', '/v2/monitors', JSON.stringify(monitor));
  const ofRunning = await backup('running.tar', 'data');
  await stop(running);
  const ofStopped = await backup('stopped.tar', 'data');
  for (const { code, errors } of [ofRunning, ofStopped]) {
    assert.equal(code, 0, errors);
    assert.match(
      errors,
      /It has no events\. Back them up in ClickHouse: BACKUP DATABASE "Events" TO/,
    );
  }
  await inClickHouse(`BACKUP DATABASE "Events" TO Memory('events')`);
  await inClickHouse('DROP DATABASE "Events" SYNC');
  await inClickHouse(`RESTORE DATABASE "Events" FROM Memory('events')`);
  for (const name of ['running', 'stopped']) {
    const restored = await run('restore', path(`${name}.tar`), '--data', path(name));
    assert.equal(restored.code, 0, restored.errors);
    assert.match(restored.errors, /resources and settings, as of 2/);
    assert.match(
      restored.errors,
      /events are in the database Events of ClickHouse\. If they are lost/,
    );
    assert.match(
      restored.errors,
      /--engine clickhouse --clickhouse-url URL --clickhouse-database Events;/,
    );
    const again = await processes.start(name, ...engine, '--clickhouse-database', 'Events');
    assert.equal(await count(again, 'kept'), 2);
    assert.deepEqual(await monitors(again), ['mine']);
    await stop(again);
  }
});

it('a backup of a process that has the resources of another is refused, whether or not it runs', async () => {
  const primary = await processes.start('primary', ...engine);
  const secondary = await processes.startSecondary(primary, 'secondary', {}, ...engine);
  const ofRunning = await backup('empty.tar', 'secondary');
  await stop(secondary);
  const ofStopped = await backup('empty.tar', 'secondary');
  for (const { code, errors } of [ofRunning, ofStopped]) {
    assert.equal(code, 2);
    assert.ok(
      errors.includes(`Back up the data folder of ${primary.url}, and ClickHouse.`),
      errors,
    );
  }
  const { code, errors } = await backup('whole.tar', 'primary');
  assert.equal(code, 0, errors);
});
