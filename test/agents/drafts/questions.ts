// Reads the questions about the sample data. Each has a number, the question, a first draft as a language model that
// knows Kusto but not APL writes it, and the answer: a correct query whose rows are expected.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Question {
  /** From 1, in the order of the files. */
  readonly number: number;
  readonly question: string;
  readonly draft: string;
  readonly answer: string;
}

const files = ['http.questions', 'traces.questions', 'appLogs.questions'];
const form = /^(\d+)\. (.+)\n--- draft\n(.+?)\n--- answer\n(.+)$/s;

export function readQuestions(): readonly Question[] {
  return files.flatMap((name) => parse(readFileSync(join(import.meta.dirname, name), 'utf8')));
}

function parse(text: string): Question[] {
  return text
    .split(/^=== /m)
    .slice(1)
    .map((block) => {
      const parts = form.exec(block.trim());
      if (parts === null) throw new Error(`Not a question with a draft and an answer: ${block}`);
      const [, number = '', question = '', draft = '', answer = ''] = parts;
      return { number: Number(number), question, draft, answer };
    });
}
