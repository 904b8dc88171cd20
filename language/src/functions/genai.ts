/** Functions for conversations with language models: arrays of messages with a role and content. */
import { area, dynamic, fn, long, optional, string } from '../catalog/build.ts';
import type { ProseRow } from '../prose/says.ts';

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

export const genaiProse: Readonly<Record<keyof typeof genaiFunctions, ProseRow>> = {
  genai_concat_contents: [
    'Concatenates the contents of all messages.',
    "genai_concat_contents(messages, ' | ')",
  ],
  genai_conversation_turns: [
    'Returns the number of turns of a conversation, which is its number of user messages.',
    'genai_conversation_turns(messages)',
  ],
  genai_cost: [
    'Returns the cost of a call from its model and tokens.',
    "genai_cost('gpt-4o', input_tokens, output_tokens)",
  ],
  genai_estimate_tokens: [
    'Estimates the number of tokens of a string.',
    'genai_estimate_tokens(prompt)',
  ],
  genai_extract_assistant_response: [
    'Returns the content of the last assistant message.',
    'genai_extract_assistant_response(messages)',
  ],
  genai_extract_function_results: [
    'Returns the results of function and tool calls.',
    'genai_extract_function_results(messages)',
  ],
  genai_extract_system_prompt: [
    'Returns the content of the system message.',
    'genai_extract_system_prompt(messages)',
  ],
  genai_extract_tool_calls: [
    'Returns the tool calls of the assistant as an array.',
    'genai_extract_tool_calls(messages)',
  ],
  genai_extract_user_prompt: [
    'Returns the content of the last user message.',
    'genai_extract_user_prompt(messages)',
  ],
  genai_get_content_by_index: [
    'Returns the content of the message at a zero-based index.',
    'genai_get_content_by_index(messages, 0)',
  ],
  genai_get_content_by_role: [
    'Returns the content of the first message with a role.',
    "genai_get_content_by_role(messages, 'system')",
  ],
  genai_get_pricing: [
    'Returns the prices of a model for input and output tokens.',
    "genai_get_pricing('gpt-4o')",
  ],
  genai_get_role: [
    'Returns the role of the message at a zero-based index.',
    'genai_get_role(messages, 0)',
  ],
  genai_has_tool_calls: [
    'Checks whether any message contains a tool call.',
    'genai_has_tool_calls(messages)',
  ],
  genai_input_cost: [
    'Returns the cost of the input tokens of a call.',
    "genai_input_cost('gpt-4o', input_tokens)",
  ],
  genai_is_truncated: [
    'Checks whether a response was truncated, based on its messages and finish reason.',
    'genai_is_truncated(messages, finish_reason)',
  ],
  genai_message_roles: [
    'Returns the roles of all messages as an array.',
    'genai_message_roles(messages)',
  ],
  genai_output_cost: [
    'Returns the cost of the output tokens of a call.',
    "genai_output_cost('gpt-4o', output_tokens)",
  ],
};
