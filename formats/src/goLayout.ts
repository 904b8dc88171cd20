/**
 * Splits Go time layouts into their parts. A layout is the reference time `Mon Jan 2 15:04:05 2006 -0700 MST` in the
 * desired form.
 */

/** The parts of the reference time. Longer ones come first, so that `2006` isn't read as `2` and `006`. */
const PARTS = [
  'January',
  'Monday',
  'Z07:00',
  '-07:00',
  'Z0700',
  '-0700',
  '2006',
  'Jan',
  'Mon',
  'MST',
  'Z07',
  '-07',
  '002',
  '01',
  '02',
  '03',
  '04',
  '05',
  '06',
  '15',
  'PM',
  'pm',
  '_2',
  '1',
  '2',
  '3',
  '4',
  '5',
] as const;
export type LayoutPart = (typeof PARTS)[number];

export type LayoutToken =
  | { readonly kind: 'part'; readonly text: LayoutPart }
  /** Fractional-second digits, such as `.000` or `,999`. */
  | { readonly kind: 'fraction'; readonly text: string }
  /** One other character. */
  | { readonly kind: 'literal'; readonly text: string };

const FRACTION = /^[.,](?:0+|9+)(?!\d)/;

/** Returns a layout's tokens, which together are the layout. */
export function layoutTokens(layout: string): LayoutToken[] {
  const tokens: LayoutToken[] = [];
  for (let rest = layout; rest !== ''; ) {
    const fraction = FRACTION.exec(rest)?.[0];
    const part = PARTS.find((text) => rest.startsWith(text) && !isPartOfWord(text, rest));
    if (fraction !== undefined) tokens.push({ kind: 'fraction', text: fraction });
    else if (part !== undefined) tokens.push({ kind: 'part', text: part });
    else tokens.push({ kind: 'literal', text: rest[0] as string });
    rest = rest.slice((tokens.at(-1) as LayoutToken).text.length);
  }
  return tokens;
}

/** Returns whether following letters form another word, as in Go: `Month` isn't `Mon`. */
function isPartOfWord(part: LayoutPart, rest: string): boolean {
  return (part === 'Jan' || part === 'Mon') && /^[a-z]/.test(rest.slice(3));
}
