/** Functions over the messages of language models. */
import { type FunctionPlan, unsupported } from './define.ts';

const prices = unsupported('it needs a table of prices that is not part of the extension');
const messages = unsupported('conversations are not taken apart yet');

export const genaiFunctions = {
  genai_concat_contents: messages,
  genai_conversation_turns: messages,
  genai_cost: prices,
  genai_estimate_tokens: messages,
  genai_extract_assistant_response: messages,
  genai_extract_function_results: messages,
  genai_extract_system_prompt: messages,
  genai_extract_tool_calls: messages,
  genai_extract_user_prompt: messages,
  genai_get_content_by_index: messages,
  genai_get_content_by_role: messages,
  genai_get_pricing: prices,
  genai_get_role: messages,
  genai_has_tool_calls: messages,
  genai_input_cost: prices,
  genai_is_truncated: messages,
  genai_message_roles: messages,
  genai_output_cost: prices,
} as const satisfies Readonly<Record<string, FunctionPlan>>;
