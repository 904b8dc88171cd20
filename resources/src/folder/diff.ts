// Formats the differing lines of two texts as a diff: `@@` ahead of each hunk, and lines prefixed with a space, `-` or
// `+`.

const CONTEXT = 3;

/** Maximum size of the comparison table, the product of the line counts. Longer texts are shown as replaced. */
const CELLS_MAX = 4_000_000;

interface Line {
  readonly sign: ' ' | '-' | '+';
  readonly text: string;
}

/** Returns the differences without a final line feed; empty if there are none. */
export function lineDiff(before: string, after: string): string {
  if (before === after) return '';
  const lines = differing(linesOf(before), linesOf(after));
  const shown = new Set<number>();
  for (const [index, { sign }] of lines.entries()) {
    if (sign === ' ') continue;
    for (let at = index - CONTEXT; at <= index + CONTEXT; at += 1) shown.add(at);
  }
  const out: string[] = [];
  let [oldLine, newLine] = [1, 1];
  for (const [index, { sign, text }] of lines.entries()) {
    if (shown.has(index)) {
      if (!shown.has(index - 1) || index === 0) out.push(`@@ -${oldLine} +${newLine} @@`);
      out.push(`${sign}${text}`);
    }
    if (sign !== '+') oldLine += 1;
    if (sign !== '-') newLine += 1;
  }
  return out.join('\n');
}

/** Splits a text into lines. A final line feed ends the last line, and an empty text has no lines. */
function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

function differing(before: readonly string[], after: readonly string[]): Line[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start])
    start += 1;
  let end = 0;
  const maxCommon = Math.min(before.length, after.length) - start;
  while (end < maxCommon && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const old = before.slice(start, before.length - end);
  const own = after.slice(start, after.length - end);
  const same = (text: string): Line => ({ sign: ' ', text });
  return [
    ...before.slice(0, start).map(same),
    ...middle(old, own),
    ...before.slice(before.length - end).map(same),
  ];
}

/** Compares lines by their longest common subsequence. */
function middle(old: readonly string[], own: readonly string[]): Line[] {
  const removed = old.map((text): Line => ({ sign: '-', text }));
  const added = own.map((text): Line => ({ sign: '+', text }));
  if (old.length * own.length > CELLS_MAX) return [...removed, ...added];
  const width = own.length + 1;
  const common = new Int32Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = own.length - 1; j >= 0; j -= 1) {
      common[i * width + j] =
        old[i] === own[j]
          ? (common[(i + 1) * width + j + 1] as number) + 1
          : Math.max(common[(i + 1) * width + j] as number, common[i * width + j + 1] as number);
    }
  }
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < own.length) {
    if (i < old.length && j < own.length && old[i] === own[j]) {
      lines.push({ sign: ' ', text: old[i] as string });
      i += 1;
      j += 1;
    } else if (
      j === own.length ||
      (i < old.length &&
        (common[(i + 1) * width + j] as number) >= (common[i * width + j + 1] as number))
    ) {
      lines.push(removed[i] as Line);
      i += 1;
    } else {
      lines.push(added[j] as Line);
      j += 1;
    }
  }
  return lines;
}
