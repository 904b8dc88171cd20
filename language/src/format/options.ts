/** How formatted text looks where people and editors differ. */

export interface FormatOptions {
  /** Columns of one step of indentation; also the width of a tab. At least 1. */
  readonly tabSize: number;
  /** Whether a step of indentation is blanks and not a tab. */
  readonly insertSpaces: boolean;
  /** The columns that a line should not pass; what cannot be broken may. */
  readonly width: number;
  /** Whether the last line of a document ends in a line break, whether or not it did. */
  readonly finalNewline: boolean;
}

export const defaultFormatOptions: FormatOptions = {
  tabSize: 4,
  insertSpaces: true,
  width: 100,
  finalNewline: true,
};

/** The white space of so many steps of indentation. */
export function indentation(options: FormatOptions, level: number): string {
  return options.insertSpaces ? ' '.repeat(options.tabSize * level) : '\t'.repeat(level);
}

/** The line break of a text: that of its last line, which formatting leaves there. */
export function lineBreakOf(text: string): string {
  const at = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r'));
  if (at < 0) return '\n';
  return text[at - 1] === '\r' && text[at] === '\n' ? '\r\n' : (text[at] as string);
}
