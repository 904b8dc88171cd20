// An agent without a language model. It lists datasets, reads their fields, checks a draft and applies the offered fixes
// until none is offered, then runs the query. It knows only the texts of the tools' answers.
import assert from 'node:assert/strict';
import type { PlainClient } from '../harness.ts';
import { sampleRange } from './sampleData.ts';

export interface Attempt {
  /** The query after all fixes. */
  readonly query: string;
  /** The rows as text, in no particular order. Undefined if the query did not run. */
  readonly rows: readonly string[] | undefined;
  /** The answer of the last call. */
  readonly answer: string;
}

const ROUNDS_MAX = 10;

const fixedQuery = /\nFixed query[^\n]*:\n(`{3,})apl\n(.+?)\n\1(?:\n|$)/s;

export class ScriptedAgent {
  readonly #client: PlainClient;

  constructor(client: PlainClient) {
    this.#client = client;
  }

  /** Lists the datasets and reads their fields. Returns the number of fields that were listed. */
  async readSchema(): Promise<number> {
    const { text } = await this.#client.call('list_datasets');
    let fieldCount = 0;
    for (const dataset of text.match(/^sample-[\w-]+/gm) ?? []) {
      const fields = await this.#client.call('get_fields', { dataset });
      assert.equal(fields.isError, false, fields.text);
      fieldCount +=
        fields.text.match(/^\S+ (?:string|integer|float|boolean|datetime)/gm)?.length ?? 0;
    }
    return fieldCount;
  }

  async attempt(draft: string): Promise<Attempt> {
    let query = draft;
    for (let round = 0; round < ROUNDS_MAX; round += 1) {
      const { text } = await this.#client.call('check_query', { query, fix: true });
      const fixed = fixedQuery.exec(text)?.[2];
      if (fixed === undefined || fixed === query) break;
      query = fixed;
    }
    return this.run(query);
  }

  async run(query: string): Promise<Attempt> {
    const first = await this.#client.call('run_query', { query, ...sampleRange });
    if (first.isError) return { query, rows: undefined, answer: first.text };
    const rows: string[] = [];
    for (let { text } = first; ; ) {
      rows.push(...(text.match(/^\[.*\]$/gm) ?? []));
      const more = /call run_query with more: "([^"]+)"/.exec(text)?.[1];
      if (more === undefined) return { query, rows: rows.toSorted(), answer: first.text };
      ({ text } = await this.#client.call('run_query', { more }));
    }
  }
}
