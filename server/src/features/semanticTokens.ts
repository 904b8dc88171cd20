/**
 * Colors names and operators, while the TextMate grammar colors literals and comments. Tokens are cached per analysis.
 * For a delta request, only changed numbers are sent.
 */
import type { SemanticTokens, SemanticTokensDelta } from 'vscode-languageserver';
import {
  type BoundQuery,
  LineTable,
  type Meaning,
  oncePer,
  type QueryAnalysis,
  type Span,
} from '../../../language/src/index.ts';
import { toSpan } from '../convert.ts';
import type { Snapshot } from '../documents.ts';
import type { Feature } from '../feature.ts';
import { operatorsOf } from './operatorKeywords.ts';

const tokenTypes = ['keyword', 'function', 'class', 'property', 'variable', 'parameter'] as const;
const tokenModifiers = ['declaration', 'defaultLibrary'] as const;

export const semanticTokensLegend = {
  tokenTypes: [...tokenTypes],
  tokenModifiers: [...tokenModifiers],
};

export const semanticTokensFeature: Feature = {
  capabilities: {
    semanticTokensProvider: { legend: semanticTokensLegend, full: { delta: true }, range: true },
  },
  register(connection, workspace) {
    const { semanticTokens: requests } = connection.languages;
    const sent = new SentTokens();
    const closed = { data: [] };
    requests.on(
      workspace.answering(closed, (now) => sent.whole(now.uri, semanticTokens(now).data)),
    );
    requests.onDelta(
      workspace.answering(closed, (now, { previousResultId }) =>
        sent.since(now.uri, previousResultId, semanticTokens(now).data),
      ),
    );
    requests.onRange(
      workspace.answering(closed, (now, { range }) =>
        semanticTokens(now, toSpan(now.lines, range)),
      ),
    );
    workspace.open.onDidClose(({ document }) => sent.forget(document.uri));
  },
};

/** For each document, the last tokens sent and their result ID. */
export class SentTokens {
  readonly #last = new Map<string, { readonly id: string; readonly data: number[] }>();
  #count = 0;

  whole(uri: string, data: number[]): SemanticTokens {
    const id = String(++this.#count);
    this.#last.set(uri, { id, data });
    return { resultId: id, data };
  }

  /** Returns the changes since the tokens with the given ID, or all tokens if the ID isn't the latest. */
  since(uri: string, id: string, data: number[]): SemanticTokens | SemanticTokensDelta {
    const last = this.#last.get(uri);
    const { resultId, data: all } = this.whole(uri, data);
    if (last?.id !== id) return { resultId: resultId as string, data: all };
    return { resultId: resultId as string, edits: editsBetween(last.data, all) };
  }

  forget(uri: string): void {
    this.#last.delete(uri);
  }
}

function editsBetween(before: readonly number[], after: readonly number[]) {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start++;
  if (start === before.length && start === after.length) return [];
  let end = 0;
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  const data = after.slice(start, after.length - end);
  return [{ start, deleteCount: before.length - end - start, data }];
}

type TokenType = (typeof tokenTypes)[number];

const typeOfMeaning: Readonly<Record<Meaning['kind'], TokenType | undefined>> = {
  column: 'property',
  dataset: 'class',
  let: 'variable',
  parameter: 'parameter',
  function: 'function',
  unknown: undefined,
};

interface Mark extends Span {
  readonly type: TokenType;
  readonly modifiers: number;
}

/** Returns the tokens in a range, by default the entire document. */
export function semanticTokens(
  snapshot: Snapshot,
  range = { start: 0, end: snapshot.lines.length },
): { data: number[] } {
  const data: number[] = [];
  let line = 0;
  let character = 0;
  for (const query of snapshot.queries) {
    if (query.end < range.start) continue;
    if (query.start > range.end) break;
    const tokens = tokensOf(query.analysis);
    if (tokens.data.length === 0) continue;
    const base = snapshot.lines.positionAt(query.start);
    // Adjust only the query's first token. The position of each later token is relative to the preceding token.
    const first = data.length;
    for (const number of tokens.data) data.push(number);
    const [down, right] = tokens.data as [number, number];
    const at = { line: base.line + down, character: down === 0 ? base.character + right : right };
    data[first] = at.line - line;
    data[first + 1] = at.line === line ? at.character - character : at.character;
    line = base.line + tokens.lastLine;
    character =
      tokens.lastLine === 0 ? base.character + tokens.lastCharacter : tokens.lastCharacter;
  }
  return { data };
}

/** A query's tokens in LSP encoding, relative to the query's start, and the position of the last token. */
interface QueryTokens {
  readonly data: readonly number[];
  readonly lastLine: number;
  readonly lastCharacter: number;
}

const tokensOf = oncePer(({ bound }: QueryAnalysis): QueryTokens => {
  const lines = new LineTable(bound.tree.text);
  const data: number[] = [];
  let lastLine = 0;
  let lastCharacter = 0;
  let last = -1;
  for (const mark of marksOf(bound)) {
    // Skip tokens that span lines, which many clients don't support, and overlapping tokens, which would appear twice.
    const { line, character } = lines.positionAt(mark.start);
    if (mark.start < last || mark.end <= mark.start) continue;
    if (lines.positionAt(mark.end).line !== line) continue;
    const right = line === lastLine ? character - lastCharacter : character;
    const length = mark.end - mark.start;
    data.push(line - lastLine, right, length, tokenTypes.indexOf(mark.type), mark.modifiers);
    lastLine = line;
    lastCharacter = character;
    last = mark.end;
  }
  return { data, lastLine, lastCharacter };
});

function marksOf(bound: BoundQuery): Mark[] {
  const marks: Mark[] = [];
  for (const reference of bound.references) {
    const type = typeOfMeaning[reference.meaning.kind];
    if (type === undefined) continue;
    const library = reference.meaning.kind === 'function' ? 2 : 0;
    marks.push({
      start: reference.start,
      end: reference.end,
      type,
      modifiers: (reference.definition ? 1 : 0) | library,
    });
  }
  for (const operator of operatorsOf(bound.tree))
    marks.push({ ...operator.keyword, type: 'keyword', modifiers: 0 });
  return marks.sort((a, b) => a.start - b.start);
}
