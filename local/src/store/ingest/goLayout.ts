/** Translates Go time layouts, forms of the reference time `Mon Jan 2 15:04:05 -0700 MST 2006`, to strptime formats. */

// Longer parts come first, so that `2006` is not read as `2` and `006`.
const PARTS: readonly (readonly [layout: string, format: string])[] = [
  ['January', '%B'],
  ['Monday', '%A'],
  ['Z07:00', '%z'],
  ['-07:00', '%z'],
  ['Z0700', '%z'],
  ['-0700', '%z'],
  ['2006', '%Y'],
  ['Jan', '%b'],
  ['Mon', '%a'],
  ['MST', '%Z'],
  ['-07', '%z'],
  ['002', '%j'],
  ['01', '%m'],
  ['02', '%d'],
  ['03', '%I'],
  ['04', '%M'],
  ['05', '%S'],
  ['06', '%y'],
  ['15', '%H'],
  ['PM', '%p'],
  ['pm', '%p'],
  ['_2', '%-d'],
  ['1', '%-m'],
  ['2', '%-d'],
  ['3', '%-I'],
  ['4', '%-M'],
  ['5', '%-S'],
];

/** Fractional-second digits: `.000` and `.999` are read alike, up to nanoseconds. */
const FRACTION = /^([.,])(0+|9+)(?!\d)/;

/** Returns the strptime format of a layout. Other characters are literals. */
export function strptimeFormat(layout: string): string {
  let format = '';
  let rest = layout;
  while (rest !== '') {
    const fraction = FRACTION.exec(rest);
    if (fraction !== null) {
      format += `${fraction[1]}%n`;
      rest = rest.slice(fraction[0].length);
      continue;
    }
    const part = PARTS.find(([text]) => rest.startsWith(text));
    format += part === undefined ? rest[0]!.replace('%', '%%') : part[1];
    rest = rest.slice(part === undefined ? 1 : part[0].length);
  }
  return format;
}

/** Reports whether a layout has any part of a date. Without one it can't give a time. */
export function isLayout(layout: string): boolean {
  return /%[YyBbmdj]|%-[md]/.test(strptimeFormat(layout));
}
