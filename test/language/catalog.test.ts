/** The catalog as data: complete, well-formed, and consistent with itself and the grammar. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type AggregateName,
  aggregateNamed,
  aggregates,
  closest,
  type FunctionName,
  functionNamed,
  functions,
  operatorNamed,
  operators,
  type ScalarFunctionName,
  scalarOperatorNamed,
  scalarOperators,
  scalarTypeOf,
  scalarTypesOfWire,
  typeLabel,
  types,
  wireTypeOf,
} from '../../language/src/catalog/index.ts';
import {
  accepts,
  arityOf,
  parameterAt,
  returnTypeOf,
  signatureFor,
  takes,
} from '../../language/src/catalog/signatures.ts';
import type { FunctionRow, ScalarType, Signature } from '../../language/src/catalog/types.ts';

const allFunctions = [...functions, ...aggregates];

function repeated(names: readonly string[]): string[] {
  return names.filter((name, index) => names.indexOf(name) !== index);
}

function row(name: string): FunctionRow {
  const found = functionNamed(name);
  assert.ok(found, `there is no function ${name}`);
  return found;
}

describe('the catalog', () => {
  it('contains every function, aggregate and operator', () => {
    assert.equal(functions.length, 260);
    assert.equal(aggregates.length, 33);
    assert.equal(operators.length, 32);
    assert.equal(scalarOperators.length, 53);
    assert.equal(types.length, 7);
  });

  it('has no duplicate names', () => {
    assert.deepEqual(repeated(allFunctions.map(({ name }) => name)), []);
    assert.deepEqual(repeated(operators.map(({ name }) => name)), []);
    assert.deepEqual(repeated(scalarOperators.map(({ name }) => name)), []);
    assert.deepEqual(repeated(types.flatMap(({ name, aliases }) => [name, ...aliases])), []);
  });

  it('marks each function as scalar or aggregate', () => {
    assert.ok(functions.every(({ kind }) => kind === 'scalar'));
    assert.ok(aggregates.every(({ kind }) => kind === 'aggregate'));
  });

  it('exposes function and aggregate names as literal types', () => {
    const scalar: ScalarFunctionName = 'strlen';
    const aggregate: AggregateName = 'dcount';
    const either: FunctionName[] = [scalar, aggregate];
    // @ts-expect-error The type checker rejects a name that the catalog lacks.
    const misspelt: ScalarFunctionName = 'strlength';
    assert.deepEqual(
      [...either, misspelt].map((name) => functionNamed(name)?.name),
      ['strlen', 'dcount', undefined],
    );
  });

  it('uses only existing names as alias targets, synonyms and negations', () => {
    for (const { name, aliasOf } of allFunctions) {
      if (aliasOf !== undefined) assert.equal(row(aliasOf).aliasOf, undefined, name);
    }
    for (const { name, aliasOf } of operators) {
      if (aliasOf !== undefined) assert.ok(operatorNamed(aliasOf), name);
    }
    for (const { name, synonymOf, negation, caseSensitiveVariant } of scalarOperators) {
      for (const other of [synonymOf, negation, caseSensitiveVariant]) {
        if (other !== undefined) assert.ok(scalarOperatorNamed(other), `${name}: ${other}`);
      }
    }
  });

  it('gives an alias the signatures of its target', () => {
    const aliases = allFunctions.filter(({ aliasOf }) => aliasOf !== undefined);
    assert.deepEqual(aliases.map(({ name }) => name).sort(), [
      'iif',
      'pack',
      'replace_regex',
      'tolong',
      'toreal',
    ]);
    for (const alias of aliases) {
      assert.deepEqual(alias.signatures, row(alias.aliasOf as string).signatures, alias.name);
    }
  });

  it('links each scalar operator and its negation to each other', () => {
    for (const { name, negation, synonymOf } of scalarOperators) {
      if (negation === undefined || synonymOf !== undefined) continue;
      assert.equal(scalarOperatorNamed(negation)?.negation, name);
    }
  });

  it('has no entry for properties of Object.prototype, such as constructor', () => {
    for (const name of ['constructor', '__proto__', 'toString', '']) {
      assert.equal(functionNamed(name), undefined);
      assert.equal(aggregateNamed(name), undefined);
      assert.equal(operatorNamed(name), undefined);
      assert.equal(scalarOperatorNamed(name), undefined);
      assert.equal(scalarTypeOf(name), undefined);
    }
  });
});

describe('signatures', () => {
  it('end with their optional or repeating parameters', () => {
    for (const { name, signatures } of allFunctions) {
      for (const { parameters, repeating } of signatures) {
        const optional = parameters.map((parameter) => parameter.optional === true);
        assert.deepEqual([...optional].sort(), optional, name);
        const variadic = parameters.findIndex((parameter) => parameter.variadic);
        assert.ok(variadic === -1 || variadic === parameters.length - 1, name);
        if (repeating !== undefined) {
          assert.ok(repeating <= parameters.length && variadic === -1, name);
          assert.ok(!optional.includes(true), name);
        }
        assert.deepEqual(repeated(parameters.map((parameter) => parameter.name)), [], name);
      }
    }
  });

  it('derive a return type only from one of their own parameters', () => {
    for (const { name, signatures } of allFunctions) {
      for (const { parameters, returns } of signatures) {
        if (typeof returns === 'string') continue;
        for (const wanted of Object.values(returns)) {
          assert.ok(
            parameters.some((parameter) => parameter.name === wanted),
            name,
          );
        }
      }
    }
  });

  it('accept the documented argument counts', () => {
    const counts = (name: string) =>
      [0, 1, 2, 3, 4, 5, 6].filter((count) =>
        row(name).signatures.some((signature) => takes(signature, count)),
      );
    assert.deepEqual(counts('pi'), [0]);
    assert.deepEqual(counts('now'), [0, 1]);
    assert.deepEqual(counts('indexof'), [2, 3, 4, 5]);
    assert.deepEqual(counts('strcat'), [1, 2, 3, 4, 5, 6]);
    assert.deepEqual(counts('strcat_delim'), [3, 4, 5, 6]);
    assert.deepEqual(counts('case'), [3, 5]);
    assert.deepEqual(counts('bag_pack'), [1, 2, 4, 6]);
    assert.deepEqual(counts('rand'), [0, 1]);
    assert.deepEqual(counts('count'), [0]);
    const [first] = row('case').signatures;
    assert.deepEqual(arityOf(first as Signature), { least: 3, most: undefined, step: 2 });
  });

  it('map an argument index to a parameter, including repeating parameters', () => {
    const names = (name: string, count: number) =>
      Array.from(
        { length: count },
        (_, index) => parameterAt(row(name).signatures[0] as Signature, index, count)?.name,
      );
    assert.deepEqual(names('case', 3), ['condition', 'then', 'otherwise']);
    assert.deepEqual(names('case', 5), ['condition', 'then', 'condition', 'then', 'otherwise']);
    assert.deepEqual(names('case', 4), ['condition', 'then', 'condition', 'then']);
    assert.deepEqual(names('bag_pack', 4), ['key', 'value', 'key', 'value']);
    assert.deepEqual(names('strcat', 3), ['value', 'value', 'value']);
    assert.deepEqual(names('strlen', 2), ['text', undefined]);
  });

  it('accept compatible types and reject incompatible types', () => {
    assert.ok(accepts('numeric', 'long') && accepts('numeric', 'real'));
    assert.ok(accepts('real', 'long') && !accepts('long', 'real'));
    assert.ok(!accepts('numeric', 'string') && !accepts('string', 'long'));
    assert.ok(accepts('string', 'unknown') && accepts('datetime', 'dynamic'));
    assert.ok(accepts(['numeric', 'timespan'], 'timespan'));
    assert.ok(!accepts(['numeric', 'timespan'], 'datetime'));
    assert.ok(!accepts('type', 'long'));
  });

  const results: readonly (readonly [call: string, args: readonly ScalarType[], ScalarType])[] = [
    ['strlen', ['string'], 'long'],
    ['abs', ['timespan'], 'timespan'],
    ['bin', ['datetime', 'timespan'], 'datetime'],
    ['iff', ['bool', 'string', 'string'], 'string'],
    ['iff', ['bool', 'long', 'real'], 'real'],
    ['iff', ['bool', 'dynamic', 'long'], 'long'],
    ['iff', ['bool', 'string', 'long'], 'unknown'],
    ['case', ['bool', 'string', 'bool', 'string', 'string'], 'string'],
    ['coalesce', ['unknown', 'string'], 'unknown'],
    ['avg', ['long'], 'real'],
    ['avg', ['timespan'], 'timespan'],
    ['avg', ['unknown'], 'unknown'],
    ['rand', [], 'real'],
    ['rand', ['long'], 'long'],
    ['sum', ['timespan'], 'timespan'],
    ['max', ['datetime'], 'datetime'],
    ['strlen', ['long'], 'unknown'],
  ];
  for (const [name, args, expected] of results) {
    it(`return ${expected} for ${name}(${args.join(', ')})`, () => {
      assert.equal(returnTypeOf(row(name), args), expected);
    });
  }

  it('are selected by the types of the arguments', () => {
    assert.equal(signatureFor(row('avg'), ['timespan'])?.returns, 'timespan');
    assert.equal(signatureFor(row('avg'), ['string']), undefined);
  });
});

describe('scalar types', () => {
  it('accept alternative names in a query, such as int for long', () => {
    assert.equal(scalarTypeOf('int'), 'long');
    assert.equal(scalarTypeOf('double'), 'real');
    assert.equal(scalarTypeOf('time'), 'timespan');
    assert.equal(scalarTypeOf('date'), 'datetime');
    assert.equal(scalarTypeOf('Long'), undefined);
  });

  it('are parsed from wire types, including unions', () => {
    assert.deepEqual(scalarTypesOfWire('integer'), ['long']);
    assert.deepEqual(scalarTypesOfWire('integer|string'), ['long', 'string']);
    assert.deepEqual(scalarTypesOfWire('array|map'), ['dynamic']);
    assert.deepEqual(scalarTypesOfWire('bool|boolean'), ['bool']);
    assert.deepEqual(scalarTypesOfWire('quaternion'), ['unknown']);
    assert.deepEqual(scalarTypesOfWire(''), ['unknown']);
  });

  it('are equal after conversion to a wire type and back, except dynamic', () => {
    for (const { name } of types) {
      const expected = name === 'dynamic' ? 'unknown' : name;
      assert.deepEqual(scalarTypesOfWire(wireTypeOf(name)), [expected]);
    }
  });

  it('are labeled by name in signatures, with numeric labeled as number', () => {
    assert.equal(typeLabel('numeric'), 'number');
    assert.equal(typeLabel(['numeric', 'timespan']), 'number | timespan');
  });
});

describe('the closest name', () => {
  const names = allFunctions.map(({ name }) => name);
  const cases: readonly (readonly [written: string, meant: string | undefined])[] = [
    ['coutn', 'count'],
    ['cuont', 'count'],
    ['conut', 'count'],
    ['strlen_', 'strlen'],
    ['StrLen', 'strlen'],
    ['stlen', 'strlen'],
    ['strlenn', 'strlen'],
    ['toupperr', 'toupper'],
    ['makelist', 'make_list'],
    ['startof_day', 'startofday'],
    ['parsejson', 'parse_json'],
    ['arraylength', 'array_length'],
    ['percentle', 'percentile'],
    ['dcuont', 'dcount'],
    ['unixtime_second_todatetime', 'unixtime_seconds_todatetime'],
    ['avgg', 'avg'],
    ['xyzzy', undefined],
    ['q', undefined],
    ['', undefined],
    ['_', undefined],
  ];
  for (const [written, meant] of cases) {
    it(`is ${meant ?? 'none'} for "${written}"`, () =>
      assert.equal(closest(written, names), meant));
  }

  it("doesn't depend on the order of the candidates", () => {
    for (const [written, meant] of cases) {
      assert.equal(closest(written, names.toReversed()), meant);
    }
    assert.equal(closest('max_x', ['max_z', 'max_y']), 'max_y');
  });

  it('is never the misspelled name itself', () => {
    assert.equal(closest('status', ['status']), undefined);
    assert.equal(closest('status', ['status', 'statuses']), 'statuses');
  });

  it('restores a function name with one missing letter in at least 97% of cases', () => {
    let missed = 0;
    let tried = 0;
    for (const name of names.filter((one) => one.length >= 5)) {
      const known = new Set(names);
      for (let at = 0; at < name.length; at++) {
        const written = name.slice(0, at) + name.slice(at + 1);
        if (known.has(written)) continue;
        tried++;
        if (closest(written, names) !== name) missed++;
      }
    }
    // Some names differ in one letter, such as ipv4_compare and ipv6_compare.
    assert.ok(missed / tried < 0.03, `${missed} of ${tried}`);
  });

  it('is found among 20,000 names, and is undefined if a name is a megabyte long', () => {
    const many = Array.from({ length: 20_000 }, (_, index) => `attributes.field_${index}`);
    assert.equal(closest('attributes.feild_777', many), 'attributes.field_777');
    assert.equal(closest('x'.repeat(1_000_000), many), undefined);
    assert.equal(closest('status', ['y'.repeat(1_000_000)]), undefined);
  });
});
