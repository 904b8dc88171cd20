// The tables of Kusto names that APL lacks: consistency with the catalog, and the messages in a query.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  kustoArguments,
  kustoFunctions,
  kustoOperators,
  kustoRenames,
  kustoScalarOperators,
} from '../../language/src/catalog/kusto.ts';
import {
  analyze,
  functionNamed,
  functions,
  operatorNamed,
  scalarOperatorNamed,
} from '../../language/src/index.ts';

/**
 * Words followed by parentheses in the advice that are not functions: literals, and the word before a list.
 */
const noFunctions = new Set(['datetime', 'by', 'x', 'not']);

describe('the Kusto tables', () => {
  it('list only names that APL lacks, and arguments only of functions that APL has', () => {
    const had = [
      ...[...kustoFunctions.keys()].filter((name) => functionNamed(name)),
      ...[...kustoOperators.keys()].filter((name) => operatorNamed(name)),
      ...[...kustoScalarOperators.keys()].filter((name) => scalarOperatorNamed(name)),
    ];
    assert.deepEqual(had, []);
    assert.deepEqual(
      [...kustoArguments.keys()].filter((name) => !functionNamed(name)),
      [],
    );
  });

  it('rename Kusto functions and operators only to names that APL has', () => {
    const missing = [
      ...[...kustoRenames('kusto-function').values()].filter((name) => !functionNamed(name)),
      ...[...kustoRenames('kusto-scalar-operator').values()].filter(
        (name) => !scalarOperatorNamed(name),
      ),
      ...[...kustoRenames('kusto-operator').values()].filter(
        (name) => !operatorNamed(name.replace(/ by$/, '')),
      ),
    ];
    assert.deepEqual(missing, []);
  });

  it('suggest only existing functions', () => {
    const texts = [kustoOperators, kustoFunctions, kustoScalarOperators, kustoArguments].flatMap(
      (table) => [...table.values()],
    );
    const named = texts.flatMap((text) => [...text.matchAll(/(\w+)\(/g)].map((match) => match[1]));
    const known = new Set<string>(functions.map(({ name }) => name));
    const unknown = named.filter(
      (name = '') => !known.has(name) && !functionNamed(name) && !noFunctions.has(name),
    );
    assert.deepEqual(unknown, []);
  });

  it('provide the messages for Kusto constructs in a query', () => {
    const messages = (text: string) => analyze(text).problems.map(({ message }) => message);
    const cases: readonly (readonly [string, RegExp])[] = [
      ['logs | evaluate bag_unpack(a) | take 5', /not support the operator 'evaluate'.*properties/],
      ['logs | mv-apply x = a on (where x > 1) | take 5', /not support the operator 'mv-apply'/],
      ['logs | extend a = prev(status) | take 5', /not support the function prev\(\)/],
      ['logs | where message like "a%"', /not support the operator 'like'\. Use contains/],
      ['logs | where message notcontains "a"', /not support the operator 'notcontains'/],
      ['logs | extend a = split(b, ",", 0) | take 5', /Index the result/],
      ['logs | summarize dcount(a, 4)', /accuracy/],
    ];
    for (const [text, message] of cases) assert.match(messages(text).join('\n'), message);
  });
});
