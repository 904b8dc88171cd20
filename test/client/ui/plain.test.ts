/** Foreign text in places where VS Code draws links, icons and Markdown. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fileName } from '../../../client/src/deployments/resourceAddress.ts';
import { lineRule, linesRule } from '../../../client/src/ui/guarded.ts';
import {
  escapedMarkdown,
  Icon,
  labelText,
  plain,
  plainLine,
  visibleMarkdown,
  withIcons,
} from '../../../client/src/ui/plain.ts';

/** VS Code's patterns for links in prompts and notifications, and for icons in labels. */
const link = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;
const icon = /(\\)?\$\(([A-Za-z0-9-]+(?:~[A-Za-z]+)?)\)/;

describe('plain text', () => {
  it('contains no link', () => {
    for (const text of [
      'The token has expired. [Sign in](command:workbench.action.terminal.sendSequence?%7B%7D).',
      'Deleted the monitor [a](COMMAND:x "A title") from Prod.',
      '[a](https://evil.example)[b](file:///etc/passwd)',
      '[[a](command:x)](command:y)',
    ]) {
      assert.match(text, link);
      assert.doesNotMatch(plain(text), link);
    }
  });

  it('contains no link whose label is the symbol of an invisible character', () => {
    assert.doesNotMatch(plain('\u202E(command:x)'), link);
    assert.doesNotMatch(plainLine('\u202E(command:x)'), link);
  });

  it('contains no icon', () => {
    for (const text of ['$(alert)', 'a $(sync~spin) b', '$$(zap)', '\\$(zap)']) {
      assert.match(text, icon);
      assert.doesNotMatch(plain(text), icon);
    }
    assert.equal(plain('$(alert)'), '$ (alert)');
  });

  it('shows invisible characters, and keeps line breaks unless a single line is requested', () => {
    assert.equal(plain('a\u202Eb\x1b[31m\nc'), 'a[U+202E]b␛[31m\nc');
    assert.equal(plainLine('a\nb\u200B'), 'a⏎b[U+200B]');
  });

  it('keeps text that is neither a link nor an icon', () => {
    const text = "where a[0](b) and ['x'] (see https://axiom.co) [docs](relative) $(1 + 2) $('a')";
    assert.equal(plain(text), text);
  });

  it('is unchanged by a second conversion', () => {
    const once = plain('[a](command:x) $(alert) \u202E(command:y)\x1b');
    assert.equal(plain(once), once);
  });
});

describe('a label', () => {
  it('has its own icons, but none from inserted text', () => {
    const label = withIcons`$(key) ${'$(alert)'} ${new Icon('sync~spin')}`;
    assert.equal(labelText(label), '$(key) $ (alert) $(sync~spin)');
  });

  it('has no icons if it is a plain string', () => {
    assert.equal(labelText('$(alert)'), '$ (alert)');
  });
});

describe('the name of a document', () => {
  it("is not a link in VS Code's message about a failed save", () => {
    const name = fileName('[Retry](command:workbench.action.quit)');
    assert.doesNotMatch(`Failed to save '${name}.json'`, link);
  });

  it('shows bidirectional control characters', () => {
    assert.equal(fileName('a\u202Egnp'), 'a[U+202E]gnp');
  });
});

describe('a property that is not a string', () => {
  const text = '[Run](command:x) $(alert)';

  it('is unchanged if it is null, undefined or a boolean', () => {
    for (const rule of [lineRule, linesRule])
      for (const value of [null, undefined, true, false]) assert.equal(rule(value), value);
  });

  it('contains no link or icon when it is sent to VS Code as JSON', () => {
    const markdown = { value: text, isTrusted: true };
    for (const value of [
      Object(text),
      [text],
      { label: text, highlights: [] },
      { toJSON: () => text },
      { toString: () => text },
      Object.assign(new URL('command:x'), { toJSON: () => text }),
      markdown,
      { value: text, supportThemeIcons: true },
      { value: text, supportHtml: true },
    ])
      for (const rule of [lineRule, linesRule]) {
        const sent = JSON.stringify(rule(value));
        assert.doesNotMatch(sent, link);
        assert.doesNotMatch(sent, icon);
      }
    assert.equal(linesRule(new URL('https://axiom.co/a')), 'https://axiom.co/a');
  });

  it('may be Markdown without commands and icons if several lines are allowed', () => {
    const markdown = { value: 'a', isTrusted: undefined, supportThemeIcons: false };
    assert.equal(linesRule(markdown), markdown);
    assert.equal(typeof lineRule(markdown), 'string');
  });
});

describe('escaped Markdown', () => {
  it('contains no markup, HTML or links', () => {
    assert.equal(escapedMarkdown('[a](b) <b> 1. x'), '\\[a\\]\\(b\\) \\<b\\> 1\\. x');
    assert.equal(escapedMarkdown('https://a.b me@a.b'), 'https\\:\\/\\/a\\.b me\\@a\\.b');
    assert.equal(escapedMarkdown('    code\n# b'), 'code  \n\\# b');
  });

  it('shows invisible characters of finished Markdown without making a link', () => {
    assert.equal(visibleMarkdown('`\u202E`(command:x)'), '`⟨U+202E⟩`(command:x)');
  });
});
