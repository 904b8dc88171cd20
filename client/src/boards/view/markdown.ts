/**
 * Converts Markdown notes to elements: headings, paragraphs, lists, tasks, quotes, code, tables, emphasis and links.
 * HTML stays text, images become links, and links open through the host.
 */
import { checkbox } from '../../webview/page/controls.ts';
import { element, textNode } from '../../webview/page/dom.ts';
import { alignmentsIn, endsInBreak, headingIn, isTableRule, taskIn } from './markdownLines.ts';

const textMax = 100_000;

export function markdown(text: string, open: (address: string) => void): HTMLElement {
  const lines = text.slice(0, textMax).replace(/\r\n?/g, '\n').split('\n');
  const onClick = (event: MouseEvent) => {
    const address = (event.target as Element).closest('a')?.getAttribute('href');
    if (address == null) return;
    event.preventDefault();
    open(address);
  };
  return element('div', { class: 'markdown', onClick }, blocks(lines, 0));
}

const deepest = 8;
const fence = /^ {0,3}(`{3,}|~{3,})/;
const rule = /^ {0,3}(?:(?:\*\s*){3,}|(?:-\s*){3,}|(?:_\s*){3,})$/;
const quote = /^ {0,3}>\s?/;
const item = /^(\s{0,8})([-*+]|\d{1,9}[.)])\s+(.*)$/s;

function blocks(lines: readonly string[], depth: number): HTMLElement[] {
  const found: HTMLElement[] = [];
  let at = 0;
  const line = () => lines[at] ?? '';
  while (at < lines.length) {
    const text = line();
    const fenced = fence.exec(text);
    const titled = headingIn(text);
    if (text.trim() === '') at += 1;
    else if (fenced) {
      const mark = fenced[1] as string;
      const first = at + 1;
      at += 1;
      while (at < lines.length && !line().trimStart().startsWith(mark)) at += 1;
      const code = lines.slice(first, at).join('\n');
      found.push(element('pre', {}, [element('code', { lines: code })]));
      at += 1;
    } else if (titled) {
      // Start at level 3, because the page and chart headings use levels 1 and 2.
      const level = Math.min(6, titled.level + 2) as 3 | 4 | 5 | 6;
      found.push(element(`h${level}`, {}, inline(titled.title)));
      at += 1;
    } else if (rule.test(text)) {
      found.push(element('hr'));
      at += 1;
    } else if (quote.test(text) && depth < deepest) {
      const inner: string[] = [];
      for (; quote.test(line()); at += 1) inner.push(line().replace(quote, ''));
      found.push(element('blockquote', {}, blocks(inner, depth + 1)));
    } else if (item.test(text) && depth < deepest) {
      const [list, end] = listAt(lines, at, depth);
      found.push(list);
      at = end;
    } else if (startsTable(lines, at)) {
      const rows: string[] = [];
      for (; line().includes('|'); at += 1) rows.push(line());
      found.push(table(rows));
    } else {
      const paragraph: string[] = [];
      do {
        paragraph.push(line());
        at += 1;
      } while (at < lines.length && !endsParagraph(line(), depth) && !startsTable(lines, at));
      const content = paragraph.flatMap((part, index) => [
        index === 0 ? undefined : separatorAfter(paragraph[index - 1] ?? ''),
        ...inline(part.trim().replace(/\\$/, '')),
      ]);
      found.push(element('p', {}, content));
    }
  }
  return found;
}

function endsParagraph(text: string, depth: number): boolean {
  if (text.trim() === '' || fence.test(text) || headingIn(text) || rule.test(text)) return true;
  return depth < deepest && (quote.test(text) || item.test(text));
}

function separatorAfter(text: string): Node {
  return endsInBreak(text) ? element('br') : textNode(' ');
}

function startsTable(lines: readonly string[], at: number): boolean {
  return (lines[at] ?? '').includes('|') && isTableRule(lines[at + 1] ?? '');
}

/** Reads the list starting at a line. Returns the list and the index of the line after it. */
function listAt(
  lines: readonly string[],
  start: number,
  depth: number,
): [list: HTMLElement, end: number] {
  const [, indent = '', mark = ''] = item.exec(lines[start] ?? '') ?? [];
  const isNumbered = /\d/.test(mark);
  const list = element(isNumbered ? 'ol' : 'ul');
  const number = Number.parseInt(mark, 10);
  if (list instanceof HTMLOListElement && number > 1) list.start = number;
  let at = start;
  const line = () => lines[at] ?? '';
  for (;;) {
    const [found, ownIndent = '', ownMark = '', text = ''] = item.exec(line()) ?? [];
    const deeper = ownIndent.length - indent.length;
    const isSame = deeper >= 0 && deeper <= 1 && /\d/.test(ownMark) === isNumbered;
    if (found === undefined || !isSame) return [list, at];
    const task = taskIn(text);
    const inner = [task?.text ?? text];
    for (at += 1; continuesItem(lines, at, indent.length); at += 1)
      inner.push(line().slice(Math.min(indentOf(line()), indent.length + 2)));
    const [first, ...others] = blocks(inner, depth + 1);
    // Unwrap an item's leading paragraph, so that a plain item doesn't contain a paragraph.
    const content = first?.tagName === 'P' ? [...first.childNodes] : [first];
    list.append(
      element('li', task ? { class: 'task' } : {}, [
        task && taskBox(task.isDone),
        ...content,
        ...others,
      ]),
    );
    while (line().trim() === '' && item.test(lines[at + 1] ?? '')) at += 1;
  }
}

function taskBox(isDone: boolean): HTMLElement {
  const box = checkbox(isDone, { 'aria-label': isDone ? 'Done' : 'To do' });
  box.disabled = true;
  return box;
}

function indentOf(text: string): number {
  return text.length - text.trimStart().length;
}

/** Returns whether a line continues a list item: it is indented, or is blank and followed by an indented line. */
function continuesItem(lines: readonly string[], at: number, indent: number): boolean {
  const [text = '', next = ''] = lines.slice(at, at + 2);
  if (text.trim() !== '') return indentOf(text) > indent;
  return next.trim() !== '' && indentOf(next) > indent + 1;
}

function table(rows: readonly string[]): HTMLElement {
  const cells = (row: string) =>
    row
      .trim()
      .replace(/^\||\|$/g, '')
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim().replaceAll('\\|', '|'));
  const [head = '', rule = '', ...body] = rows;
  const alignments = alignmentsIn(rule);
  const line = (row: string, tag: 'th' | 'td') =>
    element(
      'tr',
      {},
      cells(row).map((cell, column) => {
        const box = element(tag, {}, inline(cell));
        box.style.textAlign = alignments[column] ?? '';
        return box;
      }),
    );
  return element('table', {}, [
    element('thead', {}, [line(head, 'th')]),
    element(
      'tbody',
      {},
      body.map((row) => line(row, 'td')),
    ),
  ]);
}

/**
 * Matches inline syntax. Earlier alternatives take precedence over syntax inside them. Lengths are bounded, so that
 * text made only of syntax characters is parsed in linear time.
 */
const spans =
  /(?<code>(?<ticks>`{1,3})(?<inCode>[^`]{1,1000})\k<ticks>(?!`))|(?<image>!\[(?<alt>[^[\]]{0,300})\]\((?<source>[^\s()]{1,2000})[^()]{0,300}\))|(?<link>\[(?<label>[^[\]]{1,300})\]\((?<target>[^\s()]{1,2000})[^()]{0,300}\))|(?<auto>https?:\/\/[^\s<>()]{1,2000}[^\s<>().,;:!?'"])|(?<strong>(?<two>\*\*|__)(?=\S)(?<inStrong>[^*_\n]{1,500}(?:[*_][^*_\n]{1,500}){0,4})\k<two>)|(?<strike>~~(?=\S)(?<inStrike>[^~]{1,500})~~)|(?<em>(?:\*|(?<!\w)_)(?=\S)(?<inEm>[^*_]{1,500})(?:\*|_(?!\w)))|(?<escape>\\(?<escaped>[!-/:-@[-`{-~]))/;

function inline(text: string, depth = 0): Node[] {
  const nodes: Node[] = [];
  let rest = text;
  while (rest !== '') {
    const found = depth > deepest ? null : spans.exec(rest);
    if (found === null) break;
    if (found.index > 0) nodes.push(textNode(rest.slice(0, found.index)));
    nodes.push(spanOf(found.groups ?? {}, depth));
    rest = rest.slice(found.index + found[0].length);
  }
  if (rest !== '') nodes.push(textNode(rest));
  return nodes;
}

function spanOf(found: Readonly<Record<string, string | undefined>>, depth: number): Node {
  const { code, inCode = '', image, alt, source = '', label = '', target = '', auto } = found;
  const { strong, inStrong = '', strike, inStrike = '', em, inEm = '', escaped = '' } = found;
  if (code !== undefined) return element('code', { text: inCode.trim() });
  if (image !== undefined) return link(source, [textNode(`Image: ${alt || source}`)]);
  if (found.link !== undefined) return link(target, inline(label, deepest + 1));
  if (auto !== undefined) return link(auto, [textNode(auto)]);
  if (strong !== undefined) return element('strong', {}, inline(inStrong, depth + 1));
  if (strike !== undefined) return element('s', {}, inline(inStrike, depth + 1));
  if (em !== undefined) return element('em', {}, inline(inEm, depth + 1));
  return textNode(escaped);
}

function link(address: string, content: readonly Node[]): Node {
  if (!/^https?:\/\//i.test(address)) return element('span', {}, content);
  return element('a', { title: address, attributes: { href: address } }, content);
}
