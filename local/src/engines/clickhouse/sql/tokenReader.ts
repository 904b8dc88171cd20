/** Reads tokens: the methods that all rules of the grammar share. */
import type { Token } from './lexer.ts';
import { NotOnEngine } from './notOnEngine.ts';

export class TokenReader {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(all: readonly Token[]) {
    this.#tokens = all;
  }

  expectEnd(): void {
    if (this.peek().kind !== 'end') throw this.unexpected();
  }

  protected peek(ahead = 0): Token {
    return this.#tokens[Math.min(this.#at + ahead, this.#tokens.length - 1)] as Token;
  }

  protected advance(count = 1): void {
    this.#at += count;
  }

  protected unexpected(): Error {
    const near = this.#tokens.slice(this.#at, this.#at + 8).map(({ text }) => text);
    return new NotOnEngine(`the SQL ${near.join(' ')}`);
  }

  protected is(text: string, ahead = 0): boolean {
    const { kind, text: found } = this.peek(ahead);
    return (kind === 'word' || kind === 'symbol') && found === text;
  }

  /** Skips keywords and symbols if they come next. */
  protected accept(...texts: readonly string[]): boolean {
    if (!texts.every((text, i) => this.is(text, i))) return false;
    this.advance(texts.length);
    return true;
  }

  protected expect(...texts: readonly string[]): void {
    if (!this.accept(...texts)) throw this.unexpected();
  }

  /** Reads a token of one of the kinds and returns its text. */
  protected take(...kinds: readonly Token['kind'][]): string {
    const token = this.peek();
    if (!kinds.includes(token.kind)) throw this.unexpected();
    this.advance();
    return token.text;
  }

  /** Reads items between commas up to a closing bracket. */
  protected list<Item>(end: string, parse: () => Item): Item[] {
    if (this.accept(end)) return [];
    const items = this.some(parse);
    this.expect(end);
    return items;
  }

  /** Reads at least one item, between commas. */
  protected some<Item>(parse: () => Item): Item[] {
    const items = [parse()];
    while (this.accept(',')) items.push(parse());
    return items;
  }
}
