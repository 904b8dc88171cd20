/** Sorts the members of JSON objects by key, at all depths. */

interface Open {
  readonly isObject: boolean;
  readonly members: { readonly name: string; readonly text: string }[];
  name: string;
}

const token = /[{}[\],:]|"[^"\\]*(?:\\.[^"\\]*)*"|[^\s{}[\],:"]+/gs;

/**
 * Sorts the members of each object by key in code point order, as in DuckDB. Copies numbers and strings unchanged,
 * because parsing a number could lose digits.
 */
export function sortedJson(text: string): string {
  const open: Open[] = [{ isObject: false, members: [], name: '' }];
  let before = '';
  for (const [found] of text.matchAll(token)) {
    const last = open.at(-1) as Open;
    if (found === '{' || found === '[')
      open.push({ isObject: found === '{', members: [], name: '' });
    else if (found === '}' || found === ']') {
      open.pop();
      add(open.at(-1) as Open, closed(last));
    } else if (found === ':') last.name = before;
    else if (found !== ',') before = found;
    const isName = last.isObject && last.name === '';
    if (/^[^{}[\],:]/.test(found) && !isName) add(last, found);
  }
  return open[0]?.members.map((member) => member.text).join(',') ?? '';
}

function add(to: Open, text: string): void {
  to.members.push({ name: to.name, text });
  to.name = '';
}

function closed({ isObject, members }: Open): string {
  if (!isObject) return `[${members.map(({ text }) => text).join(',')}]`;
  const named = members.map(({ name, text }) => ({ name: JSON.parse(name) as string, text }));
  named.sort((a, b) => compareByCodePoint(a.name, b.name));
  return `{${named.map(({ name, text }) => `${JSON.stringify(name)}:${text}`).join(',')}}`;
}

/** Compares strings by code point. In UTF-16 order, surrogate pairs would precede U+E000 to U+FFFF. */
function compareByCodePoint(a: string, b: string): number {
  if (a === b) return 0;
  let i = 0;
  while (i < a.length && i < b.length && a.charCodeAt(i) === b.charCodeAt(i)) i++;
  const [x, y] = [a.charCodeAt(i), b.charCodeAt(i)];
  if (Number.isNaN(x) || Number.isNaN(y)) return a.length - b.length;
  return rank(x) - rank(y);
}

/** Returns the rank of a UTF-16 unit. Surrogates rank after all other units. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
