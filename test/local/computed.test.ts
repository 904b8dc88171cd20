// Functions that SQL statements call and JavaScript computes: compared with simple implementations,
// and used with several connections, errors and a closing database.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fills, fir, iir } from '../../local/src/engines/duckdb/database/computed/filters.ts';
import { fourier } from '../../local/src/engines/duckdb/database/computed/fourier.ts';
import { sortedJson } from '../../local/src/engines/duckdb/database/computed/sortedJson.ts';
import { offsetsOf, reversed } from '../../local/src/engines/duckdb/database/computed/strings.ts';
import type { EngineError } from '../../local/src/engines/engineError.ts';
import { Deployment } from './deployment.ts';
import { plan } from './planner/engine.ts';
import { random } from './random.ts';

/** Returns a generator of numbers from 0 to 1. */
function fractions(seed: number): () => number {
  const next = random(seed);
  return () => next(2 ** 20) / 2 ** 20;
}

const signal = (length: number, next: () => number) =>
  Float64Array.from({ length }, () => next() * 200 - 100);

/** Computes the transform by its definition, in quadratic time. */
function transformed(re: Float64Array, im: Float64Array, sign: 1 | -1) {
  const n = re.length;
  const sums = Array.from(re, (_, k) => {
    let [x, y] = [0, 0];
    for (let j = 0; j < n; j++) {
      const angle = (sign * 2 * Math.PI * ((j * k) % n)) / n;
      x += re[j]! * Math.cos(angle) - im[j]! * Math.sin(angle);
      y += re[j]! * Math.sin(angle) + im[j]! * Math.cos(angle);
    }
    return [x, y] as const;
  });
  return { re: sums.map(([x]) => x), im: sums.map(([, y]) => y) };
}

function near(actual: Float64Array, expected: ArrayLike<number>): void {
  assert.equal(actual.length, expected.length);
  for (let i = 0; i < actual.length; i++) {
    assert.ok(
      Math.abs(actual[i]! - expected[i]!) < 1e-7,
      `${actual[i]} at ${i}, not ${expected[i]}`,
    );
  }
}

describe('a Fourier transform', () => {
  it('matches its definition for every length', () => {
    const next = fractions(3);
    for (const n of [...Array.from({ length: 40 }, (_, i) => i), 64, 97, 100, 128, 251]) {
      const [re, im] = [signal(n, next), signal(n, next)];
      const forward = fourier(re, im, false);
      const expected = transformed(re, im, -1);
      near(forward.re, expected.re);
      near(forward.im, expected.im);
      const back = fourier(forward.re, forward.im, true);
      near(back.re, re);
      near(back.im, im);
    }
  });
});

describe('series filters', () => {
  it('return the weighted sums of previous inputs and outputs', () => {
    const x = Float64Array.of(1, 2, 4);
    assert.deepEqual([...fir(x, Float64Array.of(1, 1), 2)], [0.5, 1.5, 3]);
    assert.deepEqual([...iir(x, Float64Array.of(1), Float64Array.of(1, -1))], [1, 3, 7]);
    assert.deepEqual([...iir(x, Float64Array.of(2, 1), Float64Array.of(2, 0, 1))], [1, 2.5, 4.5]);
  });

  it('fill gaps forward, backward or linearly', () => {
    const x = Float64Array.of(Number.NaN, 1, Number.NaN, Number.NaN, 4, Number.NaN);
    const filled = (way: string) => [...fills[way]!(x)];
    assert.deepEqual(filled('forward'), [1, 1, 1, 1, 4, 4]);
    assert.deepEqual(filled('backward'), [1, 1, 4, 4, 4, Number.NaN]);
    assert.deepEqual(filled('linear'), [1, 1, 2, 3, 4, 4]);
    assert.deepEqual([...fills['linear']!(Float64Array.of(Number.NaN))], [Number.NaN]);
  });
});

describe('the positions of a substring', () => {
  it('include every occurrence and are counted in characters', () => {
    const next = fractions(5);
    const letters = ['a', 'b', '😀', 'é'];
    const text = (most: number) =>
      Array.from({ length: Math.floor(next() * most) }, () => letters[Math.floor(next() * 4)]);
    for (let round = 0; round < 2_000; round++) {
      const [needle, hay] = [text(4), text(20)];
      const expected = [...hay, ''].flatMap((_, i) =>
        i + needle.length <= hay.length && needle.every((c, k) => hay[i + k] === c) ? [i] : [],
      );
      assert.deepEqual(offsetsOf(needle.join(''), hay.join('')), expected);
    }
  });

  it('are found in linear time', () => {
    const places = offsetsOf(`${'a'.repeat(200_000)}b`, `${'a'.repeat(400_000)}b`);
    assert.deepEqual(places, [200_000]);
  });
});

describe('a reversed string', () => {
  it('keeps each code point intact', () => {
    const next = random(7);
    const alphabet = ['a', 'ñ', 'e\u0301', '😀', '🇩🇪', '\r\n', '\0', '𝄞'];
    for (let round = 0; round < 300; round++) {
      const parts = Array.from({ length: next(12) }, () => alphabet[next(alphabet.length)]!);
      const string = parts.join('');
      assert.equal(reversed(string), [...string].reverse().join(''));
    }
  });

  it('equals the result of reverse() in a query', async () => {
    const local = await Deployment.open();
    const strings = ['añb', 'e\u0301x', 'a\r\nb', '😀é', ''];
    const columns = strings.map((string, i) => `c${i} = reverse(${JSON.stringify(string)})`);
    const [row] = await local.rows(`print ${columns.join(', ')}`);
    const expected = strings.map((string) => [...string].reverse().join(''));
    assert.deepEqual(Object.values(row!), expected);
    await local.close();
  });
});

describe('sorted JSON', () => {
  it('has sorted names and leaves numbers and strings as written', () => {
    const cases = {
      '{"b": 1, "a": [1, {"d":null,"c":"x,y:{}\\"q"}]}':
        '{"a":[1,{"c":"x,y:{}\\"q","d":null}],"b":1}',
      '[ 12345678901234567890 , 1.50, "b" ]': '[12345678901234567890,1.50,"b"]',
      '{"😀":1,"\uffff":2,"":3}': '{"":3,"\uffff":2,"😀":1}',
      '{"a":{},"A":[]}': '{"A":[],"a":{}}',
      '"a"': '"a"',
    };
    for (const [text, expected] of Object.entries(cases)) assert.equal(sortedJson(text), expected);
  });

  it('supports deeply nested and long values', () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    assert.equal(sortedJson(deep), deep);
    const long = `["${'\\"a'.repeat(500_000)}"]`;
    assert.equal(sortedJson(long), long);
  });
});

describe('computed functions in a database', () => {
  it('work in concurrent statements on several connections, including with nulls', async () => {
    const local = await Deployment.open();
    try {
      const apl =
        'print i = range(1, 5000, 1) | mv-expand i to typeof(long) | extend h = hash_sha512(iff(i % 2 == 0, tostring(i), dynamic(null))) | summarize n = dcount(h)';
      const answers = await Promise.all(Array.from({ length: 8 }, () => local.query(apl)));
      for (const { body } of answers) assert.equal(body.tables[0].columns[0][0], 2_500);
    } finally {
      await local.close();
    }
  });

  it('fail only the statement in which an error occurs', async () => {
    const local = await Deployment.open();
    try {
      const long = 'print n = array_length(series_fft(range(1, 99999, 1)))';
      const [failed, answered] = await Promise.all([
        local.query(long),
        local.query("print n = strlen(hash_sha512('a'))"),
      ]);
      assert.deepEqual([failed.status, failed.body.reason], [400, 'query-failed']);
      assert.equal(answered.body.tables[0].columns[0][0], 128);
    } finally {
      await local.close();
    }
  });

  it('stop when the database closes', async () => {
    const local = await Deployment.open();
    const apl =
      'print i = range(1, 3000, 1) | mv-expand i to typeof(long) | extend s = range(i, i + 999, 1) | summarize max(array_length(series_fir(s, s)))';
    const planned = plan(apl);
    await local.store.engine.createMacros(planned.macros);
    const done = local.store.engine
      .use((session) => session.rows(planned.main.sql))
      .catch((error: EngineError) => error.kind);
    await new Promise((resolve) => setTimeout(resolve, 300));
    await local.close();
    assert.ok(['interrupted', 'input'].includes((await done) as string));
  });
});
