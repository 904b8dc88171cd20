/**
 * Notes in Markdown as elements: headings, paragraphs, lists, tasks, quotes, code, tables, emphasis and links. HTML
 * stays text, images are links to what they show, and links go through the host.
 */
import { element } from '../../webview/page/dom.ts';
import { alignmentsIn, endsInBreak, headingIn, isTableRule, taskIn } from './markdownLines.ts';

type OpenLink = (address: string) => void;

/** The maximum length of a note that is drawn. */
const textMax = 100_000;

export function markdown(text: string, open: OpenLink): HTMLElement {
  const lines = text.slice(0, textMax).replace(/\r\n?/g, '\n').split('\n');
  return element('div', { class: 'markdown' }, blocks(lines, open, 0));
}

const deepest = 8;
const fence = /^ {0,3}(`{3,}|~{3,})/;
const rule = /^ {0,3}(?:(?:\*\s*){3,}|(?:-\s*){3,}|(?:_\s*){3,})$/;
const quote = /^ {0,3}>\s?/;
const item = /^(\s{0,8})([-*+]|\d{1,9}[.)])\s+(.*)$/s;

function blocks(lines: readonly string[], open: OpenLink, depth: number): HTMLElement[] {
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
      found.push(element('pre', {}, [element('code', { text: code })]));
      at += 1;
    } else if (titled) {
      // Levels 1 and 2 are the headings of the page and the chart.
      const level = Math.min(6, titled.level + 2) as 3 | 4 | 5 | 6;
      const title = element(`h${level}`, { class: `level-${titled.level}` });
      title.append(...inline(titled.title, open));
      found.push(title);
      at += 1;
    } else if (rule.test(text)) {
      found.push(element('hr'));
      at += 1;
    } else if (quote.test(text) && depth < deepest) {
      const inner: string[] = [];
      for (; quote.test(line()); at += 1) inner.push(line().replace(quote, ''));
      found.push(element('blockquote', {}, blocks(inner, open, depth + 1)));
    } else if (item.test(text) && depth < deepest) {
      const list = listAt(lines, at, open, depth);
      found.push(list.element);
      at = list.end;
    } else if (startsTable(lines, at)) {
      const rows: string[] = [];
      for (; line().includes('|'); at += 1) rows.push(line());
      found.push(table(rows, open));
    } else {
      const paragraph: string[] = [];
      do {
        paragraph.push(line());
        at += 1;
      } while (at < lines.length && !endsParagraph(line(), depth) && !startsTable(lines, at));
      const box = element('p');
      paragraph.forEach((part, index) => {
        if (index > 0) box.append(endsInBreak(paragraph[index - 1] ?? '') ? element('br') : ' ');
        box.append(...inline(part.trim().replace(/\\$/, ''), open));
      });
      found.push(box);
    }
  }
  return found;
}

function endsParagraph(text: string, depth: number): boolean {
  if (text.trim() === '' || fence.test(text) || headingIn(text) || rule.test(text)) return true;
  return depth < deepest && (quote.test(text) || item.test(text));
}

function startsTable(lines: readonly string[], at: number): boolean {
  return (lines[at] ?? '').includes('|') && isTableRule(lines[at + 1] ?? '');
}

/** Reads the list that starts at a line. Indented lines after an item belong to the item. */
function listAt(
  lines: readonly string[],
  start: number,
  open: OpenLink,
  depth: number,
): { readonly element: HTMLElement; readonly end: number } {
  const [, indent = '', mark = ''] = item.exec(lines[start] as string) ?? [];
  const isNumbered = /\d/.test(mark);
  const list = element(isNumbered ? 'ol' : 'ul');
  const number = Number.parseInt(mark, 10);
  if (list instanceof HTMLOListElement && number > 1) list.start = number;
  let at = start;
  while (at < lines.length) {
    const found = item.exec(lines[at] as string);
    if (found === null || (found[1] as string).length > indent.length + 1) break;
    if ((found[1] as string).length < indent.length || /\d/.test(found[2] as string) !== isNumbered)
      break;
    const task = taskIn(found[3] as string);
    const inner = [task?.text ?? (found[3] as string)];
    at += 1;
    const isInside = (text: string) =>
      text.trim() !== '' && /^\s/.test(text) && indentOf(text) > indent.length;
    while (
      at < lines.length &&
      (isInside(lines[at] as string) || blankInside(lines, at, indent.length))
    ) {
      inner.push(
        (lines[at] as string).slice(Math.min(indentOf(lines[at] as string), indent.length + 2)),
      );
      at += 1;
    }
    const [first, ...others] = blocks(inner, open, depth + 1);
    // The first line of an item doesn't get a paragraph.
    const content = first?.tagName === 'P' ? [...first.childNodes] : first ? [first] : [];
    list.append(
      task === undefined
        ? element('li', {}, [...content, ...others])
        : element('li', { class: 'task' }, [checkbox(task.isDone), ...content, ...others]),
    );
    while (
      at < lines.length &&
      (lines[at] as string).trim() === '' &&
      item.test(lines[at + 1] ?? '')
    )
      at += 1;
  }
  return { element: list, end: Math.max(at, start + 1) };
}

/** Creates the disabled checkbox of a task. */
function checkbox(isDone: boolean): HTMLElement {
  const box = element('input', {
    attributes: { type: 'checkbox', 'aria-label': isDone ? 'Done' : 'To do' },
  });
  box.checked = isDone;
  box.disabled = true;
  return box;
}

function indentOf(text: string): number {
  return text.length - text.trimStart().length;
}

function blankInside(lines: readonly string[], at: number, indent: number): boolean {
  const next = lines[at + 1] ?? '';
  return (lines[at] as string).trim() === '' && next.trim() !== '' && indentOf(next) > indent + 1;
}

function table(rows: readonly string[], open: OpenLink): HTMLElement {
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
        const box = element(tag);
        box.style.textAlign = alignments[column] ?? '';
        box.append(...inline(cell, open));
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
 * Matches inline marks. Earlier alternatives take precedence over marks inside them. Lengths are bounded so that text
 * made only of marks is read in linear time.
 */
const spans =
  /(?<code>(?<ticks>`{1,3})(?<inCode>[^`]{1,1000})\k<ticks>(?!`))|(?<image>!\[(?<alt>[^[\]]{0,300})\]\((?<source>[^\s()]{1,2000})[^()]{0,300}\))|(?<link>\[(?<label>[^[\]]{1,300})\]\((?<target>[^\s()]{1,2000})[^()]{0,300}\))|(?<auto>https?:\/\/[^\s<>()]{1,2000}[^\s<>().,;:!?'"])|(?<strong>(?<two>\*\*|__)(?=\S)(?<inStrong>[^*_\n]{1,500}(?:[*_][^*_\n]{1,500}){0,4})\k<two>)|(?<strike>~~(?=\S)(?<inStrike>[^~]{1,500})~~)|(?<em>(?:\*|(?<!\w)_)(?=\S)(?<inEm>[^*_]{1,500})(?:\*|_(?!\w)))|(?<escape>\\(?<escaped>[!-/:-@[-`{-~]))/;

function inline(text: string, open: OpenLink, depth = 0): Node[] {
  const nodes: Node[] = [];
  let rest = text;
  while (rest !== '') {
    const found = depth > deepest ? null : spans.exec(rest);
    if (found === null) break;
    if (found.index > 0) nodes.push(document.createTextNode(rest.slice(0, found.index)));
    nodes.push(spanOf(found.groups ?? {}, open, depth));
    rest = rest.slice(found.index + found[0].length);
  }
  if (rest !== '') nodes.push(document.createTextNode(rest));
  return nodes;
}

function spanOf(
  found: Readonly<Record<string, string | undefined>>,
  open: OpenLink,
  depth: number,
): Node {
  const wrapped = (tag: 'strong' | 'em' | 's', text: string) => {
    const box = element(tag);
    box.append(...inline(text, open, depth + 1));
    return box;
  };
  if (found.code !== undefined) return element('code', { text: (found.inCode ?? '').trim() });
  if (found.image !== undefined)
    return link(
      found.source ?? '',
      [document.createTextNode(`Image: ${found.alt || found.source}`)],
      open,
    );
  if (found.link !== undefined)
    return link(found.target ?? '', inline(found.label ?? '', open, deepest + 1), open);
  if (found.auto !== undefined)
    return link(found.auto, [document.createTextNode(found.auto)], open);
  if (found.strong !== undefined) return wrapped('strong', found.inStrong ?? '');
  if (found.strike !== undefined) return wrapped('s', found.inStrike ?? '');
  if (found.em !== undefined) return wrapped('em', found.inEm ?? '');
  return document.createTextNode(found.escaped ?? '');
}

/** Creates a link for web addresses, and text for any other address. */
function link(address: string, content: readonly Node[], open: OpenLink): Node {
  if (!/^https?:\/\//i.test(address)) {
    const box = element('span');
    box.append(...content);
    return box;
  }
  const anchor = element('a', { title: address, attributes: { href: address } });
  anchor.append(...content);
  anchor.addEventListener('click', (event) => {
    event.preventDefault();
    open(address);
  });
  return anchor;
}
