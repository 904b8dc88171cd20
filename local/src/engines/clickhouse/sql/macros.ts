/** The bodies of the planner's macros, parsed on first use. */
import type { Macro } from '../../../planner/macros.ts';
import { parseExpression } from './parse.ts';
import type { Node } from './tree.ts';

export interface MacroBody {
  readonly parameters: readonly string[];
  readonly body: Node;
  /** The parameters that the body uses more than once, or in a lambda. */
  readonly repeated: ReadonlySet<string>;
  /** Whether the body has TRY. */
  readonly hasTry: boolean;
}

const texts = new Map<string, Macro>();
const parsed = new Map<string, MacroBody>();

/** Tells the translation which macros the planner's SQL may call. */
export function defineMacros(macros: readonly Macro[]): void {
  for (const macro of macros) texts.set(`apl.${macro.name}`, macro);
}

/** Returns a macro by its name, which starts with `apl.`. */
export function macroNamed(name: string): MacroBody | undefined {
  const known = parsed.get(name);
  const macro = texts.get(name);
  if (known !== undefined || macro === undefined) return known;
  const { parameters, body } = macro;
  const found = {
    parameters,
    body: parseExpression(body),
    repeated: new Set(parameters.filter((parameter) => isRepeated(body, parameter))),
    hasTry: /\bTRY\(/.test(body),
  };
  parsed.set(name, found);
  return found;
}

function isRepeated(body: string, parameter: string): boolean {
  const uses = body.split(new RegExp(`\\b${parameter}\\b`)).length - 1;
  return uses > 1 || body.includes('lambda');
}
