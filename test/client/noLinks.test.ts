/** Texts of others in notifications, of which VS Code would make links that run commands. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withoutLinks } from '../../client/src/noLinks.ts';
import { fileName } from '../../client/src/resources/documents.ts';

/** What VS Code takes for a link in a notification, and in the prompt of an input box. */
const link = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/gi;

describe('a text of others', () => {
  it('has no links left that a click would follow', () => {
    for (const text of [
      'The token has expired. [Sign in](command:workbench.action.terminal.sendSequence?%7B%7D).',
      'Deleted the monitor [a](COMMAND:x "A title") from Prod.',
      '[a](https://evil.example)[b](file:///etc/passwd)',
      '[[a](command:x)](command:y)',
    ]) {
      assert.match(text, link);
      assert.doesNotMatch(withoutLinks(text), link);
    }
  });

  it('has none either in the name of a document, which VS Code shows where a save fails', () => {
    const name = fileName('[Retry](command:workbench.action.quit)');
    assert.doesNotMatch(`Failed to save '${name}.json'`, link);
  });

  it('is otherwise as it was', () => {
    const text = "where a[0](b) and ['x'] (see https://axiom.co) [docs](relative)";
    assert.equal(withoutLinks(text), text);
  });
});
