/** Signature help over marked text: the signature shown, and the active parameter at the cursor. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SignatureHelpContext } from 'vscode-languageserver';
import { signatureHelp } from '../../server/src/features/signatureHelp.ts';
import { cursor, snapshotOf } from './marked.ts';

/**
 * Returns the active signature with the active parameter in angle brackets, or undefined without help.
 */
function shown(marked: string, context?: SignatureHelpContext): string | undefined {
  const { text, offset } = cursor(marked);
  const help = signatureHelp(snapshotOf(text), offset, context);
  const signature = help?.signatures[help.activeSignature ?? 0];
  if (signature === undefined) return undefined;
  const { label } = signature.parameters?.[signature.activeParameter ?? -1] ?? {};
  if (label === undefined) return signature.label;
  assert.ok(typeof label === 'object');
  const [start, end] = label;
  return `${signature.label.slice(0, start)}<${signature.label.slice(start, end)}>${signature.label.slice(end)}`;
}

const extend = "['http-logs'] | extend x = ";
const typedBlank: SignatureHelpContext = {
  triggerKind: 2,
  triggerCharacter: ' ',
  isRetrigger: false,
};

describe('signature help of a function', () => {
  it('marks the parameter at the cursor in incomplete text', () => {
    assert.equal(shown(`${extend}strlen($0`), 'strlen(<text: string>): long');
    assert.match(String(shown(`${extend}substring(method, $0`)), /^substring\(.*, <.*: long>/);
    assert.match(String(shown(`${extend}substring(method, 1$0)`)), /^substring\(.*, <.*: long>/);
  });

  it('describes the innermost call and ignores grouping parentheses', () => {
    assert.match(String(shown(`${extend}strlen(tolower($0))`)), /^tolower\(</);
    assert.match(String(shown(`${extend}iff(ok, (1 + $0), 2)`)), /^iff\(.*, <then/);
    assert.match(String(shown(`${extend}iff(ok, strlen(method), $0)`)), /, <otherwise/);
  });

  it('is shown in strings and numbers, and not in comments or after the call', () => {
    assert.match(String(shown(`${extend}datetime_part('ho$0ur', _time)`)), /^datetime_part\(<part/);
    assert.equal(shown(`${extend}strlen( // he$0re`), undefined);
    assert.equal(shown("['http-logs'] | where strlen(method)$0 > 1"), 'where <condition>');
  });

  it('marks repeating parameters, such as those of strcat() and case()', () => {
    for (const n of [1, 2, 5]) {
      const args = Array.from({ length: n }, (_, i) => `'${i}'`).join(', ');
      assert.match(String(shown(`${extend}strcat(${args}, $0`)), /^strcat\(<[^>]*>, …\)/);
    }
    assert.match(String(shown(`${extend}case(a, 1, $0, 3, 4)`)), /^case\(<condition/);
    assert.match(String(shown(`${extend}case(a, 1, b, $0, 4)`)), /, <then/);
    assert.match(String(shown(`${extend}case(a, 1, b, 2, $0)`)), /, <otherwise/);
  });

  it('selects the signature by the number of arguments', () => {
    assert.match(
      String(shown("['http-logs'] | summarize arg_max(_time, $0)")),
      /^arg_max\(.*, <field/,
    );
    const { text, offset } = cursor("['http-logs'] | summarize arg_max(_time, *$0)");
    assert.equal(signatureHelp(snapshotOf(text), offset)?.signatures.length, 2);
  });

  it('marks no parameter for an extra argument', () => {
    assert.equal(shown(`${extend}strlen(method, $0)`), 'strlen(text: string): long');
    assert.match(String(shown('print now(1h, $0)')), /^now\(\[offset: timespan\]\)/);
  });

  it('documents the values that a parameter accepts', () => {
    const { text, offset } = cursor(`${extend}datetime_part($0`);
    const [signature] = signatureHelp(snapshotOf(text), offset)?.signatures ?? [];
    assert.match(String(signature?.parameters?.[0]?.documentation), /hour/);
  });

  it("doesn't open after a space, but remains open while spaces are typed", () => {
    assert.equal(shown(`${extend}iff(ok, $0`, typedBlank), undefined);
    assert.match(
      String(shown(`${extend}iff(ok, $0`, { ...typedBlank, isRetrigger: true })),
      /<then/,
    );
    assert.match(
      String(shown(`${extend}iff($0`, { ...typedBlank, triggerCharacter: '(' })),
      /<cond/,
    );
  });
});

describe('signature help of an operator', () => {
  it('marks the clause at the cursor', () => {
    assert.equal(shown('logs | top $0'), 'top <count> by expression desc');
    assert.equal(shown('logs | top 5 by $0'), 'top count <by expression desc>');
    assert.match(String(shown('logs | make-series count() $0')), /^make-series <name = aggregate/);
    assert.match(String(shown('logs | make-series count() on $0')), /<on time> from/);
    assert.match(String(shown('logs | make-series count() on _time step $0')), /<step size> by/);
    assert.match(String(shown('logs | join kind=inner (a) on $0')), /<on field, left == right, …>/);
    assert.match(String(shown('logs | join $0')), /^join <kind=kind \(table\)> on/);
    assert.match(String(shown('logs | parse-kv message as (a) with ($0')), /<with \(/);
    assert.match(String(shown('logs | sort by $0')), /^sort <by expression asc, …>/);
    assert.match(String(shown('externaldata (a: $0')), /^externaldata </);
  });

  it('describes the call at the cursor, or the innermost operator if the cursor is outside calls', () => {
    assert.match(String(shown('logs | top 5 by strlen($0')), /^strlen/);
    assert.match(String(shown('logs | join (users | top $0) on id')), /^top </);
  });

  it('opens after `make-series` and a space, but not after every space', () => {
    assert.match(String(shown('logs | make-series $0', typedBlank)), /^make-series/);
    assert.equal(shown('logs | make-series count() $0', typedBlank), undefined);
    assert.equal(shown('logs | where $0', typedBlank), undefined);
    assert.equal(
      shown('logs | project a, $0', { ...typedBlank, triggerCharacter: ',' }),
      undefined,
    );
  });

  it("isn't shown outside operators", () => {
    for (const marked of [
      '$0',
      'logs$0',
      'logs | $0',
      'logs | wh$0',
      'logs | count // $0',
      '|||$0',
    ])
      assert.equal(shown(marked), undefined, marked);
    assert.equal(shown('logs | nonsense $0'), undefined);
  });
});
