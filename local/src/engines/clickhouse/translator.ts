/** Loads the translation of SQL and the views of tables, a separate bundle for deployments on ClickHouse alone. */
import { macros } from '../../planner/macros.ts';

export type Translator = typeof import('./sql/index.ts');

let translator: Translator | undefined;

export async function loadTranslator(): Promise<Translator> {
  if (translator === undefined) {
    translator = await import('./sql/index.ts');
    // The macros are in files of the planner, which would otherwise be in both bundles.
    translator.defineMacros(macros);
  }
  return translator;
}

/** Returns the translator that `loadTranslator` has loaded in this thread. */
export function loadedTranslator(): Translator {
  if (translator === undefined) throw new Error('The translator was not loaded.');
  return translator;
}
