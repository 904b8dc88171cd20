// The HTML document of a page.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { pageHtml } from '../../client/src/webview/html.ts';

it('a page shows a title with markup and invisible characters as text', () => {
  const html = pageHtml({
    title: 'Fields of </title><img src=x>&amp;\u202E\u0007',
    scriptUri: 's',
    styleUri: 'c',
    cspSource: 'o',
    nonce: 'n',
  });
  const shown = 'Fields of &#60;/title&#62;&#60;img src=x&#62;&#38;amp;[U+202E]␇';
  assert.ok(html.includes(`<title>${shown}</title>`), html);
  assert.ok(html.includes(`<h1 class="heard">${shown}</h1>`), html);
});
