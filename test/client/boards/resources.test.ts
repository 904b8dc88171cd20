/** Dashboards and monitors are changed on the real local deployment: nothing that somebody else wrote is lost. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { parseJson } from '../../../api/src/plain.ts';
import { Service } from '../../../client/src/api/service.ts';
import {
  changeMonitor,
  createDashboard,
  listDashboards,
  listMonitors,
  readDashboard,
  readMonitor,
  writeDashboard,
} from '../../../client/src/boards/host/resources.ts';
import { newDashboard, withChart } from '../../../client/src/boards/model/addChart.ts';
import { listOf, type Members, membersOf } from '../../../client/src/boards/model/dashboard.ts';
import { directDispatcher } from '../../../client/src/deployments/network.ts';
import { Processes } from '../../local/processes.ts';

describe('dashboards and monitors on the local deployment', () => {
  const dispatcher = directDispatcher();
  let processes: Processes;
  let service: Service;
  let post: (path: string, text: string) => Promise<Members>;

  before(async () => {
    processes = await Processes.create();
    const { url, token } = await processes.start('data');
    service = new Service({ general: url, edge: url, dispatcher, token: async () => token });
    post = async (path, body) => {
      const answer = await fetch(`${url}${path}`, {
        method: 'POST',
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

  it('a dashboard is created with a chart, and listed', async () => {
    const record = got(await createDashboard(service, withChart(newDashboard('New'), chart)));
    const listed = got(await listDashboards(service));
    assert.deepEqual(listed, [{ id: record.uid, name: 'New' }]);
  });

  it('a chart is added without losing members that are not known, or a digit', async () => {
    const text =
      '{"uid":"web","dashboard":{"name":"Web","charts":[{"id":"a","big":9007199254740993,"odd":{"x":[1.50]}}],"layout":[],"extra":true}}';
    await post('/v2/dashboards', text);
    const before = got(await readDashboard(service, 'web'));
    const document = membersOf(before.dashboard);
    got(await writeDashboard(service, before, withChart(document, chart)));
    const after = membersOf(got(await readDashboard(service, 'web')).dashboard);
    assert.deepEqual(listOf(after.charts)[0], {
      id: 'a',
      big: 9_007_199_254_740_993n,
      odd: { x: [1.5] },
    });
    assert.equal(after.extra, true);
    assert.equal(listOf(after.charts).length, 2);
  });

  it('a version that somebody else has changed is not written over', async () => {
    const before = got(await readDashboard(service, 'web'));
    const theirs = { ...membersOf(before.dashboard), description: 'theirs' };
    got(await writeDashboard(service, before, theirs));
    const refused = await writeDashboard(
      service,
      before,
      withChart(membersOf(before.dashboard), chart),
    );
    assert.ok(!refused.ok);
    assert.equal(refused.failure.status, 412);
    const now = got(await readDashboard(service, 'web'));
    got(await writeDashboard(service, now, withChart(membersOf(now.dashboard), chart)));
    const after = membersOf(got(await readDashboard(service, 'web')).dashboard);
    assert.equal(after.description, 'theirs');
    assert.equal(listOf(after.charts).length, 3);
  });

  it('a monitor is disabled and enabled with everything else as it was', async () => {
    const { id } = await post(
      '/v2/monitors',
      '{"name":"Errors","type":"Threshold","aplQuery":"print 1","threshold":9007199254740993,"own":{"a":1}}',
    );
    const before = got(await readMonitor(service, String(id)));
    const until = '2100-01-01T00:00:00Z';
    got(await changeMonitor(service, String(id), { disabled: false, disabledUntil: until }));
    assert.equal(got(await listMonitors(service))[0]?.isEnabled, false);
    got(await changeMonitor(service, String(id), { disabled: false, disabledUntil: null }));
    assert.equal(got(await listMonitors(service))[0]?.isEnabled, true);
    const { disabled, disabledUntil, updatedAt, ...after } = got(
      await readMonitor(service, String(id)),
    );
    assert.equal(disabled, false);
    assert.ok(disabledUntil === null || disabledUntil === undefined);
    const { updatedAt: _, ...own } = before;
    assert.deepEqual(after, own);
    assert.ok(updatedAt === undefined || typeof updatedAt === 'string');
  });
});
