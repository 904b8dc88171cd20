// Lists 100,000 monitors from a loopback server in order, and in parts that do not block other work for long.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { mappedInPieces, sortedInPieces } from '../../../client/src/resources/inPieces.ts';
import { listResources } from '../../../client/src/resources/resource.ts';
import { readBody, readReply } from '../../../client/src/service/endpoint.ts';
import { json, LoopbackServer } from '../loopback.ts';

const COUNT = 100_000;

describe('a long list of monitors', () => {
  it('with 100,000 entries is read and sorted without blocking the thread for half of the total time', async () => {
    const monitors = Array.from({ length: COUNT }, (_, index) => ({
      id: `m${index}`,
      // Names in no order, whose numbers must sort as numbers.
      name: `Monitor ${(index * 7919) % COUNT}`,
      type: 'Threshold',
      threshold: index,
      operator: 'Above',
      disabled: index % 1000 === 0,
    }));
    const body = JSON.stringify(monitors);
    await using server = await LoopbackServer.start((response) => json(response, 200, body));
    let longest = 0;
    let last = performance.now();
    const pulse = setInterval(() => {
      const now = performance.now();
      longest = Math.max(longest, now - last);
      last = now;
    }, 5);
    const started = performance.now();
    const listed = await listResources(server.service(), 'monitors');
    const took = performance.now() - started;
    clearInterval(pulse);
    assert.ok(listed.ok);
    assert.equal(listed.value.length, COUNT);
    const enabled = listed.value.filter(({ state }) => state === 'enabled');
    const numbers = enabled.map(({ name }) => Number(name.slice('Monitor '.length)));
    assert.deepEqual(
      numbers,
      numbers.toSorted((a, b) => a - b),
    );
    assert.ok(listed.value.slice(enabled.length).every(({ state }) => state === 'disabled'));
    // Sorting in one go would take most of the time; the longest pause is that of reading the answer.
    assert.ok(longest < took / 2, `${Math.round(longest)} of ${Math.round(took)} ms in one go`);
  });

  it('is validated in parts, with other work in between and the same result as at once', async () => {
    const monitors = Array.from({ length: 17_123 }, (_, index) => ({
      id: `m${index}`,
      name: index % 5 === 0 ? null : `Monitor ${index}`,
      threshold: index % 7 === 0 ? 'many' : index,
    }));
    const answer = {
      ok: true,
      status: 200,
      text: JSON.stringify(monitors),
      header: () => undefined,
    } as const;
    let turns = 0;
    const turn = () => {
      turns += 1;
      next = setImmediate(turn);
    };
    let next = setImmediate(turn);
    const reply = await readReply('listMonitors', answer, 'a.example', undefined);
    clearImmediate(next);
    assert.ok(reply.ok);
    assert.ok(turns >= 3, `${turns} turns`);
    const whole = readBody('listMonitors', JSON.parse(answer.text));
    assert.ok(whole.ok);
    assert.deepEqual(reply.value.typed, whole.typed);
    assert.deepEqual(reply.value.raw, monitors);
  });

  it('is sorted and mapped in parts with the same result as at once, whatever its length', async () => {
    for (const length of [0, 1, 4_999, 5_000, 5_001, 17_123]) {
      const items = Array.from({ length }, (_, index) => ({ key: (index * 31) % 97, index }));
      const compare = (a: { key: number }, b: { key: number }) => a.key - b.key;
      assert.deepEqual(await sortedInPieces(items, compare), items.toSorted(compare));
      const mapped = await mappedInPieces(items, ({ index }) => index);
      assert.deepEqual(
        mapped,
        items.map(({ index }) => index),
      );
    }
  });
});
