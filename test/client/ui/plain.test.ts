/** Foreign text where VS Code draws links, icons and Markdown. */
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
  it('has no link', () => {
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

  it('has no link with the symbol of an invisible character as its label', () => {
    assert.doesNotMatch(plain('\u202E(command:x)'), link);
    assert.doesNotMatch(plainLine('\u202E(command:x)'), link);
  });

  it('has no icon', () => {
    for (const text of ['$(alert)', 'a $(sync~spin) b', '$$(zap)', '\\$(zap)']) {
      assert.match(text, icon);
      assert.doesNotMatch(plain(text), icon);
    }
    assert.equal(plain('$(alert)'), '$ (alert)');
  });

  it('shows invisible characters, and keeps lines unless one line is asked for', () => {
    assert.equal(plain('a\u202Eb\x1b[31m\nc'), 'a[U+202E]b␛[31m\nc');
    assert.equal(plainLine('a\nb\u200B'), 'a⏎b[U+200B]');
  });

  it('keeps other text', () => {
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

  it('has no icon as a string', () => {
    assert.equal(labelText('$(alert)'), '$ (alert)');
  });
});

describe('the name of a document', () => {
  it('is not a link in the message of VS Code about a failed save', () => {
    const name = fileName('[Retry](command:workbench.action.quit)');
    assert.doesNotMatch(`Failed to save '${name}.json'`, link);
  });

  it('shows bidirectional characters', () => {
    assert.equal(fileName('a\u202Egnp'), 'a[U+202E]gnp');
  });
});

describe('a property that is not a string', () => {
  const text = '[Run](command:x) $(alert)';

  it('is unchanged if it is null, absent or a flag', () => {
    for (const rule of [lineRule, linesRule])
      for (const value of [null, undefined, true, false]) assert.equal(rule(value), value);
  });

  it('brings no link or icon to VS Code, which gets objects as JSON', () => {
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

  it('may be Markdown that has neither commands nor icons, where lines are shown', () => {
    const markdown = { value: 'a', isTrusted: undefined, supportThemeIcons: false };
    assert.equal(linesRule(markdown), markdown);
    assert.equal(typeof lineRule(markdown), 'string');
  });
});

describe('escaped Markdown', () => {
  it('has no markup, HTML or address', () => {
    assert.equal(escapedMarkdown('[a](b) <b> 1. x'), '\\[a\\]\\(b\\) \\<b\\> 1\\. x');
    assert.equal(escapedMarkdown('https://a.b me@a.b'), 'https\\:\\/\\/a\\.b me\\@a\\.b');
    assert.equal(escapedMarkdown('    code\n# b'), 'code  \n\\# b');
  });

  it('shows invisible characters of finished Markdown without making a link', () => {
    assert.equal(visibleMarkdown('`\u202E`(command:x)'), '`⟨U+202E⟩`(command:x)');
  });
});
