/**
 * Functions that SQL calls but this process computes, because DuckDB lacks them and SQL would take far longer. They run
 * on the main thread, so the macros that call them (`planner/macros/computed.ts`) limit the input per row and per call.
 */
import { hash } from 'node:crypto';
import { fills, fir, iir } from './filters.ts';
import { fourier } from './fourier.ts';
import { sortedJson } from './sortedJson.ts';
import { offsetsOf, reversed } from './strings.ts';

/** A string, or a list of numbers in which NaN represents null. */
export type ComputedValue = Float64Array | readonly number[] | string;
export type ComputedType = 'numbers' | 'text';

export interface ComputedFunction {
  readonly name: string;
  readonly parameters: readonly ComputedType[];
  readonly result: ComputedType;
  /** Computes the result for a row. Not called if an argument is null, because the result is then null. */
  readonly compute: (...args: never[]) => ComputedValue;
}

export const computedFunctions: readonly ComputedFunction[] = [
  {
    name: 'apl_sha512',
    parameters: ['text'],
    result: 'text',
    compute: (text: string) => hash('sha512', text),
  },
  { name: 'apl_sorted_json', parameters: ['text'], result: 'text', compute: sortedJson },
  { name: 'apl_reverse', parameters: ['text'], result: 'text', compute: reversed },
  { name: 'apl_places', parameters: ['text', 'text'], result: 'numbers', compute: offsetsOf },
  {
    // The result is all real parts, followed by all imaginary parts. Missing imaginary parts of the input count as
    // zero.
    name: 'apl_fourier',
    parameters: ['numbers', 'numbers', 'text'],
    result: 'numbers',
    compute: (re: Float64Array, im: Float64Array, direction: string) => {
      const padded = new Float64Array(re.length);
      padded.set(im.subarray(0, re.length));
      const result = fourier(re, padded, direction === 'inverse');
      const both = new Float64Array(2 * re.length);
      both.set(result.re);
      both.set(result.im, re.length);
      return both;
    },
  },
  {
    // The second argument is the divisor of the sums, followed by the numbers of the kernel.
    name: 'apl_fir',
    parameters: ['numbers', 'numbers'],
    result: 'numbers',
    compute: (x: Float64Array, kernel: Float64Array) =>
      fir(x, kernel.subarray(1), kernel[0] as number),
  },
  {
    name: 'apl_iir',
    parameters: ['numbers', 'numbers', 'numbers'],
    result: 'numbers',
    compute: iir,
  },
  {
    name: 'apl_fill',
    parameters: ['numbers', 'text'],
    result: 'numbers',
    compute: (x: Float64Array, way: string) => fills[way]?.(x) ?? x,
  },
];
