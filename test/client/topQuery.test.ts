/** The queries of Top Values, and what they keep of the query of a result. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { topQueryOfColumn, topQueryOfField } from '../../client/src/query/topQuery.ts';

const column = { name: 'http.status', quoted: "['http.status']" };

describe('the query of top values', () => {
  it('counts a field of a dataset', () => {
    const { text, title, datasets, chartFirst } = topQueryOfField(
      { name: 'web logs', quoted: "['web logs']" },
      { name: 'city', quoted: 'city' },
    );
    assert.equal(text, "['web logs']\n| summarize events = count() by city\n| top 20 by events");
    assert.deepEqual(
      [title, datasets, chartFirst],
      ['Top values of web logs: city', ['web logs'], true],
    );
  });

  it('counts a column in the rows of a query, with its deployment, range and parameters', () => {
    const query = {
      title: 'Errors',
      deployment: 'EU',
      datasets: ['logs'],
      variables: { least: 500 },
      place: { uri: 'file:///q.apl' },
      isPart: true,
    };
    const kept = { deployment: 'EU', datasets: ['logs'], variables: { least: 500 } };
    const stages = "| summarize events = count() by ['http.status']\n| top 20 by events";
    for (const text of ['logs | where n > 1', 'logs | where n > 1;\n', 'logs | where n > 1 ; ;'])
      assert.deepEqual(topQueryOfColumn({ ...query, text }, column, 'last 2h'), {
        text: `logs | where n > 1\n${stages}`,
        title: 'Top values of Errors: http.status',
        statesColumnOrder: true,
        chartFirst: true,
        rangeText: 'last 2h',
        ...kept,
      });
    const commented = { ...query, text: 'logs // all;' };
    assert.equal(topQueryOfColumn(commented, column, 'last 2h').text, `logs // all\n${stages}`);
  });

  it('gives the counts a name other than that of the counted column', () => {
    const { text } = topQueryOfField(
      { name: 'logs', quoted: 'logs' },
      { name: 'events', quoted: 'events' },
    );
    assert.equal(text, 'logs\n| summarize count_ = count() by events\n| top 20 by count_');
  });
});
