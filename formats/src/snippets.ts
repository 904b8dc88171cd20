/** Finds the queries in a file: all text of an APL file, or each fenced APL block of a Markdown file. */

const markdown = /\.(?:md|markdown|mdx)$/i;

/** A part of a file, made up of complete lines. Its offsets are half-open. */
export interface Snippet {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Indentation of the block's opening fence. */
  readonly indent: string;
}

interface FileText {
  readonly name: string;
  readonly text: string;
}

export function findSnippets({ name, text }: FileText): Snippet[] {
  if (!markdown.test(name)) return [{ start: 0, end: text.length, text, indent: '' }];
  return fencedBlocks(text);
}

const openingFence = /^([ \t]*)(`{3,}|~{3,})[ \t]*(.*)$/;
const aplLanguage = /^(?:axiom-apl|apl|kusto|\{\.(?:axiom-apl|apl|kusto)\b.*)(?:[\s:,{?].*)?$/i;

function fencedBlocks(text: string): Snippet[] {
  const found: Snippet[] = [];
  let open:
    | {
        readonly indent: string;
        readonly fence: string;
        readonly from: number;
        readonly apl: boolean;
      }
    | undefined;
  for (const { start, end, next } of linesOf(text)) {
    const line = text.slice(start, end);
    if (open === undefined) {
      const match = openingFence.exec(line);
      const [, indent = '', fence = '', info = ''] = match ?? [];
      // A line with a backtick in the info string is an inline code span.
      if (match === null || (fence.startsWith('`') && info.includes('`'))) continue;
      open = { indent, fence, from: next, apl: aplLanguage.test(info.trim()) };
    } else if (closes(line, open.fence)) {
      const { from, indent, apl } = open;
      if (apl && start > from)
        found.push({ start: from, end: start, text: text.slice(from, start), indent });
      open = undefined;
    }
  }
  // A block without a closing fence extends to the end of the file.
  if (open?.apl && open.from < text.length) {
    const { from, indent } = open;
    found.push({ start: from, end: text.length, text: text.slice(from), indent });
  }
  return found;
}

function closes(line: string, fence: string): boolean {
  const found = line.trim();
  return found.length >= fence.length && found === fence.charAt(0).repeat(found.length);
}

interface Line {
  readonly start: number;
  readonly end: number;
  readonly next: number;
}

/** Yields the lines without their line breaks. `next` is the offset of the following line. */
function* linesOf(text: string): Iterable<Line> {
  const breaks = /\r\n|\n|\r/g;
  let start = 0;
  for (const { index, 0: mark } of text.matchAll(breaks)) {
    const next = index + mark.length;
    yield { start, end: index, next };
    start = next;
  }
  if (start < text.length) yield { start, end: text.length, next: text.length };
}
