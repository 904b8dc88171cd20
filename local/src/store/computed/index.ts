/**
 * The functions that statements call and this process computes, where DuckDB has none and SQL would take far
 * longer. They run on the program's own thread, so the macros that call them (`planner/macros/computed.ts`)
 * bound what one row may take and ration what comes in one call.
 */
import { hash } from 'node:crypto';
import { fills, fir, iir } from './filters.ts';
import { fourier } from './fourier.ts';
import { sortedJson } from './sortedJson.ts';
import { placesOf, reversed } from './texts.ts';

/** A string, or a list of numbers in which NaN stands for a null. */
export type ComputedValue = Float64Array | readonly number[] | string;
export type ComputedType = 'numbers' | 'text';

export interface ComputedFunction {
  /** As statements name it. */
  readonly name: string;
  readonly parameters: readonly ComputedType[];
  readonly result: ComputedType;
  /** Of one row in which no argument is null; a null argument makes the result null. */
  readonly compute: (...args: never[]) => ComputedValue;
}

export const computedFunctions: readonly ComputedFunction[] = [
  {
    name: 'apl_sha512',
    parameters: ['text'],
    result: 'text',
    compute: (text: string) => hash('sha512', text),
  },
  {
    name: 'apl_sorted_json',
    parameters: ['text'],
    result: 'text',
    compute: sortedJson,
  },
  {
    name: 'apl_reverse',
    parameters: ['text'],
    result: 'text',
    compute: reversed,
  },
  {
    name: 'apl_places',
    parameters: ['text', 'text'],
    result: 'numbers',
    compute: placesOf,
  },
  {
    // The real parts of the result, then the imaginary ones. Imaginary parts that are left out are zero.
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
    // What the sums are divided by is the first number of the kernel.
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
