/** Plans the functions for language model messages and prices. Most call the macro of the same name. */

import { priceList } from '../prices.ts';
import * as print from '../sql.ts';
import { type Sql, sql } from '../sql.ts';
import { type FunctionPlan, simple } from './define.ts';

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

const raw = String.raw;

/**
 * Macros over messages: an array of `{role, content}`, a single message, or an object with such an array in `messages`,
 * each possibly as JSON in a string. Prices are in dollars per million tokens.
 */
export const genaiMacros: Readonly<Record<string, string>> = {
  // ── Messages ──
  'genai_parsed(_j)': raw`CASE WHEN json_type(_j) = 'VARCHAR' THEN apl.parse_json(json_extract_string(_j, '$')) ELSE _j END`,
  'genai_listed(_j)': raw`CASE json_type(_j) WHEN 'ARRAY' THEN apl.items(_j)
    WHEN 'OBJECT' THEN CASE WHEN json_type(json_extract(_j, '/messages')) = 'ARRAY' THEN apl.items(json_extract(_j, '/messages')) ELSE [_j] END END`,
  'genai_messages(_j)': raw`list_transform([apl.genai_parsed(_j)], lambda _parsed: apl.genai_listed(_parsed))[1]`,
  'genai_part(_part)': raw`CASE json_type(_part) WHEN 'VARCHAR' THEN json_extract_string(_part, '$')
    ELSE coalesce(apl.json_string(json_extract(_part, '/text')), apl.json_string(json_extract(_part, '/content'))) END`,
  'genai_parts(_j)': raw`list_filter(list_transform(apl.items(_j), lambda _part: apl.genai_part(_part)), lambda _text: _text IS NOT NULL)`,
  'genai_content(_message)': raw`CASE json_type(json_extract(_message, '/content'))
    WHEN 'VARCHAR' THEN json_extract_string(_message, '/content')
    WHEN 'ARRAY' THEN apl.joined(apl.genai_parts(json_extract(_message, '/content')), ' ')
    ELSE CASE WHEN json_type(json_extract(_message, '/parts')) = 'ARRAY' THEN apl.joined(apl.genai_parts(json_extract(_message, '/parts')), ' ') ELSE '' END END`,
  'genai_role(_message)': raw`coalesce(apl.json_string(json_extract(_message, '/role')), '')`,
  'genai_of_role(_messages, _role)': raw`list_filter(_messages, lambda _message: apl.genai_role(_message) = _role)`,
  'genai_at(_messages, _i)': raw`CASE WHEN _i >= 0 THEN _messages[apl.place(_i) + 1] END`,

  // ── Functions: without a match, they return '', 0 or false, or null for extracted calls and results ──
  'genai_concat_contents(_j, _separator)': raw`apl.joined(list_filter(list_transform(apl.genai_messages(_j), lambda _message: apl.genai_content(_message)), lambda _text: _text <> ''), _separator)`,
  'genai_conversation_turns(_j)': raw`CAST(len(apl.genai_of_role(apl.genai_messages(_j), 'user')) AS BIGINT)`,
  'genai_first(_j, _role)': raw`coalesce(apl.genai_content(apl.genai_of_role(apl.genai_messages(_j), _role)[1]), '')`,
  'genai_last(_j, _role)': raw`coalesce(apl.genai_content(apl.genai_of_role(apl.genai_messages(_j), _role)[-1]), '')`,
  'genai_get_content_by_index(_j, _i)': raw`coalesce(apl.genai_content(apl.genai_at(apl.genai_messages(_j), _i)), '')`,
  'genai_get_role(_j, _i)': raw`coalesce(apl.genai_role(apl.genai_at(apl.genai_messages(_j), _i)), '')`,
  'genai_message_roles(_j)': raw`to_json(list_transform(apl.genai_messages(_j), lambda _message: apl.genai_role(_message)))`,
  'genai_some(_list)': raw`CASE WHEN len(_list) > 0 THEN to_json(_list) END`,
  'genai_calls(_message)': raw`list_concat(coalesce(apl.items(json_extract(_message, '/tool_calls')), CAST([] AS JSON[])),
    CASE WHEN json_type(json_extract(_message, '/function_call')) = 'OBJECT' THEN [json_object('function', json_extract(_message, '/function_call'))] ELSE CAST([] AS JSON[]) END)`,
  'genai_extract_tool_calls(_j)': raw`apl.genai_some(flatten(list_transform(apl.genai_messages(_j), lambda _message: apl.genai_calls(_message))))`,
  'genai_result(_message)': raw`CASE WHEN json_type(json_extract(_message, '/content')) = 'VARCHAR'
    THEN coalesce(apl.parse_json(json_extract_string(_message, '/content')), json_extract(_message, '/content')) ELSE json_extract(_message, '/content') END`,
  'genai_extract_function_results(_j)': raw`apl.genai_some(list_transform(
    list_filter(apl.genai_messages(_j), lambda _message: apl.genai_role(_message) IN ('tool', 'function')), lambda _message: apl.genai_result(_message)))`,
  'genai_has_tool_calls(_j)': raw`coalesce(list_bool_or(list_transform(apl.genai_messages(_j), lambda _message: len(apl.genai_calls(_message)) > 0)), false)`,
  'genai_is_truncated(_j, _reason)': raw`coalesce(lower(_reason) IN ('length', 'max_tokens', 'max_output_tokens', 'model_length', 'model_context_window_exceeded'), false)`,
  // Estimates the number of tokens: in English, a token has about four characters.
  'genai_estimate_tokens(_s)': raw`CAST(ceil(length(_s) / 4) AS BIGINT)`,

  // ── Prices ──
  'prices()': priceList(),
  'model_name(_model)': raw`regexp_replace(lower(trim(_model)), '^.*/', '')`,
  'undated(_name)': raw`regexp_replace(_name, '(-[0-9]{4}-[0-9]{2}-[0-9]{2}|-[0-9]{8}|-latest)$', '')`,
  'price_of(_name)': raw`coalesce(apl.present(json_extract(apl.prices(), apl.pointer(_name))), apl.present(json_extract(apl.prices(), apl.pointer(apl.undated(_name)))))`,
  'genai_get_pricing(_model)': raw`apl.price_of(apl.model_name(_model))`,
  'genai_price(_model, _side)': raw`apl.json_number(json_extract(apl.genai_get_pricing(_model), _side)) / 1e6`,
};
