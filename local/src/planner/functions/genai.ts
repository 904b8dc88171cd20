/** Functions over the messages of language models, and their prices. Each is a macro of the same name. */
import * as print from '../sql.ts';
import { type Sql, sql } from '../sql.ts';
import { type FunctionPlan, simple } from './define.ts';

/** Plans the content of a role's first or last message. */
function contentOf(which: 'first' | 'last', role: string): FunctionPlan {
  return simple(['dynamic'], 'string', (messages) =>
    print.call(`apl.genai_${which}`, messages, print.text(role)),
  );
}

function price(side: 'input' | 'output'): FunctionPlan {
  return simple(['string', 'long'], 'real', (model, tokens) => cost(model, side, tokens));
}

function cost(model: Sql, side: 'input' | 'output', tokens: Sql): Sql {
  return sql`(apl.genai_price(${model}, ${print.text(`/${side}`)}) * ${tokens})`;
}

const blank = { 1: sql`' '` };

export const genaiFunctions = {
  genai_concat_contents: simple(
    ['dynamic', 'string'],
    'string',
    'apl.genai_concat_contents',
    blank,
  ),
  genai_conversation_turns: simple(['dynamic'], 'long', 'apl.genai_conversation_turns'),
  genai_cost: simple(
    ['string', 'long', 'long'],
    'real',
    (model, input, output) =>
      sql`(${cost(model, 'input', input)} + ${cost(model, 'output', output)})`,
  ),
  genai_estimate_tokens: simple(['string'], 'long', 'apl.genai_estimate_tokens'),
  genai_extract_assistant_response: contentOf('last', 'assistant'),
  genai_extract_function_results: simple(
    ['dynamic'],
    'array',
    'apl.genai_extract_function_results',
  ),
  genai_extract_system_prompt: contentOf('first', 'system'),
  genai_extract_tool_calls: simple(['dynamic'], 'array', 'apl.genai_extract_tool_calls'),
  genai_extract_user_prompt: contentOf('last', 'user'),
  genai_get_content_by_index: simple(
    ['dynamic', 'long'],
    'string',
    'apl.genai_get_content_by_index',
  ),
  genai_get_content_by_role: simple(['dynamic', 'string'], 'string', 'apl.genai_first'),
  genai_get_pricing: simple(['string'], 'map', 'apl.genai_get_pricing'),
  genai_get_role: simple(['dynamic', 'long'], 'string', 'apl.genai_get_role'),
  genai_has_tool_calls: simple(['dynamic'], 'bool', 'apl.genai_has_tool_calls'),
  genai_input_cost: price('input'),
  genai_is_truncated: simple(['dynamic', 'string'], 'bool', 'apl.genai_is_truncated'),
  genai_message_roles: simple(['dynamic'], 'array', 'apl.genai_message_roles'),
  genai_output_cost: price('output'),
} as const satisfies Readonly<Record<string, FunctionPlan>>;
