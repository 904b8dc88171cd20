/** The grammar of APL on its own, as VS Code's engine reads it: tricky texts and the scope of each token. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { timespanUnits } from '../../language/src/syntax/units.ts';
import { queries } from '../language/queries.data.ts';
import { scopesOf, tokenize } from './engine.ts';

/** The scope of each piece of a text that is asked for, which must be a token of it. */
async function scopes(text: string, ...pieces: string[]): Promise<string[]> {
  const found = await scopesOf(text);
  return pieces.map((piece) => {
    const token = found.find((one) => one.startsWith(`${piece} `));
    return token?.slice(piece.length + 1) ?? assert.fail(`${piece} in ${found.join(' · ')}`);
  });
}

const escaped = 'constant.character.escape';

describe('strings', () => {
  it('end at the same kind of quote, after escapes, operators and slashes', async () => {
    assert.deepEqual(await scopesOf('print "a|b \\" // no where", \'it\\\'s\' | count'), [
      'print keyword.control.operator',
      '" string.quoted.double',
      'a|b string.quoted.double',
      `\\" ${escaped}`,
      '// no where string.quoted.double',
      '" string.quoted.double',
      ', punctuation.separator.comma',
      "' string.quoted.single",
      'it string.quoted.single',
      `\\' ${escaped}`,
      's string.quoted.single',
      "' string.quoted.single",
      '| keyword.operator.pipe',
      'count keyword.control.operator',
    ]);
  });

  it('contain escape sequences as one token each', async () => {
    assert.deepEqual(await scopes("print '\\u0041\\x41\\n'", '\\u0041', '\\x41', '\\n'), [
      escaped,
      escaped,
      escaped,
    ]);
  });

  it('with @ contain literal backslashes and doubled quotes', async () => {
    assert.deepEqual(await scopesOf("print @'c:\\d''e' + 1"), [
      'print keyword.control.operator',
      "@' string.quoted.other.verbatim",
      'c:\\d string.quoted.other.verbatim',
      `'' ${escaped}`,
      'e string.quoted.other.verbatim',
      "' string.quoted.other.verbatim",
      '+ keyword.operator.arithmetic',
      '1 constant.numeric',
    ]);
    assert.deepEqual(await scopes('print @"x\\" + 1', '1'), ['constant.numeric']);
  });

  it('with the prefix h of hidden strings in Kusto are strings', async () => {
    assert.deepEqual(await scopes('print h"where"', 'h', 'where'), [
      'variable.other',
      'string.quoted.double',
    ]);
  });

  it('without a closing quote end at the end of the line', async () => {
    assert.deepEqual(await scopes('where a == "open\n| where b > 1', 'b', '1'), [
      'variable.other',
      'constant.numeric',
    ]);
  });
});

describe('comments', () => {
  it('end at the end of the line', async () => {
    assert.deepEqual(await scopesOf("logs // | where 'x\n| count"), [
      'logs variable.other',
      '// punctuation.definition.comment',
      "| where 'x comment.line.double-slash",
      '| keyword.operator.pipe',
      'count keyword.control.operator',
    ]);
  });
});

describe('constants', () => {
  it('include timespans in every unit', async () => {
    for (const unit of timespanUnits.keys())
      assert.deepEqual(await scopes(`print 15${unit}, 1`, `15${unit}`), [
        'constant.numeric.timespan',
      ]);
    assert.deepEqual(await scopes('| where took > 1.5h', '1.5h'), ['constant.numeric.timespan']);
  });

  it('include integers, fractions, exponents and hexadecimal numbers', async () => {
    for (const number of ['0', '42', '1.5', '1e9', '2.5E-3', '0xFF'])
      assert.deepEqual(await scopes(`print ${number}`, number), ['constant.numeric']);
    assert.deepEqual(await scopes('| where x in (1..5)', '1', '..', '5'), [
      'constant.numeric',
      'keyword.operator.bounds',
      'constant.numeric',
    ]);
    assert.deepEqual(await scopes('print x1, a2b', 'x1', 'a2b'), [
      'variable.other',
      'variable.other',
    ]);
  });

  it('include datetime literals and other typed literals', async () => {
    assert.deepEqual(
      await scopes(
        'print datetime(2025-01-31T10:15:00Z), int(null), true',
        'datetime',
        '2025-01-31T10:15:00Z',
        'int',
        'null',
        'true',
      ),
      [
        'support.type',
        'constant.numeric.datetime',
        'support.type',
        'constant.language',
        'constant.language',
      ],
    );
    assert.deepEqual(await scopes('print todatetime(x)', 'todatetime'), ['entity.name.function']);
  });

  it('in dynamic() include strings but no names, and an unclosed dynamic() ends at the next pipe', async () => {
    assert.deepEqual(await scopes('print dynamic(["a", 1ms]) | take 1', 'a', '1ms', 'take'), [
      'string.quoted.double',
      'constant.numeric.timespan',
      'keyword.control.operator',
    ]);
    assert.deepEqual(await scopes("| extend d = dynamic({'a': [1\n| where z", 'where', 'z'), [
      'keyword.control.operator',
      'variable.other',
    ]);
  });
});

describe('names', () => {
  it('in brackets are one token, unlike a list of strings', async () => {
    const name = 'variable.other.quoted';
    assert.deepEqual(await scopes('[\'geo.city\'] == x["k"]', 'geo.city', 'k'), [name, name]);
    assert.deepEqual(await scopes("['it\\'s']", 'it', "\\'", 's'), [name, escaped, name]);
    assert.deepEqual(
      await scopes(
        'datatable (city: string, n: long) ["Lisbon",\n "Porto"]\n| count',
        'Lisbon',
        'Porto',
        'string',
        'count',
      ),
      ['string.quoted.double', 'string.quoted.double', 'support.type', 'keyword.control.operator'],
    );
    assert.deepEqual(
      await scopes(
        'externaldata (a: long) ["https://example.com/a.csv"] with (format="csv") | take 1',
        'https://example.com/a.csv',
        'with',
        'take',
      ),
      ['string.quoted.double', 'keyword.control.clause', 'keyword.control.operator'],
    );
  });

  it('can contain letters of any language', async () => {
    assert.deepEqual(await scopes('| where größe > 1', 'größe'), ['variable.other']);
  });
});

describe('operators', () => {
  it('are keywords after a pipe, also on a later line', async () => {
    assert.deepEqual(await scopes('logs |\n  // note\n  where x', 'note', 'where'), [
      'comment.line.double-slash',
      'keyword.control.operator',
    ]);
    assert.deepEqual(await scopes('logs|project-away x', '|', 'project-away'), [
      'keyword.operator.pipe',
      'keyword.control.operator',
    ]);
  });

  it('are column names in other positions', async () => {
    const text = '| project\n    count,\n    sample\n| where limit > top and where.x == 1';
    assert.deepEqual(await scopes(text, 'count', 'sample', 'limit', 'top'), [
      'variable.other',
      'variable.other',
      'variable.other',
      'variable.other',
    ]);
    assert.deepEqual(await scopes('| where where-x', 'x'), ['variable.other']);
  });

  it('that are sources start a pipeline, also in parentheses and after let', async () => {
    const operator = 'keyword.control.operator';
    assert.deepEqual(await scopes('let t = print 1;\nt', 'print'), [operator]);
    assert.deepEqual(await scopes('a | join (union b, c) on d', 'union'), [operator]);
    assert.deepEqual(await scopes('search in (a*) "where count"', 'search', 'where count'), [
      operator,
      'string.quoted.double',
    ]);
  });

  it('of comparison are keywords between operands', async () => {
    const words = ['contains', '!has_cs', 'in~', '!in', 'matches regex', 'between', 'has_any'];
    for (const word of words)
      assert.deepEqual(await scopes(`| where a ${word} ('x')`, word), [
        'keyword.operator.wordlike',
      ]);
    assert.deepEqual(await scopes('| where inner == 1 and hash(x) > android', 'inner', 'android'), [
      'variable.other',
      'variable.other',
    ]);
  });
});

describe('clauses', () => {
  it('are keywords in their position and columns to the left of an operator', async () => {
    const clause = 'keyword.control.clause';
    assert.deepEqual(
      await scopes('| sort by x desc nulls last, y asc', 'by', 'desc', 'nulls last', 'asc'),
      [clause, clause, clause, clause],
    );
    assert.deepEqual(
      await scopes('| where from == 1 and to > 2 | project step, on', 'from', 'to', 'step'),
      ['variable.other', 'variable.other', 'variable.other'],
    );
    assert.deepEqual(
      await scopes('| join kind=inner b on $left.x == $right.y', 'kind', 'inner', 'on', '$left'),
      ['keyword.control.parameter', 'constant.language.kind', clause, 'variable.language.side'],
    );
    assert.deepEqual(await scopes('| where kind == 1', 'kind'), ['variable.other']);
  });

  it('are statements at the start of a query', async () => {
    assert.deepEqual(
      await scopes(
        'set stricttypes; declare query_parameters (p:string = "x"); let a = 1;',
        'set',
        'declare',
        'let',
        'a',
      ),
      [
        'keyword.control.set',
        'keyword.control.declare',
        'keyword.control.let',
        'variable.other.definition',
      ],
    );
  });
});

describe('any query', () => {
  it('leaves no scope open for the next query', async () => {
    for (const query of queries) {
      const tokens = await tokenize('source.axiom-apl', `${query}\n\nlogs\n| where ok`);
      const last = tokens.slice(-4).map(({ scopes: [, ...inner] }) => inner.join(' '));
      assert.deepEqual(
        last,
        [
          'variable.other.axiom-apl',
          'keyword.operator.pipe.axiom-apl',
          'keyword.control.operator.axiom-apl',
          'variable.other.axiom-apl',
        ],
        query,
      );
    }
  });
});
