/** Uses the results store as the receiver of a requested answer, and returns the stored answer. */
import { type AnswerSink, SinkFailure } from '../service/answerSink.ts';
import type { ArrivingAnswer } from './arrivingAnswer.ts';
import type { HeldAnswer } from './heldAnswer.ts';
import type { StoreError } from './storeError.ts';

export function storeSink(arriving: ArrivingAnswer): AnswerSink<HeldAnswer> {
  return {
    chunk: (bytes) => arriving.give(bytes).catch(fail),
    finish: (arrival) => arriving.finish(arrival).catch(fail),
    abort: () => void arriving.abort(),
  };
}

/** The prefix to remove from messages, because they are shown after the same words. */
const malformedStart = /^The response is not valid: /;

/** Compares error names, because the error may come from another bundle's copy of the class. */
function isStoreError(error: unknown): error is StoreError {
  return error instanceof Error && error.name === 'StoreError';
}

function fail(error: unknown): never {
  if (!isStoreError(error)) throw error;
  const { code, message } = error;
  if (code === 'malformed')
    throw new SinkFailure('unreadable', message.replace(malformedStart, '').replace(/\.$/, ''));
  if (code === 'memory') throw new SinkFailure('tooLarge', message);
  if (code === 'cancelled') throw new SinkFailure('cancelled', message);
  throw error;
}
