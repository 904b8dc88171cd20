/**
 * Kusto's own language service, used as the editors built on it do: global state with its cache, a
 * script of blocks that keeps those whose text an edit leaves alone, its minified files.
 */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Schema } from '../../../language/src/index.ts';
import { kustoTypes, schema } from './schema.ts';
import type { OpenFile, Service } from './service.ts';

const require = createRequire(import.meta.url);
const folder = dirname(require.resolve('@kusto/language-service-next/package.json'));

/** The files that a page or a process loads, in this order. */
export const kustoFiles: readonly string[] = ['bridge.min.js', 'Kusto.Language.Bridge.min.js'].map(
  (name) => join(folder, name),
);

/** What is used of its namespace; its own declarations need a global type system that this project has not. */
interface Kusto {
  readonly GlobalState: { readonly Default: GlobalState };
  readonly KustoCode: {
    Parse(text: string, globals: GlobalState): unknown;
    ParseAndAnalyze(text: string, globals: GlobalState): unknown;
  };
  readonly Symbols: {
    readonly TableSymbol: { $ctor7: new (name: string, columns: string) => object };
    readonly DatabaseSymbol: { ctor: new (name: string, tables: readonly object[]) => object };
  };
  readonly Editor: {
    readonly KustoCodeService: { $ctor1: new (text: string, globals: GlobalState) => CodeService };
    readonly CodeScript: { From$1(text: string, globals: GlobalState): CodeScript };
  };
}

interface GlobalState {
  WithDatabase(database: object): GlobalState;
  WithCache(): GlobalState;
}

interface List<T> {
  readonly Count: number;
  getItem(index: number): T;
}

interface CodeService {
  GetDiagnostics(): List<unknown> | readonly unknown[];
  GetCompletionItems(offset: number): { readonly Items: List<unknown> | readonly unknown[] };
}

interface CodeBlock {
  readonly Service: CodeService;
}

interface CodeScript {
  readonly Blocks: List<CodeBlock>;
  WithText(text: string): CodeScript;
  GetBlockAtPosition(offset: number): CodeBlock;
}

const lengthOf = (list: List<unknown> | readonly unknown[]): number =>
  'Count' in list ? list.Count : list.length;

/** The columns of a table as the service reads them. */
function columnsOf({ fields }: Schema['datasets'][number]): string {
  const columns = fields.map(({ name, type }) => `['${name}']:${kustoTypes[type]}`);
  return `(${columns.join(', ')})`;
}

/** A script that loads the service and makes `globals` for a schema, for a process of its own. */
export function kustoProgram(schema: Schema): string {
  const tables = schema.datasets.map((dataset) => [dataset.name, columnsOf(dataset)]);
  return `
for (const file of ${JSON.stringify(kustoFiles)}) require(file);
const { Language } = Kusto;
const tables = ${JSON.stringify(tables)}.map(
  ([name, columns]) => new Language.Symbols.TableSymbol.$ctor7(name, columns));
const database = new Language.Symbols.DatabaseSymbol.ctor('playground', tables);
const globals = Language.GlobalState.Default.WithDatabase(database).WithCache();
`;
}

/** Loads the service; from then on its `Kusto` and `Bridge` are global in this process. */
export function loadKusto(): Service {
  for (const file of kustoFiles) require(file);
  const { Language } = (globalThis as unknown as { Kusto: { Language: Kusto } }).Kusto;
  const { Editor, KustoCode, Symbols } = Language;
  const tables = schema.datasets.map(
    (dataset) => new Symbols.TableSymbol.$ctor7(dataset.name, columnsOf(dataset)),
  );
  const database = new Symbols.DatabaseSymbol.ctor('playground', tables);
  const globals = Language.GlobalState.Default.WithDatabase(database).WithCache();
  const service = (text: string) => new Editor.KustoCodeService.$ctor1(text, globals);
  const complete = (of: CodeService, offset: number) =>
    lengthOf(of.GetCompletionItems(offset).Items);

  function open(opened: string): OpenFile {
    let text = opened;
    let script = Editor.CodeScript.From$1(text, globals);
    return {
      edit(start, end, by) {
        text = text.slice(0, start) + by + text.slice(end);
        script = script.WithText(text);
      },
      diagnose() {
        let found = 0;
        for (let i = 0; i < script.Blocks.Count; i++)
          found += lengthOf(script.Blocks.getItem(i).Service.GetDiagnostics());
        return found;
      },
      // The service of a block counts from the start of the file.
      complete: (offset) => complete(script.GetBlockAtPosition(offset).Service, offset),
    };
  }

  return {
    parse(text) {
      KustoCode.Parse(text, globals);
    },
    analyze(text) {
      KustoCode.ParseAndAnalyze(text, globals);
    },
    diagnose: (text) => lengthOf(service(text).GetDiagnostics()),
    complete: (text, offset) => complete(service(text), offset),
    analyzed(text) {
      const known = service(text);
      known.GetDiagnostics();
      return (offset) => complete(known, offset);
    },
    open,
  };
}
