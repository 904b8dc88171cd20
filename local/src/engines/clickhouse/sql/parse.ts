/** Parses the planner's SQL: the part of DuckDB's dialect that its templates and macros use. */
import { tokens } from './lexer.ts';
import { NotOnEngine } from './notOnEngine.ts';
import { TokenReader } from './tokenReader.ts';
import type { Branch, Node, Order, Query, SharedQuery, Source } from './tree.ts';

export function parseQuery(sql: string): Query {
  return whole(sql, (parser) => parser.query());
}

export function parseExpression(sql: string): Node {
  return whole(sql, (parser) => parser.expression());
}

function whole<Result>(sql: string, parse: (parser: Parser) => Result): Result {
  const parser = new Parser(tokens(sql));
  const result = parse(parser);
  parser.expectEnd();
  return result;
}

/** The precedences of the binary operators. Operators with equal precedence are left-associative. */
const precedences: Readonly<Record<string, number>> = {
  OR: 1,
  AND: 2,
  IS: 4,
  '=': 5,
  '<>': 5,
  '!=': 5,
  '<': 5,
  '>': 5,
  '<=': 5,
  '>=': 5,
  IN: 6,
  BETWEEN: 6,
  NOT: 6,
  '||': 7,
  '&': 7,
  '|': 7,
  '<<': 7,
  '>>': 7,
  '+': 8,
  '-': 8,
  '*': 9,
  '/': 9,
  '//': 9,
  '%': 9,
  '**': 10,
};

const NOT_PRECEDENCE = 3;
const TIGHTEST = 11;

const typeWords = new Set(['TIMESTAMP_NS', 'TIMESTAMP', 'DATE']);

class Parser extends TokenReader {
  // ── Queries ─────────────────────────────────────────────────────────────────────────────────────

  query(): Query {
    const tables: SharedQuery[] = this.accept('WITH') ? this.some(() => this.#shared()) : [];
    const branches = [this.#branch()];
    while (this.accept('UNION', 'ALL')) branches.push(this.#branch());
    return { tables, branches };
  }

  #shared(): SharedQuery {
    const name = this.take('name', 'word');
    this.expect('AS');
    const materialized = this.accept('MATERIALIZED');
    return { name, materialized, query: this.#parenthesizedQuery() };
  }

  #parenthesizedQuery(): Query {
    this.expect('(');
    const query = this.query();
    this.expect(')');
    return query;
  }

  #branch(): Branch {
    if (this.accept('VALUES')) {
      const row = () => {
        this.expect('(');
        return this.list(')', () => this.expression());
      };
      return { kind: 'values', rows: this.some(row) };
    }
    this.expect('SELECT');
    const distinct = this.accept('DISTINCT');
    const items = this.some(() => this.#item());
    const from = this.accept('FROM') ? this.#source() : undefined;
    const where = this.accept('WHERE') ? this.expression() : undefined;
    const groups = this.accept('GROUP', 'BY') ? this.some(() => this.expression()) : [];
    const order = this.#orders();
    const limit = this.accept('LIMIT') ? this.expression() : undefined;
    return {
      kind: 'select',
      distinct,
      items,
      groups,
      order,
      ...(from && { from }),
      ...(where && { where }),
      ...(limit && { limit }),
    };
  }

  #item() {
    if (this.peek().kind === 'word' && this.is('.', 1) && this.is('*', 2)) {
      this.advance(3);
      return { value: { kind: 'star' } as const };
    }
    if (this.accept('*')) return { value: { kind: 'star' } as const };
    const value = this.expression();
    return this.accept('AS') ? { value, alias: this.take('name', 'word') } : { value };
  }

  #source(): Source {
    let left = this.#plainSource();
    for (;;) {
      const type = ['INNER', 'LEFT', 'RIGHT', 'FULL', 'SEMI', 'ANTI'].find((word) =>
        this.accept(word, 'JOIN'),
      );
      if (type === undefined) return left;
      const right = this.#plainSource();
      this.expect('ON');
      left = { kind: 'join', alias: '', type, left, right, on: this.expression() };
    }
  }

  #plainSource(): Source {
    const source = this.is('(')
      ? { kind: 'derived' as const, query: this.#parenthesizedQuery() }
      : this.#namedSource();
    const alias = this.accept('AS') ? this.take('name', 'word') : '';
    const columns = this.accept('(') ? this.list(')', () => this.take('name', 'word')) : undefined;
    let sample: Node | undefined;
    if (this.accept('TABLESAMPLE', 'BERNOULLI', '(')) {
      sample = this.expression();
      this.expect('PERCENT', ')');
    }
    return { ...source, alias, ...(columns && { columns }), ...(sample && { sample }) };
  }

  #namedSource() {
    const path = [this.take('name', 'word')];
    while (this.accept('.')) path.push(this.take('name', 'word'));
    if (this.accept('(')) throw new NotOnEngine(`the table function ${path.join('.')}`);
    return { kind: 'table' as const, path };
  }

  #orders(): Order[] {
    return this.accept('ORDER', 'BY') ? this.some(() => this.#order()) : [];
  }

  #order(): Order {
    const by = this.expression();
    const desc = this.accept('DESC');
    if (!desc) this.accept('ASC');
    const nullsFirst = this.accept('NULLS', 'FIRST');
    if (!nullsFirst) this.accept('NULLS', 'LAST');
    return { by, desc, nullsFirst };
  }

  // ── Expressions ─────────────────────────────────────────────────────────────────────────────────

  expression(min = 1): Node {
    let left = this.#prefix();
    for (;;) {
      const { kind, text: operator } = this.peek();
      const precedence = kind === 'symbol' || kind === 'word' ? precedences[operator] : undefined;
      if (precedence === undefined || precedence < min) return left;
      this.advance();
      left = this.#infix(left, operator, precedence);
    }
  }

  #infix(left: Node, operator: string, precedence: number): Node {
    switch (operator) {
      case 'IS': {
        const negated = this.accept('NOT');
        if (this.accept('NULL')) return { kind: 'isNull', of: left, negated };
        this.expect('DISTINCT', 'FROM');
        const right = this.expression(precedence + 1);
        const same: Node = { kind: 'binary', operator: 'IS SAME', left, right };
        return negated ? same : { kind: 'unary', operator: 'NOT', of: same };
      }
      case 'NOT': {
        const inner = this.take('word');
        if (inner === 'IN') return this.#membership(left, true);
        throw this.unexpected();
      }
      case 'IN':
        return this.#membership(left, false);
      case 'BETWEEN': {
        const low = this.expression(precedence + 1);
        this.expect('AND');
        const high = this.expression(precedence + 1);
        return {
          kind: 'binary',
          operator: 'AND',
          left: { kind: 'binary', operator: '>=', left, right: low },
          right: { kind: 'binary', operator: '<=', left, right: high },
        };
      }
      default:
        return { kind: 'binary', operator, left, right: this.expression(precedence + 1) };
    }
  }

  #membership(of: Node, negated: boolean): Node {
    if (this.is('(') && (this.is('SELECT', 1) || this.is('WITH', 1) || this.is('VALUES', 1)))
      return { kind: 'in', of, query: this.#parenthesizedQuery(), negated };
    this.expect('(');
    return { kind: 'in', of, items: this.list(')', () => this.expression()), negated };
  }

  #prefix(): Node {
    if (this.accept('NOT'))
      return { kind: 'unary', operator: 'NOT', of: this.expression(NOT_PRECEDENCE) };
    if (this.accept('-')) return { kind: 'unary', operator: '-', of: this.expression(TIGHTEST) };
    if (this.accept('+')) return this.expression(TIGHTEST);
    let of = this.#primary();
    for (;;) {
      if (this.accept('::')) of = { kind: 'cast', of, type: this.#type(), attempt: false };
      else if (this.accept('[')) {
        const index = this.expression();
        this.expect(']');
        of =
          index.kind === 'string'
            ? { kind: 'field', of, name: index.value }
            : { kind: 'subscript', of, index };
      } else if (this.is('.')) {
        this.advance();
        of = { kind: 'field', of, name: this.take('name', 'word') };
      } else return of;
    }
  }

  #primary(): Node {
    const token = this.peek();
    switch (token.kind) {
      case 'string':
        this.advance();
        return { kind: 'string', value: token.text };
      case 'number':
        this.advance();
        return { kind: 'number', text: token.text };
      case 'name':
        this.advance();
        return { kind: 'name', name: token.text };
      case 'symbol':
        return this.#bracketed();
      case 'word':
        this.advance();
        return this.#word(token.text);
      default:
        throw this.unexpected();
    }
  }

  #bracketed(): Node {
    if (this.is('(') && (this.is('SELECT', 1) || this.is('WITH', 1)))
      return { kind: 'query', query: this.#parenthesizedQuery() };
    if (this.accept('(')) {
      const inner = this.expression();
      this.expect(')');
      return inner;
    }
    if (this.accept('[')) return { kind: 'list', items: this.list(']', () => this.expression()) };
    if (this.accept('{')) {
      const field = () => {
        const name = this.take('word', 'name', 'string');
        this.expect(':');
        return { name, value: this.expression() };
      };
      return { kind: 'struct', fields: this.list('}', field) };
    }
    throw this.unexpected();
  }

  #word(word: string): Node {
    switch (word) {
      case 'NULL':
        return { kind: 'null' };
      case 'true':
      case 'false':
        return { kind: 'boolean', value: word === 'true' };
      case 'CASE':
        return this.#case();
      case 'EXISTS':
        return { kind: 'exists', query: this.#parenthesizedQuery() };
      case 'lambda': {
        const parameters = this.some(() => this.take('word'));
        this.expect(':');
        return { kind: 'lambda', parameters, body: this.expression() };
      }
      case 'CAST':
      case 'TRY_CAST': {
        this.expect('(');
        const of = this.expression();
        this.expect('AS');
        const type = this.#type();
        this.expect(')');
        return { kind: 'cast', of, type, attempt: word === 'TRY_CAST' };
      }
    }
    if (this.is('(')) return this.#call(word);
    if (typeWords.has(word) && this.peek().kind === 'string')
      return { kind: 'typed', type: word, value: this.take('string') };
    if (word === 'apl' && this.is('.')) {
      this.advance();
      return this.#call(`apl.${this.take('word')}`);
    }
    const { kind } = this.peek(1);
    if (this.is('.') && (kind === 'name' || kind === 'word') && !word.startsWith('_')) {
      this.advance();
      return { kind: 'name', table: word, name: this.take('name', 'word') };
    }
    return { kind: 'name', name: word };
  }

  #case(): Node {
    const of = this.is('WHEN') ? undefined : this.expression();
    const whens: { test: Node; result: Node }[] = [];
    while (this.accept('WHEN')) {
      const test = this.expression();
      this.expect('THEN');
      whens.push({ test, result: this.expression() });
    }
    const otherwise = this.accept('ELSE') ? this.expression() : undefined;
    this.expect('END');
    return { kind: 'case', ...(of && { of }), whens, ...(otherwise && { otherwise }) };
  }

  #call(name: string): Node {
    this.expect('(');
    const distinct = this.accept('DISTINCT');
    const args: Node[] = [];
    let order: Order[] = [];
    if (this.accept('*')) args.push({ kind: 'star' });
    else if (!this.is(')')) {
      args.push(...this.some(() => this.expression()));
      order = this.#orders();
    }
    this.expect(')');
    let filter: Node | undefined;
    if (this.accept('FILTER', '(', 'WHERE')) {
      filter = this.expression();
      this.expect(')');
    }
    const call = { kind: 'call' as const, name, args, distinct, order, ...(filter && { filter }) };
    if (!this.accept('OVER', '(')) return call;
    const partition = this.accept('PARTITION', 'BY') ? this.some(() => this.expression()) : [];
    const over = { partition, order: this.#orders() };
    this.expect(')');
    return { ...call, over };
  }

  #type(): string {
    let type = this.take('word');
    if (this.accept('(')) type += `(${this.list(')', () => this.take('number')).join(',')})`;
    while (this.accept('[', ']')) type += '[]';
    return type;
  }
}
