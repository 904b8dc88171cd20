/**
 * Decodes a tabular response body as it arrives, with a state machine over bytes. Cells of `tables[].columns[]` and of
 * `tables[].rows[]` go directly into columns. Everything else is collected as JSON. Members may be in any order. If a
 * member is repeated, the last one wins, as in `JSON.parse`.
 */
import { Buffer } from 'node:buffer';
import { Column } from '../columns/column.ts';
import { ByteSink } from './byteSink.ts';
import { unescaped } from './escapes.ts';
import { columnsMax, depthMax, headBytesMax, tablesMax } from './limits.ts';
import { MalformedBody, pathOf, values } from './malformed.ts';
import { noWords, runEnd, wordsOf } from './runEnd.ts';
import { numberEnds, scanNumber, scanned } from './scanNumber.ts';
import {
  backslash,
  closeBrace,
  closeBracket,
  colon,
  comma,
  holdsCells,
  isList,
  listRole,
  openBrace,
  openBracket,
  quote,
  type Role,
  roles,
  type State,
  states,
  words,
} from './tokens.ts';
import { Utf8Gate } from './utf8Gate.ts';

/** The depth of a table's list of rows: body, tables, table, rows. */
const listDepth = 4;

export class BodyDecoder {
  tables: Column[][] = [];

  readonly #gate = new Utf8Gate();
  /** The bytes of an incomplete token. */
  readonly #pending = new ByteSink();
  /** The length of a pending string that was already scanned, and whether the string contains escapes. */
  #looked = 0;
  #hasEscapes = false;
  /** The bytes being read, four at a time. */
  #words: Int32Array = noWords;
  /** Whether reading stopped at an incomplete token. */
  #isStalled = false;
  /** The number of body bytes before the current chunk. */
  #offset = 0;

  #state: State = states.value;
  #depth = 0;
  readonly #isArray = new Uint8Array(depthMax + 1);
  readonly #roles = new Uint8Array(depthMax + 1);
  /** The current index in the array, or name in the object, at each depth. */
  readonly #indexes = new Float64Array(depthMax + 1);
  readonly #keys: string[] = [];
  /** The JSON outside cells. */
  readonly #head = new ByteSink();
  readonly #cell = new ByteSink();
  #column = new Column();

  push(chunk: Uint8Array): void {
    this.#read(this.#gate.pass(chunk));
  }

  /** Ends the body and returns the JSON outside cells. Throws `MalformedBody`. */
  end(): string {
    this.#read(this.#gate.end());
    if (this.#state !== states.done) {
      const isEmpty = this.#offset + this.#pending.length === 0;
      this.#fail(isEmpty ? 'it is empty' : 'it ends early', this.#pending.length);
    }
    for (const columns of this.tables) for (const column of columns) column.store.trim();
    return this.#headText();
  }

  /** The number of complete rows of the first table while its rows arrive; otherwise 0. */
  get arrivedRows(): number {
    const isInRows = this.#depth >= listDepth && this.#roles[listDepth] === roles.rows;
    return isInRows && this.tables.length === 1 ? (this.#indexes[listDepth] as number) : 0;
  }

  #headText(): string {
    return Buffer.from(this.#head.bytes.buffer, 0, this.#head.length).toString('utf8');
  }

  /** Returns the JSON outside cells so far, completed as if the body ended with the rows that have arrived. */
  headOfArrived(): string {
    let json = this.#headText();
    for (let depth = listDepth; depth > 0; depth--) json += this.#isArray[depth] === 1 ? ']' : '}';
    return json;
  }

  #read(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    const pending = this.#pending;
    this.#isStalled = false;
    if (pending.length === 0) {
      const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
      const end = this.#run(buffer, buffer.length);
      pending.addRange(bytes, end, bytes.length);
      this.#offset += end;
      return;
    }
    pending.addRange(bytes, 0, bytes.length);
    const end = this.#run(pending.bytes, pending.length);
    if (end > 0) pending.drop(end);
    this.#offset += end;
  }

  /** Reads tokens. Returns the start of the first incomplete token. */
  #run(bytes: Uint8Array, limit: number): number {
    let at = 0;
    this.#words = wordsOf(bytes, limit);
    while (at < limit && !this.#isStalled) {
      const byte = bytes[at] as number;
      if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) at++;
      else if (holdsCells(this.#roles[this.#depth] as Role)) at = this.#readCells(bytes, at, limit);
      else at = this.#readToken(bytes, at, limit, byte);
    }
    return at;
  }

  // --- Cells -------------------------------------------------------------------------------------

  /** Reads cells of one column or row. Stops at its end, at the end of the bytes, or at an array or object. */
  #readCells(bytes: Uint8Array, from: number, limit: number): number {
    let column = this.#column;
    const depth = this.#depth;
    const isRow = this.#roles[depth] === roles.row;
    let at = from;
    let state = this.#state;
    while (at < limit) {
      const byte = bytes[at] as number;
      if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) {
        at++;
        continue;
      }
      if (state === states.commaOrEnd) {
        if (byte === comma) {
          const index = (this.#indexes[depth] as number) + 1;
          this.#indexes[depth] = index;
          if (isRow) column = this.#startCell(index, at);
          state = states.value;
          at++;
          continue;
        }
        this.#state = state;
        if (byte === closeBracket) return this.#close(at);
        return this.#fail('"," or "]" is expected', at);
      }
      let end: number;
      if (isRow && state === states.valueOrEnd && byte !== closeBracket)
        column = this.#startCell(0, at);
      if (byte === quote) {
        end = this.#stringEnd(bytes, at, limit);
        if (end < 0) return this.#stall(state, at);
        if (this.#hasEscapes) this.#addEscaped(column, bytes, at + 1, end - 1);
        else column.addText(bytes, at + 1, end - 1);
      } else if (byte === 0x2d || (byte >= 0x30 && byte <= 0x39)) {
        end = scanNumber(bytes, at, limit);
        if (end === numberEnds.incomplete) return this.#stall(state, at);
        if (end < 0) return this.#failNumber(end, at);
        column.addNumber(scanned.value, scanned.form, bytes, at, end);
      } else if (byte === 0x6e || byte === 0x74 || byte === 0x66) {
        end = this.#wordEnd(bytes, at, limit, byte);
        if (end < 0) return this.#stall(state, at);
        if (byte === 0x6e) column.addNull();
        else column.addBoolean(byte === 0x74);
      } else if (byte === openBrace || byte === openBracket) {
        this.#cell.length = 0;
        this.#open(byte === openBracket, roles.cell, at);
        this.#cell.add(byte);
        return at + 1;
      } else if (byte === closeBracket && state === states.valueOrEnd) {
        this.#state = state;
        return this.#close(at);
      } else return this.#fail('a value is expected', at);
      at = end;
      state = states.commaOrEnd;
    }
    this.#state = state;
    return at;
  }

  /** Returns the column of a row's cell. The first row creates the columns. */
  #startCell(index: number, at: number): Column {
    const columns = this.#columns;
    if (index < columns.length) this.#column = columns[index] as Column;
    else if (this.#indexes[this.#depth - 1] === 0) this.#addColumn(at);
    else this.#fail(`"]" is expected after ${values(columns.length)}`, at);
    return this.#column;
  }

  /** Rejects a row with fewer values than the first one. An empty row has no column to count, so it is rejected too. */
  #checkRow(at: number): void {
    const { length } = this.#columns;
    const isEmpty = this.#state === states.valueOrEnd;
    if (!isEmpty && (this.#indexes[this.#depth] as number) + 1 === length) return;
    this.#fail(`a row of ${length === 0 ? 'values' : values(length)} is expected`, at);
  }

  #addColumn(at: number): void {
    if (this.#columns.length >= columnsMax) this.#fail(`more than ${columnsMax} columns`, at);
    this.#column = new Column();
    this.#columns.push(this.#column);
  }

  get #columns(): Column[] {
    return this.tables[this.tables.length - 1] as Column[];
  }

  #stall(state: State, at: number): number {
    this.#state = state;
    this.#isStalled = true;
    return at;
  }

  #addEscaped(column: Column, bytes: Uint8Array, from: number, to: number): void {
    const text = unescaped(bytes, from, to);
    if (typeof text === 'number') return void this.#fail('the escape is invalid', text);
    column.addText(text.bytes, 0, text.length);
    if (text.hasLoneSurrogates) column.noteLoneSurrogate();
  }

  // --- Tokens ------------------------------------------------------------------------------------

  /** Returns the end of the string at `start`, or -1 if it is incomplete. Records whether it contains escapes. */
  #stringEnd(bytes: Uint8Array, start: number, limit: number): number {
    let at = start + 1;
    if (this.#looked > 0) {
      at = start + this.#looked;
      this.#looked = 0;
    } else this.#hasEscapes = false;
    while (true) {
      at = runEnd(bytes, this.#words, at, limit);
      if (at >= limit) break;
      const byte = bytes[at] as number;
      if (byte === quote) return at + 1;
      if (byte !== backslash) return this.#fail('a control character must be escaped', at);
      this.#hasEscapes = true;
      if (at + 1 >= limit) break;
      at += 2;
    }
    this.#looked = at - start;
    return -1;
  }

  /** Returns the end of `null`, `true` or `false`, or -1 if it is incomplete. */
  #wordEnd(bytes: Uint8Array, start: number, limit: number, first: number): number {
    const word = first === 0x6e ? words.null : first === 0x74 ? words.true : words.false;
    for (let index = 1; index < word.length; index++) {
      if (start + index >= limit) return -1;
      if (bytes[start + index] !== word[index]) return this.#fail('a value is expected', start);
    }
    return start + word.length;
  }

  /** Reads one token outside a column, or within an array or object in a cell. */
  #readToken(bytes: Uint8Array, at: number, limit: number, byte: number): number {
    switch (this.#state) {
      case states.colon:
        if (byte !== colon) return this.#fail('":" is expected', at);
        this.#sink().add(byte);
        this.#state = states.value;
        return at + 1;
      case states.commaOrEnd:
        return this.#readComma(at, byte);
      case states.key:
      case states.keyOrEnd:
        if (byte === closeBrace && this.#state === states.keyOrEnd) return this.#close(at);
        if (byte !== quote) return this.#fail('a name in quotes is expected', at);
        return this.#readKey(bytes, at, limit);
      case states.done:
        return this.#fail('something follows the end', at);
      default:
        if (byte === closeBracket && this.#state === states.valueOrEnd) return this.#close(at);
        return this.#readValue(bytes, at, limit, byte);
    }
  }

  #readComma(at: number, byte: number): number {
    const isArray = this.#isArray[this.#depth] === 1;
    if (byte === (isArray ? closeBracket : closeBrace)) return this.#close(at);
    if (byte !== comma) return this.#fail(`"," or "${isArray ? ']' : '}'}" is expected`, at);
    if (!isList(this.#roles[this.#depth] as Role)) this.#sink().add(byte);
    if (isArray) this.#indexes[this.#depth] = (this.#indexes[this.#depth] as number) + 1;
    this.#state = isArray ? states.value : states.key;
    return at + 1;
  }

  #readKey(bytes: Uint8Array, at: number, limit: number): number {
    const end = this.#stringEnd(bytes, at, limit);
    if (end < 0) return this.#stall(this.#state, at);
    const role = this.#roles[this.#depth];
    this.#addString(bytes, at, end);
    if (role !== roles.cell) {
      const name = this.#name(bytes, at, end);
      this.#keys[this.#depth] = name;
      // If the member is repeated, the last one wins, even if it isn't a list.
      if (role === roles.body && name === 'tables') this.tables = [];
      if (role === roles.table && listRole(name) !== roles.other)
        this.tables[this.tables.length - 1] = [];
    }
    this.#state = states.colon;
    return end;
  }

  #name(bytes: Uint8Array, at: number, end: number): string {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset + at, end - at).toString('utf8');
    return this.#hasEscapes ? (JSON.parse(text) as string) : text.slice(1, -1);
  }

  #readValue(bytes: Uint8Array, at: number, limit: number, byte: number): number {
    const parent = this.#roles[this.#depth] as Role;
    if (byte === openBrace || byte === openBracket) {
      const role = this.#roleOf(parent, byte === openBracket, at);
      if (!isList(parent)) this.#sink().add(byte);
      this.#open(byte === openBracket, role, at);
      return at + 1;
    }
    if (this.#depth === 0) return this.#fail('an object is expected', at);
    if (isList(parent)) return this.#fail('a list of values is expected', at);
    let end: number;
    if (byte === quote) {
      end = this.#stringEnd(bytes, at, limit);
      if (end < 0) return this.#stall(this.#state, at);
      this.#addString(bytes, at, end);
    } else {
      if (byte === 0x2d || (byte >= 0x30 && byte <= 0x39)) {
        end = scanNumber(bytes, at, limit);
        if (end === numberEnds.incomplete) return this.#stall(this.#state, at);
        if (end < 0) return this.#failNumber(end, at);
      } else if (byte === 0x6e || byte === 0x74 || byte === 0x66) {
        end = this.#wordEnd(bytes, at, limit, byte);
        if (end < 0) return this.#stall(this.#state, at);
      } else return this.#fail('a value is expected', at);
      this.#sink().addRange(bytes, at, end);
    }
    this.#state = states.commaOrEnd;
    return end;
  }

  /** Adds a string with its quotes. Escapes are normalized to JavaScript's notation. */
  #addString(bytes: Uint8Array, at: number, end: number): void {
    const sink = this.#sink();
    if (!this.#hasEscapes) return sink.addRange(bytes, at, end);
    const text = unescaped(bytes, at + 1, end - 1);
    if (typeof text === 'number') return void this.#fail('the escape is invalid', text);
    const source = Buffer.from(bytes.buffer, bytes.byteOffset + at, end - at).toString('utf8');
    const written = Buffer.from(JSON.stringify(JSON.parse(source)));
    sink.addRange(written, 0, written.length);
  }

  // --- Containers --------------------------------------------------------------------------------

  #roleOf(parent: Role, isArray: boolean, at: number): Role {
    if (this.#depth === 0) {
      if (isArray) return this.#fail('an object is expected', at) as Role;
      return roles.body;
    }
    if (parent === roles.cell) return roles.cell;
    if (parent === roles.body && isArray && this.#keys[this.#depth] === 'tables')
      return roles.tables;
    if (parent === roles.tables && !isArray) {
      if (this.tables.length >= tablesMax) this.#fail(`more than ${tablesMax} tables`, at);
      this.tables.push([]);
      return roles.table;
    }
    if (parent === roles.table && isArray) return listRole(this.#keys[this.#depth] as string);
    if (!isList(parent)) return roles.other;
    if (!isArray) this.#fail('a list of values is expected', at);
    if (parent === roles.rows) return roles.row;
    this.#addColumn(at);
    return roles.column;
  }

  #open(isArray: boolean, role: Role, at: number): void {
    if (this.#depth >= depthMax) this.#fail(`more than ${depthMax} levels are nested`, at);
    this.#depth++;
    this.#isArray[this.#depth] = isArray ? 1 : 0;
    this.#roles[this.#depth] = role;
    this.#indexes[this.#depth] = 0;
    this.#keys[this.#depth] = '';
    this.#state = isArray ? states.valueOrEnd : states.keyOrEnd;
  }

  #close(at: number): number {
    const role = this.#roles[this.#depth] as Role;
    const isArray = this.#isArray[this.#depth] === 1;
    if (role === roles.row) this.#checkRow(at);
    if (!holdsCells(role)) this.#sink().add(isArray ? closeBracket : closeBrace);
    this.#depth--;
    this.#state = this.#depth === 0 ? states.done : states.commaOrEnd;
    if (role === roles.cell && holdsCells(this.#roles[this.#depth] as Role))
      this.#column.addJson(this.#cell.bytes, 0, this.#cell.length);
    return at + 1;
  }

  /** Returns the sink for tokens at the current depth. */
  #sink(): ByteSink {
    if (this.#roles[this.#depth] === roles.cell) return this.#cell;
    if (this.#head.length > headBytesMax)
      this.#fail(`more than ${headBytesMax / 1024 / 1024} MB are not rows`, 0);
    return this.#head;
  }

  // --- Errors ------------------------------------------------------------------------------------

  #failNumber(end: number, at: number): never {
    const problem = end === numberEnds.tooLong ? 'too long' : 'invalid';
    return this.#fail(`the number is ${problem}`, at);
  }

  #fail(what: string, at: number): never {
    const depth = Math.min(this.#depth, 8);
    const path = pathOf(depth, this.#isArray, this.#indexes, this.#keys);
    throw new MalformedBody(what, path, this.#offset + at);
  }
}
