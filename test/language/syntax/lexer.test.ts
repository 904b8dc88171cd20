/** Tokens, their kinds and flaws, and the trivia between them. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { lex } from '../../../language/src/syntax/lexer.ts';
import { parseQuery } from '../../../language/src/syntax/parser.ts';
import { decodeString } from '../../../language/src/syntax/strings.ts';
import { comments, hasLineBreak, unparse } from '../../../language/src/syntax/trivia.ts';

/**
 * Formats tokens as `kind:text`, with `!flaw` if there is one, and words and punctuation as text only.
 */
function tokens(text: string): string {
  return lex(text)
    .slice(0, -1)
    .map((token) => {
      const written = text.slice(token.start, token.end);
      const plain = token.kind === 'word' || token.kind === 'punctuation';
      return `${plain ? '' : `${token.kind}:`}${written}${token.flaw ? `!${token.flaw}` : ''}`;
    })
    .join(' ');
}

describe('the lexer', () => {
  it('accepts letters of any script, digits, _ and a leading $ in words', () => {
    assert.equal(tokens('a1_b größe 日本 $left _x'), 'a1_b größe 日本 $left _x');
  });

  it('matches operators greedily', () => {
    assert.equal(tokens('a==b=~c!=d!~e<=f>=g<>h..i'), 'a == b =~ c != d !~ e <= f >= g <> h .. i');
  });

  it('reads ! and the next word as one token only if the word is an operator with a negation', () => {
    assert.equal(
      tokens('!contains !in !in~ in~ !isnull !matches'),
      '!contains !in !in~ in~ ! isnull !matches',
    );
  });

  it('reads integers, reals and hexadecimal numbers, and ends a number ahead of `..`', () => {
    assert.equal(
      tokens('1 1.5 1e5 1.5E-3 0xfF .5 1..2 a.5 1.x'),
      'long:1 real:1.5 real:1e5 real:1.5E-3 long:0xfF real:.5 long:1 .. long:2 a . long:5 long:1 . x',
    );
  });

  it('reads numbers with a unit as timespans and reports unknown units as bad numbers', () => {
    assert.equal(
      tokens('1d 1.5h 10min 5µs 3x 0xZ 1_000'),
      'timespan:1d timespan:1.5h timespan:10min timespan:5µs timespan:3x!bad-number long:0xZ!bad-number timespan:1_000!bad-number',
    );
  });

  it('ends a string at its quote or, if unclosed, at the end of the line', () => {
    assert.equal(
      tokens(`"a\\"b" 'c' @'d''e' @"f\\"`),
      `string:"a\\"b" string:'c' string:@'d''e' string:@"f\\"`,
    );
    assert.equal(
      tokens(`"a\nb 'c\\\nd @"e`),
      `string:"a!unterminated-string b string:'c\\!unterminated-string d string:@"e!unterminated-string`,
    );
  });

  it('reads text in a pair of curly quotes as a string, and reports a single curly quote', () => {
    assert.equal(
      tokens('“a” ‘b’ c“'),
      'string:“a”!curly-quotes string:‘b’!curly-quotes c unknown:“!bad-character',
    );
  });

  it('combines consecutive invalid characters into one token', () => {
    assert.equal(tokens('a #^💥 b'), 'a unknown:#^💥!bad-character b');
  });

  it('separates tokens at Unicode whitespace and comments', () => {
    assert.equal(tokens('\ufeffa\u00a0b\t//c\r\nd//'), 'a b d');
  });
});

describe('string decoding', () => {
  it('resolves escapes', () => {
    assert.equal(decodeString('"a\\n\\t\\\\\\"\\\'\\u0041\\x42\\0"'), 'a\n\t\\"\'AB\0');
  });

  it('returns the content of an unclosed string', () => {
    assert.equal(decodeString('"abc'), 'abc');
    assert.equal(decodeString('"abc\\"'), 'abc"');
    assert.equal(decodeString("@'abc"), 'abc');
    assert.equal(decodeString('"'), '');
    assert.equal(decodeString('@"'), '');
  });
});

describe('a parsed query', () => {
  it('lists its comments in text order and ignores slashes in strings', () => {
    const text = '// a\nlogs // b\n| where x == "//c" // d';
    const found = comments(parseQuery(text)).map((comment) =>
      text.slice(comment.start, comment.end),
    );
    assert.deepEqual(found, ['// a', '// b', '// d']);
  });

  it('can be reproduced exactly from its tokens and trivia', () => {
    const text = '\t// a\r\n logs\n\n| where x\u00a0== "y // z  ';
    assert.equal(unparse(parseQuery(text)), text);
  });

  it('reports line breaks between offsets through hasLineBreak()', () => {
    assert.equal(hasLineBreak('a \n b', { start: 1, end: 4 }), true);
    assert.equal(hasLineBreak('a  b', { start: 1, end: 3 }), false);
  });
});
