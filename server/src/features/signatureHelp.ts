/**
 * Shows the signature of a call or operator, and highlights the current part. An operator's help opens automatically
 * only if the order of its parts is hard to remember.
 */
import {
  MarkupKind,
  type ParameterInformation,
  type SignatureHelp,
  type SignatureHelpContext,
  SignatureHelpTriggerKind,
  type SignatureInformation,
} from 'vscode-languageserver';
import {
  type CallSlot,
  callAt,
  type OperatorSlot,
  operatorAt,
  proseOf,
} from '../../../language/src/editing.ts';
import {
  type FunctionRow,
  type OperatorRow,
  operatorNamed,
  parameterAt,
  type Signature,
  takes,
} from '../../../language/src/index.ts';
import type { Snapshot } from '../documents.ts';
import type { Feature } from '../feature.ts';
import { parameterLabels, signatureLabel } from '../markdown.ts';

export const signatureHelpFeature: Feature = {
  capabilities: {
    signatureHelpProvider: { triggerCharacters: ['(', ',', ' '], retriggerCharacters: [')'] },
  },
  register(connection, workspace) {
    connection.onSignatureHelp(
      workspace.answering(null, (now, { position, context }) =>
        signatureHelp(now, now.lines.offsetAt(position), context),
      ),
    );
  },
};

/** Returns the help at an offset. Without `context`, assumes that the user requested the help. */
export function signatureHelp(
  snapshot: Snapshot,
  offset: number,
  context?: SignatureHelpContext,
): SignatureHelp | undefined {
  const found = snapshot.at(offset);
  if (found === undefined) return undefined;
  const { query, at } = found;
  const { bound } = query.analysis;
  const typed = context?.triggerKind === SignatureHelpTriggerKind.TriggerCharacter;
  const fresh = typed && !context.isRetrigger;
  const call = callAt(bound, at);
  const operator = operatorAt(bound, at);
  // A space opens help only after an operator name, and only if the operator's syntax is hard to remember.
  const byBlank = fresh && context.triggerCharacter === ' ';
  if (call?.row !== undefined) return byBlank ? undefined : helpOfCall(call, call.row);
  const row = operator && operatorNamed(operator.name);
  if (operator === undefined || row === undefined) return undefined;
  if (fresh && !(byBlank && opensItself(row, operator, snapshot, offset))) return undefined;
  return helpOfOperator(row, operator);
}

// ── Calls ─────────────────────────────────────────────────────────────────────────────────────────

function helpOfCall(call: CallSlot, row: FunctionRow): SignatureHelp {
  const fitting = row.signatures.findIndex((signature) => takes(signature, call.count));
  // If no signature accepts the argument count, show the first signature with a parameter for the current argument.
  const roomy = row.signatures.findIndex((signature) => parameterIndex(signature, call) >= 0);
  const active = fitting >= 0 ? fitting : Math.max(0, roomy);
  return {
    signatures: row.signatures.map((signature) => signatureInformation(row, signature, call)),
    activeSignature: active,
  };
}

function signatureInformation(
  row: FunctionRow,
  signature: Signature,
  call: CallSlot,
): SignatureInformation {
  let at = row.name.length + 1;
  const parameters = parameterLabels(signature).map((label, index): ParameterInformation => {
    const start = at;
    at += label.length + 2;
    const parameter = signature.parameters[index];
    return {
      label: [start, start + label.replace(/, …$/, '').length],
      ...(parameter === undefined ? {} : documented(parameter)),
    };
  });
  const active = parameterIndex(signature, call);
  return {
    label: signatureLabel(row, signature),
    documentation: { kind: MarkupKind.Markdown, value: summaryOf(row) },
    parameters,
    // An index past the last parameter highlights no parameter.
    activeParameter: active < 0 ? parameters.length : active,
  };
}

function summaryOf(row: FunctionRow): string {
  const { summary, note } = proseOf(row);
  return note === undefined ? summary : `${summary}\n\n*${note}*`;
}

function documented({
  values,
  unit,
}: Signature['parameters'][number]): Partial<ParameterInformation> {
  if (values !== undefined) return { documentation: `One of ${values.join(', ')}.` };
  return unit === undefined ? {} : { documentation: `In ${unit}.` };
}

function parameterIndex(signature: Signature, { argument, count }: CallSlot): number {
  const parameter = parameterAt(signature, argument, count);
  return parameter === undefined ? -1 : signature.parameters.indexOf(parameter);
}

// ── Operators ─────────────────────────────────────────────────────────────────────────────────────

function opensItself(
  { name }: OperatorRow,
  { clause, opensHelp }: OperatorSlot,
  { lines }: Snapshot,
  at: number,
): boolean {
  if (opensHelp !== true || clause !== undefined) return false;
  return lines.slice(Math.max(0, at - name.length - 1), at) === `${name} `;
}

function helpOfOperator(
  row: OperatorRow,
  { clause, clauses }: OperatorSlot,
): SignatureHelp | undefined {
  const { syntax, summary } = proseOf(row);
  const parts = partsOf(row.name, syntax, clauses);
  if (parts.length === 0) return undefined;
  const active = parts.findIndex((part) => part.clause === clause);
  return {
    signatures: [
      {
        label: syntax,
        documentation: { kind: MarkupKind.Markdown, value: summary },
        parameters: parts.map(({ start, end }) => ({ label: [start, end] })),
        activeParameter: active < 0 ? parts.length : active,
      },
    ],
    activeSignature: 0,
  };
}

/** The text after an operator's name, or a clause keyword and the text after it. */
interface Part {
  readonly clause: string | undefined;
  readonly start: number;
  readonly end: number;
}

function partsOf(name: string, syntax: string, clauses: readonly string[]): Part[] {
  const starts: { readonly clause: string | undefined; readonly at: number }[] = [
    { clause: undefined, at: name.length },
  ];
  for (const { 0: word, index } of syntax.matchAll(/(?<=\s)[a-z_]+(?=\s|$)/g)) {
    if (clauses.includes(word)) starts.push({ clause: word, at: index });
  }
  return starts
    .map(({ clause, at }, index): Part => {
      const part = syntax.slice(at, starts[index + 1]?.at);
      const start = at + part.length - part.trimStart().length;
      return { clause, start, end: at + part.trimEnd().length };
    })
    .filter(({ start, end }) => end > start);
}
