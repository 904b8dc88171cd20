// Explanations from the catalog: of operators, functions, words of Kusto and problem codes.

import { functionPage, kustoAdvice, operatorPage, proseOf } from '../../language/src/editing.ts';
import {
  aggregateNamed,
  aggregates,
  closest,
  type FunctionRow,
  functionNamed,
  functions,
  isProblemCode,
  type OperatorRow,
  operatorNamed,
  operators,
  type ParameterType,
  problemCodes,
  problemRows,
  type ReturnType,
  type Signature,
  scalarOperatorNamed,
} from '../../language/src/index.ts';

/** Returns the explanations of everything that has a name; undefined if nothing has it. */
export function explanationOf(
  name: string,
  pageOf: (code: string) => string | undefined,
): string | undefined {
  const word = name.toLowerCase();
  const operator = operatorNamed(word);
  const called = new Set(
    [functionNamed(word), aggregateNamed(word)].filter((row) => row !== undefined),
  );
  const scalar = scalarOperatorNamed(word);
  const advice = kustoAdvice(name) ?? kustoAdvice(word);
  const parts = [
    ...(operator === undefined ? [] : [operatorText(operator)]),
    ...[...called].map(functionText),
    ...(scalar === undefined ? [] : [proseText(`Operator ${scalar.name}`, proseOf(scalar))]),
    ...(advice === undefined ? [] : [`${name} is not part of APL. ${advice}`]),
    ...(isProblemCode(word) ? [codeText(word, pageOf(word))] : []),
  ];
  return parts.length === 0 ? undefined : parts.join('\n\n');
}

/** Returns the topic that a name resembles. */
export function similarTopic(name: string): string | undefined {
  return closest(name, [
    ...[...operators, ...functions, ...aggregates].map((row) => row.name),
    ...problemCodes,
  ]);
}

function operatorText(row: OperatorRow): string {
  const { syntax, ...prose } = proseOf(row);
  const options = (row.options ?? []).map(
    ({ name, values }) => `${name}=${(values ?? []).map((value) => value.name).join('|') || '…'}`,
  );
  const head = `Operator ${row.name}: ${syntax}`;
  const text = proseText(head, prose);
  const known = options.length === 0 ? '' : `\nOptions: ${options.join(', ')}`;
  return `${text}${known}${pageText(operatorPage(row))}`;
}

function functionText(row: FunctionRow): string {
  const forms = row.signatures.map((signature) => `${row.name}${signatureText(signature)}`);
  const head = `${row.kind === 'aggregate' ? 'Aggregate' : 'Function'} ${forms.join(' or ')}`;
  const alias = row.aliasOf === undefined ? '' : `\nAlias of ${row.aliasOf}.`;
  const text = proseText(head, proseOf(row));
  return `${text}${alias}${row.approximate ? '\nThe result is an estimate.' : ''}${pageText(functionPage(row))}`;
}

interface Text {
  readonly summary: string;
  readonly example: string;
  readonly note?: string;
}

function proseText(head: string, { summary, example, note }: Text): string {
  return `${head}\n${summary}${note === undefined ? '' : ` ${note}`}\nExample: ${example}`;
}

function pageText(page: string | undefined): string {
  return page === undefined ? '' : `\n${page}`;
}

function codeText(code: keyof typeof problemRows, page: string | undefined): string {
  const { severity, message } = problemRows[code];
  return page ?? `${code} (${severity}): ${message.replace(/\{hint\}/g, '')}`;
}

function signatureText({ parameters, returns, repeating }: Signature): string {
  const items = parameters.map(({ name, type, optional, variadic }) => {
    const item = `${name}${optional ? '?' : ''}: ${typeText(type)}`;
    return variadic ? `${item}, …` : item;
  });
  return `(${items.join(', ')}${repeating === undefined ? '' : ', …'}): ${returnText(returns)}`;
}

function typeText(type: ParameterType): string {
  return typeof type === 'string' ? type : type.join(' or ');
}

function returnText(type: ReturnType): string {
  if (typeof type === 'string') return type;
  return 'sameAs' in type ? `type of ${type.sameAs}` : `type of ${type.typeArgument}`;
}
