/**
 * Colours by meaning: operators, functions, datasets, columns, lets and parameters. Strings, numbers
 * and comments are the TextMate grammar's.
 */
import { type SemanticTokens, SemanticTokensBuilder } from 'vscode-languageserver';
import type { BoundQuery, Meaning } from '../../../language/src/index.ts';
import { toOffset } from '../convert.ts';
import type { QueryState, Snapshot } from '../documents.ts';
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
    semanticTokensProvider: { legend: semanticTokensLegend, full: true, range: true },
  },
  register(connection, workspace) {
    const { semanticTokens: requests } = connection.languages;
    requests.on(({ textDocument }) => {
      const now = workspace.snapshot(textDocument.uri);
      return now ? semanticTokens(now) : { data: [] };
    });
    requests.onRange(({ textDocument, range }) => {
      const now = workspace.snapshot(textDocument.uri);
      if (now === undefined) return { data: [] };
      return semanticTokens(now, {
        start: toOffset(now.lines, range.start),
        end: toOffset(now.lines, range.end),
      });
    });
  },
};

type TokenType = (typeof tokenTypes)[number];

const typeOfMeaning: Readonly<Record<Meaning['kind'], TokenType | undefined>> = {
  column: 'property',
  dataset: 'class',
  let: 'variable',
  parameter: 'parameter',
  function: 'function',
  unknown: undefined,
};

interface Mark {
  readonly start: number;
  readonly end: number;
  readonly type: TokenType;
  readonly modifiers: number;
}

/** Tokens of the whole document, or of the queries that touch a half-open range of offsets. */
export function semanticTokens(
  snapshot: Snapshot,
  range = { start: 0, end: snapshot.text.length },
): SemanticTokens {
  const builder = new SemanticTokensBuilder();
  for (const query of snapshot.queries) {
    if (query.end < range.start || query.start > range.end) continue;
    pushQuery(builder, snapshot, query);
  }
  return builder.build();
}

function pushQuery(builder: SemanticTokensBuilder, snapshot: Snapshot, query: QueryState): void {
  let last = -1;
  for (const mark of marksOf(query.analysis.bound)) {
    // A span over two lines cannot be a token, and one inside another would be drawn twice.
    const start = snapshot.lines.positionAt(query.start + mark.start);
    const end = snapshot.lines.positionAt(query.start + mark.end);
    if (mark.start < last || start.line !== end.line || mark.end <= mark.start) continue;
    builder.push(
      start.line,
      start.character,
      mark.end - mark.start,
      tokenTypes.indexOf(mark.type),
      mark.modifiers,
    );
    last = mark.end;
  }
}

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
