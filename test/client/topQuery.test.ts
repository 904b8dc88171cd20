/** The queries of the command Top Values, and the settings they inherit from the query of a result. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { topQueryOfColumn, topQueryOfField } from '../../client/src/query/topQuery.ts';

const column = { name: 'http.status', quoted: "['http.status']" };

describe('the query of the command Top Values', () => {
  it('counts the values of a dataset field', () => {
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

  it('counts the values of a result column, with the deployment, time range and parameters of its query', () => {
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

  it('names the count differently from the counted column', () => {
    const { text } = topQueryOfField(
      { name: 'logs', quoted: 'logs' },
      { name: 'events', quoted: 'events' },
    );
    assert.equal(text, 'logs\n| summarize count_ = count() by events\n| top 20 by count_');
  });
});
