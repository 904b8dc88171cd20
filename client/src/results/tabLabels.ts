/**
 * Labels result tabs. Queries of one dataset begin alike and tabs are narrow, so a label begins where its query differs
 * from the most similar one.
 */
import { shortened } from '../../../table/src/visibleText.ts';
import type { ResultTab, TabId } from '../answers/tabs.ts';

type Labelled = Pick<ResultTab, 'id' | 'title' | 'name'> & {
  readonly query: Pick<ResultTab['query'], 'stages' | 'place'>;
};

const separator = ' | ';
/** The maximum number of shared characters ahead of the difference. A tab shows about thirty characters. */
const sharedMax = 18;
const labelMax = 80;

/** Returns single-line labels by tab. They are unique unless the user gave several tabs the same name. */
export function tabLabels(tabs: readonly Labelled[]): ReadonlyMap<TabId, string> {
  const labels = new Map<TabId, string>();
  const lines = tabs.filter(({ name }) => name === undefined).map((tab) => new Line(tab));
  const unsettled = new Set(lines);
  for (const line of lines) line.startFrom(lines);
  // While different queries have equal labels, begin these labels earlier.
  while (unsettled.size > 0) {
    const same = Map.groupBy(lines, ({ label }) => label);
    unsettled.clear();
    for (const group of same.values()) {
      if (group.length < 2 || group.every(({ text }) => text === group[0]?.text)) continue;
      for (const line of group) if (line.startEarlier()) unsettled.add(line);
    }
  }
  for (const group of Map.groupBy(lines, ({ label }) => label).values())
    for (const [tab, label] of numbered(group)) labels.set(tab, label);
  for (const { id, name } of tabs) if (name !== undefined) labels.set(id, name);
  return labels;
}

/** A query's title as one line, with the offsets at which its label may begin. */
class Line {
  readonly tab: Labelled;
  readonly text: string;
  readonly #dataset: string | undefined;
  /** Offsets of stages, ascending. */
  readonly #stages: readonly number[];
  #start = 0;

  constructor(tab: Labelled) {
    const { stages } = tab.query;
    this.tab = tab;
    this.text = stages?.join(separator) ?? tab.title;
    this.#dataset = stages?.[0];
    let end = 0;
    this.#stages = (stages ?? []).map((stage) => {
      end += stage.length + separator.length;
      return end - stage.length - separator.length;
    });
  }

  get label(): string {
    if (this.#start === 0) return this.tab.title;
    const rest = this.text.slice(this.#start);
    return `… ${shortened(rest, labelMax)}`;
  }

  /** Begins the label where the line differs from the most similar one. */
  startFrom(lines: readonly Line[]): void {
    const shared = lines
      .filter((other) => other.#dataset !== undefined && other.#dataset === this.#dataset)
      .filter((other) => other.text !== this.text)
      .map((other) => sharedLength(this.text, other.text));
    if (shared.length > 0) this.#start = this.#startFor(Math.max(...shared));
  }

  /** Begins the label one stage earlier. Returns false if it already shows all stages. */
  startEarlier(): boolean {
    if (this.#start === 0) return false;
    this.#start = this.#stages.findLast((start) => start < this.#start) ?? 0;
    return true;
  }

  #startFor(difference: number): number {
    const { text } = this;
    // If the text up to the next stage is shared, begin with that stage.
    const at = difference + (/^[ |]*/.exec(text.slice(difference))?.[0].length ?? 0);
    const stage = this.#stages.findLast((start) => start <= at) ?? 0;
    if (stage === 0 || at - stage <= sharedMax) return stage;
    // Begin with the word ahead of the first word that differs.
    const word = text.lastIndexOf(' ', difference - 1) + 1;
    return Math.max(stage, text.lastIndexOf(' ', word - 2) + 1);
  }
}

function sharedLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return length;
}

/** Distinguishes equal labels by document name if the names differ, or else by number. */
function numbered(lines: readonly Line[]): [TabId, string][] {
  const documents = lines.map(({ tab }) => documentName(tab));
  const differ =
    lines.length > 1 && new Set(documents).size === lines.length && !documents.includes('');
  return lines.map(({ tab, label }, index) => {
    const suffix = differ ? ` · ${documents[index]}` : index === 0 ? '' : ` (${index + 1})`;
    return [tab.id, `${label}${suffix}`];
  });
}

/** Returns the name of a tab's document; empty if the query isn't in a document. */
function documentName({ query }: Labelled): string {
  const path = query.place?.uri.split(/[?#]/, 1)[0] ?? '';
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.indexOf(':')) + 1);
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
