/**
 * Prices of language models in dollars per million tokens, as their vendors publish them for regular calls. The file
 * `prices.json` in a deployment's data folder overrides prices. It maps a model to `{input, output}`. A model is looked
 * up by its name without the vendor's prefix. If that fails, a trailing date or `-latest` is removed too.
 */
import { quotedText } from './quotes.ts';

/** The optional price file in a deployment's data folder. */
export const PRICES_FILE = 'prices.json';

export interface Price {
  readonly input: number;
  readonly output: number;
}

export type Prices = Readonly<Record<string, Price>>;

const bundled: Prices = {
  'claude-3-5-haiku': { input: 0.8, output: 4 },
  'claude-3-5-sonnet': { input: 3, output: 15 },
  'claude-3-7-sonnet': { input: 3, output: 15 },
  'claude-3-haiku': { input: 0.25, output: 1.25 },
  'claude-3-opus': { input: 15, output: 75 },
  'claude-3-sonnet': { input: 3, output: 15 },
  'claude-opus-4': { input: 15, output: 75 },
  'claude-sonnet-4': { input: 3, output: 15 },
  'gemini-1.5-flash': { input: 0.075, output: 0.3 },
  'gemini-1.5-pro': { input: 1.25, output: 5 },
  'gemini-2.0-flash': { input: 0.1, output: 0.4 },
  'gemini-2.5-flash': { input: 0.3, output: 2.5 },
  'gemini-2.5-pro': { input: 1.25, output: 10 },
  'gpt-3.5-turbo': { input: 0.5, output: 1.5 },
  'gpt-4': { input: 30, output: 60 },
  'gpt-4-turbo': { input: 10, output: 30 },
  'gpt-4.1': { input: 2, output: 8 },
  'gpt-4.1-mini': { input: 0.4, output: 1.6 },
  'gpt-4.1-nano': { input: 0.1, output: 0.4 },
  'gpt-4o': { input: 2.5, output: 10 },
  'gpt-4o-mini': { input: 0.15, output: 0.6 },
  'mistral-large': { input: 2, output: 6 },
  'mistral-small': { input: 0.1, output: 0.3 },
  o1: { input: 15, output: 60 },
  'o1-mini': { input: 1.1, output: 4.4 },
  o3: { input: 2, output: 8 },
  'o3-mini': { input: 1.1, output: 4.4 },
  'o4-mini': { input: 1.1, output: 4.4 },
};

export function priceList(given: Prices = {}): string {
  return `${quotedText(JSON.stringify({ ...bundled, ...given }))}::JSON`;
}

export function pricesSql(given: Prices): string {
  return `CREATE OR REPLACE MACRO apl.prices() AS ${priceList(given)}`;
}

/** Parses a price file. Throws an Error that names `path` and the problem if the file is invalid. */
export function readPrices(text: string, path: string): Prices {
  const parsed = parse(text, path);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new Error(`${path} must hold an object from model to ${EXAMPLE}.`);
  }
  return Object.fromEntries(
    Object.entries(parsed).map(([model, price]) => {
      const { input, output } = (price ?? {}) as Partial<Price>;
      if (!isPrice(input) || !isPrice(output)) {
        const name = JSON.stringify(model.slice(0, NAME_LENGTH_MAX));
        throw new Error(`${path}: the price of ${name} must be an object such as ${EXAMPLE}.`);
      }
      return [model.toLowerCase(), { input, output }];
    }),
  );
}

const EXAMPLE = '{"input": 1, "output": 2}';

const NAME_LENGTH_MAX = 100;

function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    const { message } = error as Error;
    throw new Error(`${path} is not JSON: ${message.replace(/\s+/g, ' ')}.`);
  }
}

function isPrice(of: unknown): of is number {
  return typeof of === 'number' && Number.isFinite(of) && of >= 0;
}
