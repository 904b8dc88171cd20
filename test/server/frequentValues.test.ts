/** Requests for a field's frequent values, and the values offered while a request is pending. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FrequentValues } from '../../server/src/frequentValues.ts';
import type { FieldValuesParams, FieldValuesResult } from '../../server/src/protocol.ts';

const field = { deployment: 'Local', dataset: 'logs', field: 'method' };

/** A client whose results are supplied by the test, in request order. */
function client() {
  const requests: FieldValuesParams[] = [];
  const results: ((result: FieldValuesResult | null) => void)[] = [];
  const request = (params: FieldValuesParams) => {
    requests.push(params);
    return new Promise<FieldValuesResult | null>((resolve) => results.push(resolve));
  };
  const give = (values: string[] | null) => results.shift()?.(values && { values });
  return { requests, request, give };
}

describe('frequent values', () => {
  it('are requested once for concurrent completions', async () => {
    const { requests, request, give } = client();
    const values = new FrequentValues(request);
    const needed = [values.need(field, 'string'), values.need(field, 'string')];
    give(['GET']);
    assert.deepEqual(await Promise.all(needed), [false, false]);
    assert.equal(await values.need(field, 'string'), false);
    assert.deepEqual(values.of(field), ['GET']);
    assert.deepEqual(requests, [{ ...field, type: 'string' }]);
  });

  it("aren't requested for times, objects or fields of several types", async () => {
    const { requests, request } = client();
    const values = new FrequentValues(request);
    for (const type of ['datetime', 'timespan', 'dynamic', 'unknown', '__proto__']) {
      assert.equal(await values.need(field, type), false);
    }
    assert.deepEqual(requests, []);
  });

  it('remain available when stale until the next request succeeds', async () => {
    const { requests, request, give } = client();
    const values = new FrequentValues(request, 0);
    const first = values.need(field, 'string');
    give(['GET']);
    await first;
    assert.equal(await values.need(field, 'string'), false, 'no wait');
    assert.deepEqual(values.of(field), ['GET']);
    give(null);
    await new Promise(setImmediate);
    assert.deepEqual(values.of(field), ['GET'], 'a failure leaves them');
    void values.need(field, 'string');
    give(['PUT']);
    await new Promise(setImmediate);
    assert.deepEqual(values.of(field), ['PUT']);
    assert.equal(requests.length, 3);
  });

  it('are requested again after a failure', async () => {
    const { requests, request, give } = client();
    const values = new FrequentValues(request);
    const first = values.need(field, 'string');
    give(null);
    assert.equal(await first, false);
    const second = values.need(field, 'string');
    give(['GET']);
    await second;
    assert.deepEqual(values.of(field), ['GET']);
    assert.equal(requests.length, 2);
    const failing = new FrequentValues(() => Promise.reject(new Error('refused')));
    assert.equal(await failing.need(field, 'string'), false);
  });

  it('are discarded if their deployment or dataset is invalidated', async () => {
    const { requests, request, give } = client();
    const values = new FrequentValues(request);
    const late = values.need(field, 'string');
    values.invalidate('Staging', undefined);
    values.invalidate('Local', undefined);
    const next = values.need(field, 'string');
    give(['OLD']);
    await late;
    assert.deepEqual(values.of(field), []);
    give(['NEW']);
    await next;
    assert.deepEqual(values.of(field), ['NEW']);
    assert.deepEqual(values.of({ ...field, deployment: 'Staging' }), []);
    values.invalidate(undefined, ['other']);
    assert.equal(await values.need(field, 'string'), false);
    assert.equal(requests.length, 2);
    values.invalidate(undefined, ['logs']);
    assert.equal(await values.need(field, 'string'), false);
    assert.equal(requests.length, 3);
    values.invalidate(undefined, undefined);
    assert.deepEqual(values.of(field), []);
  });

  it('are kept for the latest 500 fields', async () => {
    const values = new FrequentValues(async ({ field: name }) => ({ values: [name] }));
    for (let index = 0; index <= 500; index++) {
      await values.need({ ...field, field: `f${index}` }, 'string');
    }
    assert.deepEqual(values.of({ ...field, field: 'f0' }), []);
    assert.deepEqual(values.of({ ...field, field: 'f1' }), ['f1']);
  });
});
