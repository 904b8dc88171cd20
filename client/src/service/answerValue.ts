/** A sink for small answers. It collects and parses the body, and reads it tolerantly. */
import type { ReadResponse } from '../../../api/src/index.ts';
import { parsedJson } from '../../../api/src/plain.ts';
import { type AnswerSink, SinkFailure } from './answerSink.ts';

export class AnswerValue implements AnswerSink<ReadResponse<'queryEdge'>> {
  #chunks: Uint8Array[] = [];

  async chunk(bytes: Uint8Array): Promise<undefined> {
    this.#chunks.push(bytes);
  }

  async finish(): Promise<ReadResponse<'queryEdge'>> {
    const text = new TextDecoder().decode(Buffer.concat(this.#chunks));
    if (text.trim() === '') throw new SinkFailure('unreadable', 'it is empty');
    const raw = parsedJson(text);
    if (raw === undefined) throw new SinkFailure('unreadable', 'it is not JSON');
    const { readBody } = await import('./endpoint.ts');
    const reading = readBody('queryEdge', raw);
    if (!reading.ok) throw new SinkFailure('unreadable', reading.problem.message);
    return reading.typed as ReadResponse<'queryEdge'>;
  }

  abort(): void {
    this.#chunks = [];
  }
}
