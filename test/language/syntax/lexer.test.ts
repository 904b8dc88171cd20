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

describe('in the lexer', () => {
  it('words contain letters of any script, digits and _, and may start with $', () => {
    assert.equal(tokens('a1_b größe 日本 $left _x'), 'a1_b größe 日本 $left _x');
  });

  it('operators match greedily', () => {
    assert.equal(tokens('a==b=~c!=d!~e<=f>=g<>h..i'), 'a == b =~ c != d !~ e <= f >= g <> h .. i');
  });

  it('! is part of the token only before operators that it can negate', () => {
    assert.equal(
      tokens('!contains !in !in~ in~ !isnull !matches'),
      '!contains !in !in~ in~ ! isnull !matches',
    );
  });

  it('numbers are whole, real or hexadecimal, and .. ends a number', () => {
    assert.equal(
      tokens('1 1.5 1e5 1.5E-3 0xfF .5 1..2 a.5 1.x'),
      'long:1 real:1.5 real:1e5 real:1.5E-3 long:0xfF real:.5 long:1 .. long:2 a . long:5 long:1 . x',
    );
  });

  it('timespans are numbers with units, and a number with any other letters is an invalid number', () => {
    assert.equal(
      tokens('1d 1.5h 10min 5µs 3x 0xZ 1_000'),
      'timespan:1d timespan:1.5h timespan:10min timespan:5µs timespan:3x!bad-number long:0xZ!bad-number timespan:1_000!bad-number',
    );
  });

  it('strings end at their quote, or at the end of the line', () => {
    assert.equal(
      tokens(`"a\\"b" 'c' @'d''e' @"f\\"`),
      `string:"a\\"b" string:'c' string:@'d''e' string:@"f\\"`,
    );
    assert.equal(
      tokens(`"a\nb 'c\\\nd @"e`),
      `string:"a!unterminated-string b string:'c\\!unterminated-string d string:@"e!unterminated-string`,
    );
  });

  it('a pair of curly quotes is a string with a problem, and a single curly quote is an invalid character', () => {
    assert.equal(
      tokens('“a” ‘b’ c“'),
      'string:“a”!curly-quotes string:‘b’!curly-quotes c unknown:“!bad-character',
    );
  });

  it('consecutive invalid characters are one token', () => {
    assert.equal(tokens('a #^💥 b'), 'a unknown:#^💥!bad-character b');
  });

  it('Unicode whitespace and comments separate tokens', () => {
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

describe('in parsed text', () => {
  it("comments are listed in text order, and slashes in strings don't start comments", () => {
    const text = '// a\nlogs // b\n| where x == "//c" // d';
    const found = comments(parseQuery(text)).map((comment) =>
      text.slice(comment.start, comment.end),
    );
    assert.deepEqual(found, ['// a', '// b', '// d']);
  });

  it('tokens and trivia reproduce the text', () => {
    const text = '\t// a\r\n logs\n\n| where x\u00a0== "y // z  ';
    assert.equal(unparse(parseQuery(text)), text);
  });

  it('hasLineBreak reports whether whitespace contains a line break', () => {
    assert.equal(hasLineBreak('a \n b', { start: 1, end: 4 }), true);
    assert.equal(hasLineBreak('a  b', { start: 1, end: 3 }), false);
  });
});
