/** Translates Go time layouts, the format of `timestamp-format`, to strptime formats. */
import { type LayoutPart, layoutTokens } from '../../../../formats/src/goLayout.ts';

const FORMATS: Readonly<Record<LayoutPart, string>> = {
  January: '%B',
  Monday: '%A',
  'Z07:00': '%z',
  '-07:00': '%z',
  Z0700: '%z',
  '-0700': '%z',
  '2006': '%Y',
  Jan: '%b',
  Mon: '%a',
  MST: '%Z',
  Z07: '%z',
  '-07': '%z',
  '002': '%j',
  '01': '%m',
  '02': '%d',
  '03': '%I',
  '04': '%M',
  '05': '%S',
  '06': '%y',
  '15': '%H',
  PM: '%p',
  pm: '%p',
  _2: '%-d',
  '1': '%-m',
  '2': '%-d',
  '3': '%-I',
  '4': '%-M',
  '5': '%-S',
};

/** Returns the strptime format of a Go layout. `.000` and `.999` both read up to nine fractional digits. */
export function strptimeFormat(layout: string): string {
  return layoutTokens(layout)
    .map((token) => {
      if (token.kind === 'part') return FORMATS[token.text];
      return token.kind === 'fraction' ? `${token.text[0]}%n` : token.text.replace('%', '%%');
    })
    .join('');
}

/** Returns whether a layout contains part of a date. Otherwise, it can't be used for an event's time. */
export function isLayout(layout: string): boolean {
  return /%[YyBbmdj]|%-[md]/.test(strptimeFormat(layout));
}
