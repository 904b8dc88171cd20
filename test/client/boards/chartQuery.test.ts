/** Routes the query of a chart to the edge deployment that stores its datasets. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chartQuery } from '../../../client/src/boards/host/chartQuery.ts';
import { directDispatcher } from '../../../client/src/deployments/network.ts';
import { askForValue } from '../../../client/src/service/ask.ts';
import { Places } from '../../../client/src/service/places.ts';
import { Service } from '../../../client/src/service/service.ts';
import { fallbackTimeRange } from '../../../client/src/time/timeRange.ts';
import { parseQuery } from '../../../language/src/index.ts';
import { queryFacts } from '../../../server/src/features/queryFacts.ts';
import { json, LoopbackServer } from '../loopback.ts';

describe('the query of a chart', () => {
  it('is sent to the edge deployment of its datasets', async () => {
    await using theirs = await LoopbackServer.start((response) => json(response, 200, {}));
    await using general = await LoopbackServer.start((response) =>
      json(response, 200, [
        { id: 'eu-logs', name: 'eu-logs', edgeDeployment: 'eu', edgeDeploymentUrl: theirs.url },
      ]),
    );
    await using own = await LoopbackServer.start((response) => json(response, 404, {}));
    const dispatcher = directDispatcher();
    const service = new Service({
      general: general.url,
      edge: own.url,
      dispatcher,
      token: async () => 'xaat-secret',
      places: new Places(),
      admits: async () => true,
    });
    const apl = "['eu-logs'] | summarize count()";
    const range = fallbackTimeRange;
    const { text, datasets } = chartQuery(
      { title: 'Chart', apl, range },
      queryFacts(parseQuery(apl)),
    );
    await askForValue(
      { apl: text, startTime: 'now-1h', endTime: 'now' },
      { service, datasets, timeoutMs: 5_000 },
    );
    await dispatcher.destroy();
    assert.equal(theirs.received.length, 1);
    assert.equal(own.received.length, 0);
  });
});
