// Paths and query strings: parsing returns the values that building received, for any names.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as api from '../../api/src/index.ts';
import { random, randomText } from './random.ts';

type AnyKey = api.EndpointKey;
const build = api.buildPath as (key: AnyKey, params: Record<string, string>) => string;
const namesOf = (key: AnyKey) =>
  [...api.endpointRow(key).path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1]!);

describe('endpoint paths', () => {
  it('match the endpoint and parameters that they were built from', () => {
    const source = random(1);
    for (let round = 0; round < 200; round += 1) {
      for (const key of api.endpointKeys) {
        const params: Record<string, string> = {};
        for (const name of namesOf(key)) {
          const text = randomText(source, 12);
          params[name] = text === '' || text === '.' || text === '..' ? `${text}x` : text;
        }
        const path = build(key, params);
        // A URL parser processes the path before it is sent.
        const sent = new URL(path, 'http://localhost').pathname;
        const match = api.matchPath(api.endpointRow(key).method, sent);
        assert.equal(match.kind, 'found', path);
        if (match.kind !== 'found') return;
        assert.equal(match.key, key, path);
        assert.deepEqual({ ...match.params }, params, path);
      }
    }
  });

  it('prefer a literal segment to a parameter', () => {
    const keyOf = (method: string, path: string) => {
      const match = api.matchPath(method, path);
      return match.kind === 'found' ? match.key : match.kind;
    };
    assert.equal(keyOf('POST', '/v1/datasets/_apl'), 'queryGeneral');
    assert.equal(keyOf('GET', '/v1/datasets/_fields'), 'listAllFields');
    assert.equal(keyOf('POST', '/v1/query/_apl'), 'queryEdge');
    assert.equal(keyOf('POST', '/v1/query/batch'), 'queryBatch');
    assert.equal(keyOf('POST', '/v1/ingest/_apl'), 'ingest');
    assert.equal(keyOf('GET', '/v2/datasets/fields/fields/fields'), 'getField');
  });

  it('distinguish an unknown path from an unsupported method', () => {
    assert.deepEqual(api.matchPath('DELETE', '/v2/monitors'), {
      kind: 'method',
      allowed: ['GET', 'POST'],
    });
    assert.deepEqual(api.matchPath('get', '/v2/user'), { kind: 'method', allowed: ['GET', 'PUT'] });
    assert.deepEqual(api.matchPath('__proto__', '/v2/user'), {
      kind: 'method',
      allowed: ['GET', 'PUT'],
    });
    for (const path of [
      '',
      '/',
      '//',
      'v2/user',
      '/v2',
      '/v2/user/',
      '/v2/dashboards/uid',
      '/v2/monitors/',
      '/v2//monitors',
      '/v2/monitors/a/b',
      '/V2/user',
      '/v2/user?x=1',
      '/__proto__',
      '/constructor/prototype',
      '/v1/datasets/other/nothing',
      `/v2/monitors${'/a'.repeat(20)}`,
      '/a'.repeat(1_000_000),
    ]) {
      assert.deepEqual(api.matchPath('GET', path), { kind: 'none' }, path.slice(0, 40));
    }
  });

  it('report the segment with invalid percent-encoding', () => {
    for (const segment of ['%', '%zz', 'a%2', '%ff', '%c0%af', '%ed%a0%80']) {
      assert.deepEqual(api.matchPath('GET', `/v2/monitors/${segment}`), {
        kind: 'malformed',
        segment,
      });
    }
  });

  it("reject parameters such as .. that a URL would drop or can't encode", () => {
    for (const id of ['', '.', '..']) {
      assert.throws(() => api.buildPath('getMonitor', { id }), /^RangeError: id /);
    }
    assert.throws(() => api.buildPath('getMonitor', { id: 'a\ud800' }), /id is not well-formed/);
    assert.throws(() => build('getMonitor', {}), /id must not be empty/);
    const inherited = Object.create({ id: 'x' }) as { id: string };
    assert.throws(() => api.buildPath('getMonitor', inherited), /id must not be empty/);
    assert.equal(api.buildPath('getMonitor', { id: '../user' }), '/v2/monitors/..%2Fuser');
    assert.equal(api.buildPath('getMonitor', { id: '$&{id}' }), '/v2/monitors/%24%26%7Bid%7D');
  });

  it("have fewer segments than the matcher's limit", () => {
    for (const key of api.endpointKeys) {
      assert.ok(api.endpointRow(key).path.split('/').length < 16, key);
    }
  });
});

describe('query strings', () => {
  it('round-trip the values that they were built from', () => {
    const source = random(2);
    for (let round = 0; round < 2_000; round += 1) {
      const values = {
        format: source.pick(api.EDGE_FORMATS),
        nocache: source.below(2) === 1,
        'apl-source': randomText(source, 10),
        totals: source.below(2) === 1,
      };
      const text = api.buildQuery('queryEdge', values);
      const sent = new URL(text, 'http://localhost').search;
      assert.deepEqual({ ...api.parseQuery('queryEdge', sent) }, values, text);
    }
    const lists = { datasets: ['a', 'b c', 'd&e', '+'], start: '2026-01-01T00:00:00+01:00' };
    const sent = api.buildQuery('listAnnotations', lists);
    assert.deepEqual({ ...api.parseQuery('listAnnotations', sent) }, lists);
  });

  it('omit undefined values', () => {
    assert.equal(api.buildQuery('listMonitors', {}), '');
    assert.equal(api.buildQuery('listDashboards', { limit: 5 }), '?limit=5');
    const absent = { limit: undefined } as unknown as api.QueryParams<'listDashboards'>;
    assert.equal(api.buildQuery('listDashboards', absent), '');
  });

  it('are parsed to the declared types, and invalid values remain strings', () => {
    const read = api.parseQuery('listDashboards', '?limit=abc&offset=-1&offset=2');
    assert.deepEqual({ ...read }, { limit: 'abc', offset: 2 });
    const { query } = api.endpointRow('listDashboards');
    assert.deepEqual(api.checkStrict(query, read), [
      { path: '/limit', message: 'limit must be a whole number, got "abc"' },
    ]);
    const flags = api.parseQuery('queryEdge', 'format=tabular&nocache&totals=0&unknown=1');
    assert.deepEqual(
      { ...flags },
      { format: 'tabular', nocache: true, totals: false, unknown: '1' },
    );
    assert.equal(api.checkStrict(api.endpointRow('queryEdge').query, flags).length, 0);
    const missing = api.parseQuery('queryEdge', '');
    assert.deepEqual(api.checkStrict(api.EdgeQueryParameters, missing), [
      { path: '/format', message: 'format is required' },
    ]);
  });

  it('decode + as a space and tolerate broken encoding, hostile names and huge values', () => {
    const name = (search: string) => api.parseQuery('queryEdge', search)['apl-source'];
    assert.equal(name('?apl-source=a+b%2Bc'), 'a b+c');
    assert.equal(name('?apl-source=%zz'), '%zz');
    assert.equal(name('?&&=&apl-source'), '');
    const hostile = api.parseQuery('queryEdge', '?__proto__=1&constructor=2&toString=3');
    assert.deepEqual(Object.keys(hostile), ['__proto__', 'constructor', 'toString']);
    assert.equal(({} as Record<string, unknown>)['1'], undefined);
    const huge = api.parseQuery('queryEdge', `?apl-source=${'%41'.repeat(1_000_000)}`);
    assert.equal((huge['apl-source'] as string).length, 1_000_000);
  });
});
