/** What is said of functions over conversations with language models: arrays of messages with a role and content. */
import type { genaiFunctions } from '../../catalog/functions/genai.ts';
import { type Prose, says } from '../says.ts';

export const genaiProse = {
  genai_concat_contents: says(
    'Joins the contents of all messages into one text.',
    "genai_concat_contents(messages, ' | ')",
  ),
  genai_conversation_turns: says(
    'Counts the turns of a conversation: its messages from the user.',
    'genai_conversation_turns(messages)',
  ),
  genai_cost: says(
    'Gives the price of a call from its model and tokens.',
    "genai_cost('gpt-4o', input_tokens, output_tokens)",
  ),
  genai_estimate_tokens: says(
    'Estimates how many tokens a text has.',
    'genai_estimate_tokens(prompt)',
  ),
  genai_extract_assistant_response: says(
    "Gives the content of the assistant's last message.",
    'genai_extract_assistant_response(messages)',
  ),
  genai_extract_function_results: says(
    'Gives the results that functions and tools returned.',
    'genai_extract_function_results(messages)',
  ),
  genai_extract_system_prompt: says(
    'Gives the content of the system message.',
    'genai_extract_system_prompt(messages)',
  ),
  genai_extract_tool_calls: says(
    'Gives the tool calls that the assistant made, as an array.',
    'genai_extract_tool_calls(messages)',
  ),
  genai_extract_user_prompt: says(
    "Gives the content of the user's last message.",
    'genai_extract_user_prompt(messages)',
  ),
  genai_get_content_by_index: says(
    'Gives the content of the message at a zero-based place.',
    'genai_get_content_by_index(messages, 0)',
  ),
  genai_get_content_by_role: says(
    'Gives the content of the first message with a role.',
    "genai_get_content_by_role(messages, 'system')",
  ),
  genai_get_pricing: says(
    'Gives the prices of a model for input and output tokens.',
    "genai_get_pricing('gpt-4o')",
  ),
  genai_get_role: says(
    'Gives the role of the message at a zero-based place.',
    'genai_get_role(messages, 0)',
  ),
  genai_has_tool_calls: says(
    'Tells whether any message calls a tool.',
    'genai_has_tool_calls(messages)',
  ),
  genai_input_cost: says(
    'Gives the price of the input tokens of a call.',
    "genai_input_cost('gpt-4o', input_tokens)",
  ),
  genai_is_truncated: says(
    'Tells whether an answer was cut off, by its messages and finish reason.',
    'genai_is_truncated(messages, finish_reason)',
  ),
  genai_message_roles: says(
    'Gives the role of every message as an array.',
    'genai_message_roles(messages)',
  ),
  genai_output_cost: says(
    'Gives the price of the output tokens of a call.',
    "genai_output_cost('gpt-4o', output_tokens)",
  ),
} satisfies Record<keyof typeof genaiFunctions, Prose>;
