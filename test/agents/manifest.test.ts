// What the manifest says about the tools follows from their rows.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DEFINITION_TOKENS_MAX, estimateTokens, TOOLS_MAX } from '../../agents/src/index.ts';
import { ownToolName } from '../../client/src/agents/toolNames.ts';
import { withAgentTools } from '../../scripts/agentTools.ts';
import { read } from '../house/sources.ts';

interface Declared {
  readonly name: string;
  readonly toolReferenceName: string;
  readonly modelDescription: string;
  readonly inputSchema: object;
  readonly when?: string;
}

const manifest = JSON.parse(read('package.json')) as {
  readonly contributes: { readonly languageModelTools: readonly Declared[] };
};
const declared = manifest.contributes.languageModelTools;

describe('the tools in the manifest', () => {
  it('match the rows', () => {
    const made = JSON.parse(JSON.stringify(withAgentTools(manifest)));
    assert.deepEqual(made, manifest, 'Run npm run kinds.');
  });

  it('cost no more tokens than those of aplomb mcp may', () => {
    assert.equal(declared.length, TOOLS_MAX);
    const sent = declared.map(({ name, modelDescription, inputSchema }) =>
      JSON.stringify({ name, description: modelDescription, inputSchema }),
    );
    const tokens = sent.reduce((sum, text) => sum + estimateTokens(text), 0);
    assert.ok(tokens <= DEFINITION_TOKENS_MAX, `${tokens} tokens`);
  });

  it('have names that VS Code accepts, and the one that writes needs a setting', () => {
    for (const { name, toolReferenceName, when } of declared) {
      assert.match(name, /^aplomb_[a-z_]+$/);
      assert.match(toolReferenceName, /^apl[A-Z]\w+$/);
      const writes = ownToolName(name) === 'ingest_events';
      assert.equal(when, writes ? 'config.aplomb.agents.allowIngest' : undefined);
    }
  });
});
