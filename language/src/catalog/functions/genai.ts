/** Functions over conversations with language models: arrays of messages with a role and content. */
import { area, dynamic, fn, long, optional, string } from '../build.ts';

const messages = dynamic('messages');
const model = string('model');
const inputTokens = long('input_tokens', { unit: 'tokens' });
const outputTokens = long('output_tokens', { unit: 'tokens' });
const dollars = 'US dollars';

export const genaiFunctions = area('genai', {
  genai_concat_contents: fn(
    [messages, optional(string('separator'))],
    'string',
    'Joins the contents of all messages into one text.',
    "genai_concat_contents(messages, ' | ')",
  ),
  genai_conversation_turns: fn(
    [messages],
    'long',
    'Counts the turns of a conversation: its messages from the user.',
    'genai_conversation_turns(messages)',
  ),
  genai_cost: fn(
    [model, inputTokens, outputTokens],
    'real',
    'Gives the price of a call from its model and tokens.',
    "genai_cost('gpt-4o', input_tokens, output_tokens)",
    { unit: dollars },
  ),
  genai_estimate_tokens: fn(
    [string('text')],
    'long',
    'Estimates how many tokens a text has.',
    'genai_estimate_tokens(prompt)',
    { unit: 'tokens', approximate: true },
  ),
  genai_extract_assistant_response: fn(
    [messages],
    'string',
    "Gives the content of the assistant's last message.",
    'genai_extract_assistant_response(messages)',
  ),
  genai_extract_function_results: fn(
    [messages],
    'dynamic',
    'Gives the results that functions and tools returned.',
    'genai_extract_function_results(messages)',
  ),
  genai_extract_system_prompt: fn(
    [messages],
    'string',
    'Gives the content of the system message.',
    'genai_extract_system_prompt(messages)',
  ),
  genai_extract_tool_calls: fn(
    [messages],
    'dynamic',
    'Gives the tool calls that the assistant made, as an array.',
    'genai_extract_tool_calls(messages)',
  ),
  genai_extract_user_prompt: fn(
    [messages],
    'string',
    "Gives the content of the user's last message.",
    'genai_extract_user_prompt(messages)',
  ),
  genai_get_content_by_index: fn(
    [messages, long('index')],
    'string',
    'Gives the content of the message at a zero-based place.',
    'genai_get_content_by_index(messages, 0)',
  ),
  genai_get_content_by_role: fn(
    [messages, string('role')],
    'string',
    'Gives the content of the first message with a role.',
    "genai_get_content_by_role(messages, 'system')",
  ),
  genai_get_pricing: fn(
    [model],
    'dynamic',
    'Gives the prices of a model for input and output tokens.',
    "genai_get_pricing('gpt-4o')",
  ),
  genai_get_role: fn(
    [messages, long('index')],
    'string',
    'Gives the role of the message at a zero-based place.',
    'genai_get_role(messages, 0)',
  ),
  genai_has_tool_calls: fn(
    [messages],
    'bool',
    'Tells whether any message calls a tool.',
    'genai_has_tool_calls(messages)',
  ),
  genai_input_cost: fn(
    [model, inputTokens],
    'real',
    'Gives the price of the input tokens of a call.',
    "genai_input_cost('gpt-4o', input_tokens)",
    { unit: dollars },
  ),
  genai_is_truncated: fn(
    [messages, string('finish_reason')],
    'bool',
    'Tells whether an answer was cut off, by its messages and finish reason.',
    'genai_is_truncated(messages, finish_reason)',
  ),
  genai_message_roles: fn(
    [messages],
    'dynamic',
    'Gives the role of every message as an array.',
    'genai_message_roles(messages)',
  ),
  genai_output_cost: fn(
    [model, outputTokens],
    'real',
    'Gives the price of the output tokens of a call.',
    "genai_output_cost('gpt-4o', output_tokens)",
    { unit: dollars },
  ),
});
