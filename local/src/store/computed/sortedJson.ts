/** JSON with the names of its objects in order, at all depths. */

/** An object or array that is being read: its members so far, and the name of the one that is read next. */
interface Open {
  readonly isObject: boolean;
  readonly members: { readonly name: string; readonly text: string }[];
  name: string;
}

/** What JSON consists of: brackets, strings, and other words such as numbers. */
const token = /[{}[\],:]|"[^"\\]*(?:\\.[^"\\]*)*"|[^\s{}[\],:"]+/gs;

/**
 * A valid text of JSON with the members of each object by their names, without white space. Numbers and strings stay
 * as they are written, since a parsed number may lose digits. Names are compared by code point, as DuckDB does.
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

/** UTF-16 orders pairs of surrogates before the last characters of its first plane; code points do not. */
function compareByCodePoint(a: string, b: string): number {
  if (a === b) return 0;
  let i = 0;
  while (i < a.length && i < b.length && a.charCodeAt(i) === b.charCodeAt(i)) i++;
  const [x, y] = [a.charCodeAt(i), b.charCodeAt(i)];
  if (Number.isNaN(x) || Number.isNaN(y)) return a.length - b.length;
  return rank(x) - rank(y);
}

/** The place of a UTF-16 unit among those of others: halves of pairs are after all others. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
