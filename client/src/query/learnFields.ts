// Adds the datasets and fields in responses to the schema.
import type { LanguageServer } from '../languageServer/languageClient.ts';
import type { SchemaSource } from '../schema/schemaSource.ts';
import type { Asked } from './storedAnswers.ts';

/** Returns a callback that learns from answers without starting a stopped language server. */
export function learner(schema: SchemaSource, language: LanguageServer): Asked {
  const factsOf = async (query: string) =>
    language.state === 'running' ? language.queryFacts(query) : undefined;
  return (about) => {
    const learn = schema.asked(about);
    return (head) => void learn(head, factsOf);
  };
}
