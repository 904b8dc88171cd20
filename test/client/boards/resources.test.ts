/** Changes dashboards and monitors on a real local deployment, and checks that nothing else in them is lost. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { parseJson, stringifyJson } from '../../../api/src/plain.ts';
import { addChart, changeMonitor } from '../../../client/src/boards/host/writes.ts';
import { listOf } from '../../../client/src/boards/model/dashboard.ts';
import { directDispatcher } from '../../../client/src/deployments/network.ts';
import { getRecord } from '../../../client/src/resources/calls.ts';
import { listResources } from '../../../client/src/resources/resource.ts';
import { Service } from '../../../client/src/service/service.ts';
import { type Members, membersOf } from '../../../resources/src/value.ts';
import { Processes } from '../../local/processes.ts';

describe('dashboards and monitors on the local deployment', () => {
  const dispatcher = directDispatcher();
  let processes: Processes;
  let service: Service;
  let send: (method: string, path: string, text: string) => Promise<Members>;
  const post = (path: string, text: string) => send('POST', path, text);

  before(async () => {
    processes = await Processes.create();
    const { url, token } = await processes.start('data');
    service = new Service({ general: url, edge: url, dispatcher, token: async () => token });
    send = async (method, path, body) => {
      const answer = await fetch(`${url}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body,
      });
      const text = await answer.text();
      assert.ok(answer.ok, text);
      return membersOf(parseJson(text));
    };
  });
  after(async () => {
    await processes.dispose();
    await dispatcher.destroy();
  });

  const got = <T>(outcome: { readonly ok: boolean; readonly value?: T }): T => {
    assert.ok(outcome.ok, 'The service refused.');
    return outcome.value as T;
  };
  const chart = {
    name: 'Errors',
    apl: "['logs'] | summarize count()",
    kind: 'timeSeries',
  } as const;

  it('adding a chart to a dashboard keeps unknown members and all digits', async () => {
    const text =
      '{"uid":"web","dashboard":{"name":"Web","charts":[{"id":"a","big":9007199254740993,"odd":{"x":[1.50]}}],"layout":[],"extra":true}}';
    await post('/v2/dashboards', text);
    got(await addChart(service, 'web', chart));
    const after = membersOf(got(await getRecord(service, 'dashboards', 'web')).dashboard);
    assert.deepEqual(listOf(after.charts)[0], {
      id: 'a',
      big: 9_007_199_254_740_993n,
      odd: { x: [1.5] },
    });
    assert.equal(after.extra, true);
    assert.equal(listOf(after.charts).length, 2);
  });

  it('adding a chart fails if the dashboard changed meanwhile, and the next attempt keeps that change', async () => {
    const stored = got(await getRecord(service, 'dashboards', 'web'));
    const theirs = { ...membersOf(stored.dashboard), description: 'theirs' };
    let isFirst = true;
    // The concurrent change is saved between this client's read and its write.
    const late = new Service({
      ...service.connection,
      confirms: async () => {
        if (isFirst) {
          const version = String(stored.version);
          const body = stringifyJson({ dashboard: theirs, version: Number(version) });
          await send('PUT', '/v2/dashboards/uid/web', body);
        }
        isFirst = false;
        return true;
      },
    });
    const refused = await addChart(late, 'web', chart);
    assert.ok(!refused.ok);
    assert.equal(refused.failure.status, 412);
    got(await addChart(late, 'web', chart));
    const after = membersOf(got(await getRecord(service, 'dashboards', 'web')).dashboard);
    assert.equal(after.description, 'theirs');
    assert.equal(listOf(after.charts).length, 3);
  });

  it('disabling and enabling a monitor keeps all other members', async () => {
    const { id } = await post(
      '/v2/monitors',
      '{"name":"Errors","type":"Threshold","aplQuery":"print 1","threshold":9007199254740993,"own":{"a":1}}',
    );
    const before = got(await getRecord(service, 'monitors', String(id)));
    const until = '2100-01-01T00:00:00Z';
    got(await changeMonitor(service, String(id), { disabled: false, disabledUntil: until }));
    assert.equal(got(await listResources(service, 'monitors'))[0]?.state, 'disabled');
    got(await changeMonitor(service, String(id), { disabled: false, disabledUntil: null }));
    assert.equal(got(await listResources(service, 'monitors'))[0]?.state, 'enabled');
    const { disabled, disabledUntil, updatedAt, ...after } = got(
      await getRecord(service, 'monitors', String(id)),
    );
    assert.equal(disabled, false);
    assert.ok(disabledUntil === null || disabledUntil === undefined);
    const { updatedAt: _, ...own } = before;
    assert.deepEqual(after, own);
    assert.ok(updatedAt === undefined || typeof updatedAt === 'string');
  });
});
