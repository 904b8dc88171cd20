/** The order of a result's columns until the user rearranges them. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { defaultColumnOrder } from '../../client/src/query/columnOrder.ts';

function ordered(...names: string[]): string[] {
  const fields = names.map((name) => ({
    name,
    type: name.startsWith('_') ? 'datetime' : 'string',
  }));
  return defaultColumnOrder(fields).map((index) => names[index] as string);
}

describe('the default order of columns', () => {
  it('for events starts with time, severity and message, and ends with the ingestion time', () => {
    assert.deepEqual(ordered('_sysTime', '_time', 'host', 'level', 'message', 'text'), [
      '_time',
      'level',
      'message',
      'host',
      'text',
      '_sysTime',
    ]);
    assert.deepEqual(ordered('host', '_time', 'status'), ['_time', 'host', 'status']);
  });

  it('is the order of the service if the rows are not events', () => {
    assert.deepEqual(ordered('host', 'level', 'message'), ['host', 'level', 'message']);
  });
});
