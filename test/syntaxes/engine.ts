/**
 * The TextMate engine of VS Code over this extension's grammars, with VS Code's own grammars of
 * Markdown and JSON for what is embedded. Tests see each token with the innermost scope that it has.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import oniguruma from 'vscode-oniguruma';
import textmate from 'vscode-textmate';
import { repository } from '../../scripts/host/paths.ts';
import { installVscode } from '../../scripts/host/server.ts';

const wasm = createRequire(import.meta.url).resolve('vscode-oniguruma/release/onig.wasm');
await oniguruma.loadWASM(readFileSync(wasm));

const files: Readonly<Record<string, string>> = {
  'source.axiom-apl': join(repository, 'syntaxes', 'axiom-apl.tmLanguage.json'),
  'markdown.axiom-apl.codeblock': join(repository, 'syntaxes', 'markdown-fence.tmLanguage.json'),
  'json.axiom-apl.string': join(repository, 'syntaxes', 'json-string.tmLanguage.json'),
  'source.json': join(await installVscode(), 'extensions/json/syntaxes/JSON.tmLanguage.json'),
  'text.html.markdown': join(
    await installVscode(),
    'extensions/markdown-basics/syntaxes/markdown.tmLanguage.json',
  ),
};

const injections: Readonly<Record<string, string[]>> = {
  'text.html.markdown': ['markdown.axiom-apl.codeblock'],
  'source.json': ['json.axiom-apl.string'],
};

const registry = new textmate.Registry({
  onigLib: Promise.resolve({
    createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
    createOnigString: (text) => new oniguruma.OnigString(text),
  }),
  loadGrammar: async (scope) => {
    const file = files[scope];
    return file === undefined ? null : textmate.parseRawGrammar(readFileSync(file, 'utf8'), file);
  },
  getInjections: (scope) => injections[scope],
});

export interface Token {
  readonly text: string;
  readonly line: number;
  /** From the outside inwards. */
  readonly scopes: readonly string[];
}

/** The tokens of a text under the grammar of a scope, white space left out. */
export async function tokenize(scope: string, text: string): Promise<Token[]> {
  const grammar = await registry.loadGrammar(scope);
  if (grammar === null) throw new Error(`there is no grammar for ${scope}`);
  const found: Token[] = [];
  let state = textmate.INITIAL;
  for (const [line, content] of text.split('\n').entries()) {
    const { tokens, ruleStack } = grammar.tokenizeLine(content, state);
    state = ruleStack;
    for (const { startIndex, endIndex, scopes } of tokens) {
      const piece = content.slice(startIndex, endIndex).trim();
      if (piece !== '') found.push({ text: piece, line, scopes });
    }
  }
  return found;
}

/** Each token of APL as its text and innermost scope, without what all of them end in. */
export async function scopesOf(text: string): Promise<string[]> {
  const tokens = await tokenize('source.axiom-apl', text);
  return tokens.map((token) => {
    const scope = (token.scopes.at(-1) as string).replace(/\.axiom-apl$/, '');
    return `${token.text} ${scope}`;
  });
}
