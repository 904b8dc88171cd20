/** Links in comments and in externaldata. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { linksInComments, linksOf } from '../../../language/src/symbols/links.ts';
import { parseQuery } from '../../../language/src/syntax/parser.ts';

function links(text: string): string[] {
  return linksOf(parseQuery(text)).map(({ url, start, end }) => {
    assert.equal(text.slice(start, end), url);
    return url;
  });
}

describe('links', () => {
  it('include URLs in comments, without surrounding punctuation', () => {
    assert.deepEqual(
      links(
        'logs // see https://example.com/runbook, and (http://a.test/x_(y)).\n| count // https://b.test/?q=1#top.',
      ),
      ['https://example.com/runbook', 'http://a.test/x_(y)', 'https://b.test/?q=1#top'],
    );
  });

  it('include the URLs of externaldata, but not those in string values', () => {
    assert.deepEqual(
      links(
        "externaldata (a:long) ['https://example.com/a.csv', @\"https://example.com/b.csv\"] | where a == 'https://c.test'",
      ),
      ['https://example.com/a.csv', 'https://example.com/b.csv'],
    );
    assert.deepEqual(links("externaldata (a:long) [strcat('https://a.test/', x)]"), []);
    assert.deepEqual(links("externaldata (a:long) ['https://a.test/\\u0041']"), []);
  });

  it('include only http and https URLs with a host', () => {
    assert.deepEqual(
      links('logs // file:///etc/passwd command:x javascript:alert(1) https:// http://.'),
      [],
    );
  });

  it('exclude any number of closing parentheses after the URL', () => {
    assert.deepEqual(links(`logs // (https://a.test/b_(c)${')'.repeat(50_000)}.`), [
      'https://a.test/b_(c)',
    ]);
  });

  it('are found in comments between queries', () => {
    const text = '// https://a.test\n\nlogs';
    assert.deepEqual(
      linksInComments(text, { start: 0, end: 18 }).map(({ url }) => url),
      ['https://a.test'],
    );
  });
});
