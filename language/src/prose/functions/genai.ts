/** Documentation of functions for conversations with language models: arrays of messages with a role and content. */
import type { genaiFunctions } from '../../catalog/functions/genai.ts';
import { type Prose, says } from '../says.ts';

export const genaiProse = {
  genai_concat_contents: says(
    'Concatenates the contents of all messages.',
    "genai_concat_contents(messages, ' | ')",
  ),
  genai_conversation_turns: says(
    'Returns the number of turns of a conversation, which is its number of user messages.',
    'genai_conversation_turns(messages)',
  ),
  genai_cost: says(
    'Returns the cost of a call from its model and tokens.',
    "genai_cost('gpt-4o', input_tokens, output_tokens)",
  ),
  genai_estimate_tokens: says(
    'Estimates the number of tokens of a string.',
    'genai_estimate_tokens(prompt)',
  ),
  genai_extract_assistant_response: says(
    'Returns the content of the last assistant message.',
    'genai_extract_assistant_response(messages)',
  ),
  genai_extract_function_results: says(
    'Returns the results of function and tool calls.',
    'genai_extract_function_results(messages)',
  ),
  genai_extract_system_prompt: says(
    'Returns the content of the system message.',
    'genai_extract_system_prompt(messages)',
  ),
  genai_extract_tool_calls: says(
    'Returns the tool calls of the assistant as an array.',
    'genai_extract_tool_calls(messages)',
  ),
  genai_extract_user_prompt: says(
    'Returns the content of the last user message.',
    'genai_extract_user_prompt(messages)',
  ),
  genai_get_content_by_index: says(
    'Returns the content of the message at a zero-based index.',
    'genai_get_content_by_index(messages, 0)',
  ),
  genai_get_content_by_role: says(
    'Returns the content of the first message with a role.',
    "genai_get_content_by_role(messages, 'system')",
  ),
  genai_get_pricing: says(
    'Returns the prices of a model for input and output tokens.',
    "genai_get_pricing('gpt-4o')",
  ),
  genai_get_role: says(
    'Returns the role of the message at a zero-based index.',
    'genai_get_role(messages, 0)',
  ),
  genai_has_tool_calls: says(
    'Checks whether any message contains a tool call.',
    'genai_has_tool_calls(messages)',
  ),
  genai_input_cost: says(
    'Returns the cost of the input tokens of a call.',
    "genai_input_cost('gpt-4o', input_tokens)",
  ),
  genai_is_truncated: says(
    'Checks whether a response was truncated, based on its messages and finish reason.',
    'genai_is_truncated(messages, finish_reason)',
  ),
  genai_message_roles: says(
    'Returns the roles of all messages as an array.',
    'genai_message_roles(messages)',
  ),
  genai_output_cost: says(
    'Returns the cost of the output tokens of a call.',
    "genai_output_cost('gpt-4o', output_tokens)",
  ),
} satisfies Record<keyof typeof genaiFunctions, Prose>;
