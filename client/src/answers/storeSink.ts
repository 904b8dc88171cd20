/** The store as the sink of an answer that is asked for: what comes out is the answer as it is held. */
import { type AnswerSink, SinkFailure } from '../service/answerSink.ts';
import type { ArrivingAnswer } from './arrivingAnswer.ts';
import type { HeldAnswer } from './heldAnswer.ts';
import type { StoreError } from './storeError.ts';

/** `arriving` is what `ResultsStore.begin` or `append` has returned. */
export function storeSink(arriving: ArrivingAnswer): AnswerSink<HeldAnswer> {
  return {
    chunk: (bytes) => arriving.give(bytes).catch(fail),
    finish: (arrival) => arriving.finish(arrival).catch(fail),
    abort: () => void arriving.abort(),
  };
}

/** The message of an unreadable body completes "The response is not valid:". */
const malformedStart = /^The response is not valid: /;

/** By its name: the store may be of another bundle, which has a class of its own. */
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
