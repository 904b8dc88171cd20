// Runs the local deployment as a process, for tests of third-party clients.
import assert from 'node:assert/strict';
import { Processes, type Running } from '../processes.ts';

export type Served = Running & {
  /** Calls the API with the API token. */
  readonly call: (method: string, path: string, body?: unknown) => Promise<Response>;
  /** Returns a dataset's events in time order, without times and nulls. */
  readonly events: (dataset: string) => Promise<Readonly<Record<string, unknown>>[]>;
  readonly dataset: (name: string) => Promise<string>;
  readonly close: () => Promise<void>;
};

export async function serve(): Promise<Served> {
  const processes = await Processes.create();
  const running = await processes.start('data');
  const call = (method: string, path: string, body?: unknown) =>
    fetch(running.url + path, {
      method,
      headers: {
        authorization: `Bearer ${running.token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const events = async (dataset: string) => {
    const apl = `['${dataset}'] | sort by _time asc`;
    const answer = await call('POST', '/v1/query/_apl?format=legacy', { apl });
    assert.equal(answer.status, 200, await answer.clone().text());
    const { matches } = (await answer.json()) as { matches: { data: object }[] };
    return matches.map(({ data }) =>
      Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null)),
    );
  };
  const dataset = async (name: string) => {
    assert.equal((await call('POST', '/v2/datasets', { name })).status, 200);
    return name;
  };
  return { ...running, call, events, dataset, close: () => processes.dispose() };
}
