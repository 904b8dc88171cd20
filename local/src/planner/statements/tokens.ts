/** The tokens of a SQL statement: words, quoted names, numbers, texts and signs. */

export interface Token {
  readonly kind: 'word' | 'name' | 'number' | 'text' | 'sign' | 'end';
  /** As written, without quotes. */
  readonly text: string;
}

const patterns: readonly (readonly [Token['kind'] | 'skip', RegExp])[] = [
  ['skip', /\s+|--[^\n]*|\/\*[\s\S]*?\*\//y],
  ['word', /[\p{L}_][\p{L}\p{N}_$]*/uy],
  ['number', /\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?/y],
  ['text', /'(?:[^']|'')*'/y],
  ['name', /"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]/y],
  ['sign', /<>|<=|>=|!=|\|\||[-+*/%=<>(),.;?]/y],
];

/** The tokens with one at the end; undefined where a character starts none. */
export function tokensOf(text: string): readonly Token[] | undefined {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    const found = tokenAt(text, at);
    if (found === undefined) return undefined;
    at += found.length;
    if (found.kind !== 'skip') tokens.push({ kind: found.kind, text: found.text });
  }
  return [...tokens, { kind: 'end', text: '' }];
}

function tokenAt(text: string, at: number) {
  for (const [kind, pattern] of patterns) {
    pattern.lastIndex = at;
    const written = pattern.exec(text)?.[0];
    if (written === undefined) continue;
    return { kind, length: written.length, text: unquoted(kind, written) };
  }
  return undefined;
}

function unquoted(kind: Token['kind'] | 'skip', written: string): string {
  if (kind === 'text') return written.slice(1, -1).replaceAll("''", "'");
  if (kind === 'name') return written.slice(1, -1).replaceAll('""', '"');
  return written;
}
