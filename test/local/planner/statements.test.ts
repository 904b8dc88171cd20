/** Statements of SQL taken apart and written again, whatever text or model they are given. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatStatement } from '../../../local/src/planner/statements/format.ts';
import { isStatement } from '../../../local/src/planner/statements/model.ts';
import { parseStatement } from '../../../local/src/planner/statements/parse.ts';

const pieces =
  "select|distinct|*|a|b.c|,|from|t|where|and|or|not|=|<>|(|)|1|2.5|'x'|is|null|in|between|like|group|by|having|order|desc|limit|offset|join|on|as|insert|into|values|update|set|delete|;|-|+|count".split(
    '|',
  );

let state = 77;
function random(below: number): number {
  state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
  return Math.floor((state / 4_294_967_296) * below);
}

describe('statements', () => {
  it('that can be read are the same after being written and read again', () => {
    let read = 0;
    for (let round = 0; round < 20_000; round++) {
      const words = Array.from({ length: 1 + random(10) }, () => pieces[random(pieces.length)]);
      const model = parseStatement(`select ${words.join(' ')}`);
      if (model === undefined) continue;
      read++;
      assert.ok(isStatement(JSON.parse(JSON.stringify(model))));
      const text = formatStatement(model);
      assert.deepEqual(parseStatement(text), model, text);
    }
    assert.ok(read > 200, `${read}`);
  });

  it('that are too deep or too long are not read, and end no process', () => {
    const many = 100_000;
    for (const text of [
      `select ${'('.repeat(many)}1`,
      `select ${'not '.repeat(many)}1`,
      `select 1 ${'or 1 '.repeat(many)}`,
      `select a ${'is null '.repeat(many)}`,
      `select ${'f('.repeat(many)}`,
    ]) {
      assert.equal(parseStatement(text), undefined);
    }
  });

  it('are told from other values', () => {
    let deep: unknown = { colname: 'a' };
    for (let i = 0; i < 1000; i++) deep = { operator: 'not', params: [deep] };
    for (const of of [
      null,
      1,
      [],
      {},
      { statement: 'drop' },
      { statement: 'select', where: deep },
    ]) {
      assert.equal(isStatement(of), false);
    }
    assert.equal(isStatement({ statement: 'select', columns: [{ colname: 'a' }] }), true);
  });
});
