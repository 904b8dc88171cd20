// Fills query parameters with the file's previous values. Shows the form if a value is missing or invalid.
import type { QueryParameter } from '../../../server/src/protocol.ts';
import type { Context } from '../context.ts';
import { fileKey } from './fileKey.ts';
import type { FilledTexts } from './parameterForms.ts';
import { readParameter } from './parameterValues.ts';
import type { Query } from './query.ts';

export const noParameters =
  'This query declares no parameters. Declare them with: declare query_parameters (name: type = default);';

/** Returns the queries with parameter values; undefined if the user cancels. */
export async function fillParameters(
  queries: readonly Query[],
  { parameters: memory, results }: Pick<Context, 'parameters' | 'results'>,
  askAlways = false,
): Promise<readonly Query[] | undefined> {
  const filled: Query[] = [];
  for (const query of queries) {
    const parameters = query.facts?.parameters ?? [];
    if (parameters.length === 0) {
      filled.push(query);
      continue;
    }
    // Share values between a file's queries. Use the text of a query without a file as the key.
    const file = query.place ? fileKey(query.place.uri) : query.text;
    let texts: FilledTexts | undefined = memory.get(file);
    if (
      askAlways ||
      !parameters.every((parameter) => isFilled(parameter, texts?.get(parameter.name)))
    ) {
      texts = await results.askForParameters(query.title, parameters, texts);
      if (texts === undefined) return undefined;
      await memory.set(file, texts);
    }
    filled.push({ ...query, variables: valuesOf(parameters, texts) });
  }
  return filled;
}

function isFilled({ type, defaultText }: QueryParameter, text: string | null | undefined): boolean {
  if (text === undefined) return false;
  return text === null ? defaultText !== undefined : readParameter(type, text, Date.now()).ok;
}

/** Returns the values to send. Omits parameters that use their declared default. */
function valuesOf(
  parameters: readonly QueryParameter[],
  texts: FilledTexts,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    parameters.flatMap(({ name, type }) => {
      const text = texts.get(name) ?? null;
      const typed = text === null ? undefined : readParameter(type, text, Date.now());
      return typed?.ok ? [[name, typed.value]] : [];
    }),
  );
}
