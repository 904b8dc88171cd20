/** Splits the planner's SQL into tokens. The planner never writes comments. */

export interface Token {
  readonly kind: 'word' | 'name' | 'string' | 'number' | 'symbol' | 'end';
  /** The unquoted name or string, or the text of any other token. */
  readonly text: string;
}

const pattern =
  /\s+|'(?<string>(?:[^']|'')*)'|"(?<name>(?:[^"]|"")*)"|(?<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?<word>[A-Za-z_]\w*)|(?<symbol>::|<=|>=|<>|!=|\/\/|\|\||\*\*|<<|>>|[-+*/%&|<>=(){}[\],.:])/gy;

export function tokens(sql: string): readonly Token[] {
  const found: Token[] = [];
  pattern.lastIndex = 0;
  let end = 0;
  for (let match = pattern.exec(sql); match !== null; match = pattern.exec(sql)) {
    end = pattern.lastIndex;
    const { string, name, number, word, symbol } = match.groups as Record<string, string>;
    if (string !== undefined) found.push({ kind: 'string', text: string.replaceAll("''", "'") });
    else if (name !== undefined) found.push({ kind: 'name', text: name.replaceAll('""', '"') });
    else if (number !== undefined) found.push({ kind: 'number', text: number });
    else if (word !== undefined) found.push({ kind: 'word', text: word });
    else if (symbol !== undefined) found.push({ kind: 'symbol', text: symbol });
  }
  if (end < sql.length) throw new Error(`Unexpected SQL at ${end}: ${sql.slice(end, end + 40)}`);
  found.push({ kind: 'end', text: '' });
  return found;
}
