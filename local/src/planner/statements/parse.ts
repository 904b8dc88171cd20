/**
 * Reads a SQL statement into its model. What is no statement of the kinds in the model gives undefined, as
 * a text that cannot be read gives null elsewhere.
 */
import type { Column, Expression, Order, Source, Statement } from './model.ts';
import { type Token, tokensOf } from './tokens.ts';

/** Thrown where the text does not go on as a statement can; it does not leave this file. */
class Unreadable extends Error {}

/** Deeper brackets, and more operators, are not read: each is a level of the model. */
const mostDepth = 100;
const mostOperators = 1000;

export function parseStatement(text: string): Statement | undefined {
  const tokens = tokensOf(text);
  if (tokens === undefined) return undefined;
  try {
    return new Parser(tokens).statement();
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

/** The binary operators by how tightly they bind, loosest first. */
const levels: readonly (readonly string[])[] = [
  ['or'],
  ['and'],
  ['=', '<>', '!=', '<', '<=', '>', '>=', 'like', 'ilike'],
  ['+', '-', '||'],
  ['*', '/', '%'],
];
const comparison = 2;

/** Words that end a list, so that they are no alias. */
const clauses = new Set(
  'from where group having order limit offset union join inner left right full cross on set values as and or not'.split(
    ' ',
  ),
);

class Parser {
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;
  #operators = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  statement(): Statement {
    const of = this.#changing() ?? this.#select();
    this.#take(';');
    if (this.#next.kind !== 'end') throw new Unreadable();
    return of;
  }

  #changing(): Statement | undefined {
    if (this.#take('insert')) {
      this.#need('into');
      const table = this.#path();
      const named = this.#take('(') ? this.#closed(() => ({ colname: this.#name() })) : undefined;
      this.#need('values');
      const values = this.#list(() => {
        this.#need('(');
        return this.#closed(() => this.#expression());
      });
      return { statement: 'insert', table, ...(named && { columns: named }), values };
    }
    if (this.#take('update')) {
      const table = this.#path();
      this.#need('set');
      const set = this.#list(() => {
        const colname = this.#name();
        this.#need('=');
        return { colname, expr: this.#expression() };
      });
      return { statement: 'update', table, set, ...this.#where() };
    }
    if (this.#take('delete')) {
      this.#need('from');
      return { statement: 'delete', table: this.#path(), ...this.#where() };
    }
    return undefined;
  }

  #select(): Statement {
    this.#need('select');
    const distinct = this.#take('distinct');
    const columns = this.#list(() => this.#column());
    const from = this.#take('from') ? this.#sources() : undefined;
    const where = this.#where();
    const group = this.#take('group') && this.#by(() => this.#expression());
    const having = this.#take('having') && this.#expression();
    const order = this.#take('order') && this.#by(() => this.#order());
    const limit = this.#take('limit') && this.#number();
    const offset = this.#take('offset') && this.#number();
    return {
      statement: 'select',
      ...(distinct && { distinct }),
      columns,
      ...(from && { from }),
      ...where,
      ...(group && { group }),
      ...(having && { having }),
      ...(order && { order }),
      ...(limit && { limit }),
      ...(offset && { offset }),
    };
  }

  #by<Item>(read: () => Item): readonly Item[] {
    this.#need('by');
    return this.#list(read);
  }

  #where(): Pick<Statement, 'where'> {
    return this.#take('where') ? { where: this.#expression() } : {};
  }

  #column(): Column {
    if (this.#take('*')) return { colname: '*' };
    const of = this.#expression();
    const alias = this.#alias();
    return alias === undefined ? of : { ...of, alias };
  }

  #alias(): string | undefined {
    if (this.#take('as')) return this.#name();
    const { kind, text } = this.#next;
    const free = kind === 'name' || (kind === 'word' && !clauses.has(text.toLowerCase()));
    return free ? this.#name() : undefined;
  }

  #sources(): readonly Source[] {
    const sources: Source[] = [this.#source()];
    for (;;) {
      if (this.#take(',')) {
        sources.push({ ...this.#source(), join: ',' });
        continue;
      }
      const join = this.#joinWords();
      if (join === undefined) return sources;
      const source = this.#source();
      const on = this.#take('on') ? { on: this.#expression() } : {};
      sources.push({ ...source, join, ...on });
    }
  }

  #joinWords(): string | undefined {
    const kind = ['inner', 'left', 'right', 'full', 'cross'].find((word) => this.#take(word));
    if (kind !== undefined) this.#take('outer');
    if (this.#take('join')) return kind === undefined ? 'join' : `${kind} join`;
    if (kind !== undefined) throw new Unreadable();
    return undefined;
  }

  #source(): Source {
    const table = this.#path();
    const alias = this.#alias();
    return alias === undefined ? { table } : { table, alias };
  }

  #order(): Order {
    const expr = this.#expression();
    if (this.#take('desc')) return { direction: 'desc', expr };
    this.#take('asc');
    return { direction: 'asc', expr };
  }

  // ── Expressions ──

  #expression(level = 0): Expression {
    if (level === 0 && ++this.#depth > mostDepth) throw new Unreadable();
    const of = level === levels.length ? this.#unary() : this.#operation(level);
    if (level === 0) this.#depth--;
    return of;
  }

  #operation(level: number): Expression {
    let left = this.#expression(level + 1);
    for (;;) {
      const operator = (levels[level] as readonly string[]).find((word) => this.#take(word));
      if (operator !== undefined) {
        this.#count();
        left = { operator, params: [left, this.#expression(level + 1)] };
        continue;
      }
      const test = level === comparison ? this.#test(left) : undefined;
      if (test === undefined) return left;
      this.#count();
      left = test;
    }
  }

  /** `is null`, `in (…)`, `between`, and what `not` stands before. */
  #test(left: Expression): Expression | undefined {
    if (this.#take('is')) {
      const operator = this.#take('not') ? 'is not' : 'is';
      this.#need('null');
      return { operator, params: [left, { value: 'null', valtype: 'null' }] };
    }
    const not = this.#take('not') ? 'not ' : '';
    if (this.#take('in')) {
      this.#need('(');
      const list = this.#closed(() => this.#expression());
      return { operator: `${not}in`, params: [left, { list }] };
    }
    if (this.#take('between')) {
      const low = this.#expression(comparison + 1);
      this.#need('and');
      const high = this.#expression(comparison + 1);
      return { operator: `${not}between`, params: [left, low, high] };
    }
    if (not === '') return undefined;
    this.#need('like');
    return { operator: 'not like', params: [left, this.#expression(comparison + 1)] };
  }

  #unary(): Expression {
    if (this.#take('not')) {
      if (++this.#depth > mostDepth) throw new Unreadable();
      const operand = this.#expression(comparison);
      this.#depth--;
      return { operator: 'not', params: [operand] };
    }
    if (this.#take('-')) return { operator: '-', params: [this.#primary()] };
    return this.#primary();
  }

  #count(): void {
    if (++this.#operators > mostOperators) throw new Unreadable();
  }

  #primary(): Expression {
    const { kind, text } = this.#next;
    if (this.#take('(')) {
      const inner = this.#expression();
      this.#need(')');
      return inner;
    }
    if (kind === 'number') {
      this.#at++;
      return { value: text, valtype: /^\d+$/.test(text) ? 'integer' : 'float' };
    }
    if (kind === 'text') {
      this.#at++;
      return { value: text, valtype: 'string' };
    }
    const word = kind === 'word' ? text.toLowerCase() : '';
    if (word === 'null' || word === 'true' || word === 'false') {
      this.#at++;
      return { value: word, valtype: word === 'null' ? 'null' : 'boolean' };
    }
    const name = this.#name();
    if (this.#take('(')) return this.#call(name);
    if (!this.#take('.')) return { colname: name };
    return this.#take('*') ? { colname: '*', table: name } : { colname: this.#name(), table: name };
  }

  #call(name: string): Expression {
    const distinct = this.#take('distinct');
    const params = this.#take(')')
      ? []
      : this.#closed(() => (this.#take('*') ? { colname: '*' } : this.#expression()));
    return { function: name.toLowerCase(), ...(distinct && { distinct }), params };
  }

  // ── Tokens ──

  get #next(): Token {
    return this.#tokens[this.#at] as Token;
  }

  /** Whether the next token is the word or sign, which is then behind us. */
  #take(text: string): boolean {
    const { kind, text: written } = this.#next;
    if ((kind !== 'word' && kind !== 'sign') || written.toLowerCase() !== text) return false;
    this.#at++;
    return true;
  }

  #need(text: string): void {
    if (!this.#take(text)) throw new Unreadable();
  }

  #name(): string {
    const { kind, text } = this.#next;
    if (kind !== 'name' && (kind !== 'word' || clauses.has(text.toLowerCase()))) {
      throw new Unreadable();
    }
    this.#at++;
    return text;
  }

  #path(): string {
    let path = this.#name();
    while (this.#take('.')) path += `.${this.#name()}`;
    return path;
  }

  #number(): string {
    const { kind, text } = this.#next;
    if (kind !== 'number') throw new Unreadable();
    this.#at++;
    return text;
  }

  #list<Item>(read: () => Item): readonly Item[] {
    const items = [read()];
    while (this.#take(',')) items.push(read());
    return items;
  }

  #closed<Item>(read: () => Item): readonly Item[] {
    const items = this.#list(read);
    this.#need(')');
    return items;
  }
}
