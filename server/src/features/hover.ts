/** Describes the operator, name, keyword or literal under the cursor. */
import { type Hover, MarkupKind } from 'vscode-languageserver';
import { toRange } from '../convert.ts';
import type { Snapshot } from '../documents.ts';
import type { Feature } from '../feature.ts';
import { literalHover } from './hover/literals.ts';
import { nameHover } from './hover/names.ts';
import {
  joinSideHover,
  operatorHover,
  renamedHover,
  scalarOperatorHover,
  wordHover,
} from './hover/words.ts';

export const hoverFeature: Feature = {
  capabilities: { hoverProvider: true },
  register(connection, workspace) {
    connection.onHover(
      workspace.answering(null, (now, { position }) =>
        hover(now, now.lines.offsetAt(position), workspace.deploymentOf(now.uri)),
      ),
    );
  },
};

export function hover(snapshot: Snapshot, offset: number, deployment?: string): Hover | undefined {
  const place = snapshot.at(offset);
  if (place === undefined) return undefined;
  const { query, at } = place;
  const { bound } = query.analysis;
  const found =
    renamedHover(query.analysis, at) ??
    operatorHover(bound, at) ??
    joinSideHover(bound, at) ??
    nameHover(snapshot, query, at, deployment) ??
    scalarOperatorHover(bound, at) ??
    literalHover(bound, at) ??
    wordHover(bound, at);
  if (found === undefined) return undefined;
  return {
    contents: { kind: MarkupKind.Markdown, value: found.text },
    range: toRange(snapshot.lines, found.span, query.start),
  };
}
