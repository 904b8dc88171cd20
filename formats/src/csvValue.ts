/** Parses the values of CSV records (RFC 4180). */

export interface CsvValue {
  /** The value without its quotes. */
  readonly text: string;
  readonly quoted: boolean;
  /** Whether a quoted value has its closing quote. */
  readonly isClosed: boolean;
  /** The offset after the value in UTF-16 units: a delimiter, a line end or the end of the string. */
  readonly end: number;
}

/** Parses the value that begins at an offset. Only a quoted value contains delimiters and line ends. */
export function csvValueAt(text: string, start: number, delimiter: string): CsvValue {
  if (text[start] !== '"') {
    let end = start;
    while (end < text.length && text[end] !== delimiter && !'\r\n'.includes(text[end] as string)) {
      end += 1;
    }
    return { text: text.slice(start, end), quoted: false, isClosed: true, end };
  }
  let close = text.indexOf('"', start + 1);
  while (close >= 0 && text[close + 1] === '"') close = text.indexOf('"', close + 2);
  const isClosed = close >= 0;
  const content = text.slice(start + 1, isClosed ? close : text.length);
  return {
    text: content.replaceAll('""', '"'),
    quoted: true,
    isClosed,
    end: isClosed ? close + 1 : text.length,
  };
}
