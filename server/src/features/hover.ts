/** What stands under the cursor: a function, an operator with the columns around it, a column, a dataset. */
import { type Hover, MarkupKind } from 'vscode-languageserver';
import {
  type BoundQuery,
  type BoundStage,
  contains,
  functionNamed,
  operatorNamed,
  queryAt,
  type Reference,
  type Schema,
  type Span,
  scalarOperatorNamed,
} from '../../../language/src/index.ts';
import { toOffset, toRange } from '../convert.ts';
import type { Snapshot } from '../documents.ts';
import type { Feature } from '../feature.ts';
import {
  code,
  columnMarkdown,
  columnsLine,
  functionMarkdown,
  operatorMarkdown,
  scalarOperatorMarkdown,
} from '../markdown.ts';
import { operatorsOf } from './operatorKeywords.ts';

export const hoverFeature: Feature = {
  capabilities: { hoverProvider: true },
  register(connection, workspace) {
    connection.onHover(({ textDocument, position }) => {
      const now = workspace.snapshot(textDocument.uri);
      return (now && hover(now, toOffset(now.lines, position))) ?? null;
    });
  },
};

export function hover(snapshot: Snapshot, offset: number): Hover | undefined {
  const query = queryAt(snapshot.queries, offset);
  if (query === undefined) return undefined;
  const at = offset - query.start;
  const { bound } = query.analysis;
  const found =
    operatorHover(bound, at) ??
    referenceHover(bound, at, snapshot.schema) ??
    scalarOperatorHover(bound, at);
  if (found === undefined) return undefined;
  return {
    contents: { kind: MarkupKind.Markdown, value: found.text },
    range: toRange(snapshot.lines, found.span, query.start),
  };
}

interface Found {
  readonly span: Span;
  readonly text: string;
}

function operatorHover(bound: BoundQuery, at: number): Found | undefined {
  const operator = operatorsOf(bound.tree).find((candidate) => contains(candidate.keyword, at));
  const row = operator && operatorNamed(operator.name);
  if (operator === undefined || row === undefined) return undefined;
  const stage = bound.stages.find((candidate) => contains(candidate.operator.keyword, at));
  return {
    span: operator.keyword,
    text:
      stage === undefined ? operatorMarkdown(row) : `${operatorMarkdown(row)}\n\n${flow(stage)}`,
  };
}

function flow(stage: BoundStage): string {
  return `In: ${columnsLine(stage.input)}\n\nOut: ${columnsLine(stage.output)}`;
}

function referenceHover(bound: BoundQuery, at: number, schema: Schema): Found | undefined {
  const reference = bound.references.find((candidate) => contains(candidate, at));
  if (reference === undefined) return undefined;
  const text = meaningMarkdown(reference, schema);
  return text === undefined ? undefined : { span: reference, text };
}

function meaningMarkdown(reference: Reference, schema: Schema): string | undefined {
  const { meaning } = reference;
  switch (meaning.kind) {
    case 'column':
      return columnMarkdown(meaning.column);
    case 'function': {
      const row = functionNamed(meaning.name);
      return row && functionMarkdown(row);
    }
    case 'let':
    case 'parameter':
      return code(`${meaning.kind} ${meaning.name}: ${meaning.type}`);
    case 'dataset':
      return datasetMarkdown(meaning.name, schema);
    case 'unknown':
      return undefined;
  }
}

function datasetMarkdown(name: string, schema: Schema): string {
  const dataset = schema.datasets.find((candidate) => candidate.name === name);
  const kind = dataset?.kind ?? 'dataset';
  const lines = [code(`${kind} ['${name}']`)];
  if (dataset?.description !== undefined) lines.push(dataset.description);
  if (dataset !== undefined && dataset.fields.length > 0) {
    const count = dataset.fields.length;
    lines.push(
      `${count} ${count === 1 ? 'field' : 'fields'}${dataset.complete === false ? ' known' : ''}.`,
    );
  }
  return lines.join('\n\n');
}

function scalarOperatorHover(bound: BoundQuery, at: number): Found | undefined {
  const { text, tokens } = bound.tree;
  const token = tokens.find((candidate) => contains(candidate, at));
  if (token === undefined) return undefined;
  const row = scalarOperatorNamed(text.slice(token.start, token.end));
  return row && { span: token, text: scalarOperatorMarkdown(row) };
}
