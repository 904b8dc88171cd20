/** Functions for conversations with language models: arrays of messages with a role and content. */
import { area, dynamic, fn, long, optional, string } from '../build.ts';

const messages = dynamic('messages');
const model = string('model');
const inputTokens = long('input_tokens', { unit: 'tokens' });
const outputTokens = long('output_tokens', { unit: 'tokens' });
const dollars = 'US dollars';

export const genaiFunctions = area('genai', {
  genai_concat_contents: fn([messages, optional(string('separator'))], 'string'),
  genai_conversation_turns: fn([messages], 'long'),
  genai_cost: fn([model, inputTokens, outputTokens], 'real', { unit: dollars }),
  genai_estimate_tokens: fn([string('text')], 'long', { unit: 'tokens', approximate: true }),
  genai_extract_assistant_response: fn([messages], 'string'),
  genai_extract_function_results: fn([messages], 'dynamic'),
  genai_extract_system_prompt: fn([messages], 'string'),
  genai_extract_tool_calls: fn([messages], 'dynamic'),
  genai_extract_user_prompt: fn([messages], 'string'),
  genai_get_content_by_index: fn([messages, long('index')], 'string'),
  genai_get_content_by_role: fn([messages, string('role')], 'string'),
  genai_get_pricing: fn([model], 'dynamic'),
  genai_get_role: fn([messages, long('index')], 'string'),
  genai_has_tool_calls: fn([messages], 'bool'),
  genai_input_cost: fn([model, inputTokens], 'real', { unit: dollars }),
  genai_is_truncated: fn([messages, string('finish_reason')], 'bool'),
  genai_message_roles: fn([messages], 'dynamic'),
  genai_output_cost: fn([model, outputTokens], 'real', { unit: dollars }),
});
