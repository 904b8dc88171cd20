// What the manifest says about the tools for agents, made of the rows of `agents`. `npm run kinds` writes it, and a test
// compares what is there with what this makes.
import { type Tool, tools } from '../agents/src/index.ts';
import { editorToolName } from '../client/src/agents/toolNames.ts';

interface Manifest {
  readonly contributes: object;
}

/** The tool that runs tests is offered once there are tests to run. */
const declared = tools.filter(({ name }) => name !== 'run_tests');

/** The same manifest with the tools that follow from the rows. */
export function withAgentTools<T extends Manifest>(manifest: T): T {
  return {
    ...manifest,
    contributes: { ...manifest.contributes, languageModelTools: declared.map(declarationOf) },
  };
}

function declarationOf({ name, title, description, input, writes }: Tool): object {
  return {
    name: editorToolName(name),
    toolReferenceName: referenceName(name),
    displayName: `APL: ${title}`,
    modelDescription: `${description} For APL, the query language of Axiom.`,
    userDescription: description,
    canBeReferencedInPrompt: true,
    tags: ['apl'],
    inputSchema: input,
    ...(writes && { when: 'config.aplomb.agents.allowIngest' }),
  };
}

/** Returns a name such as `aplRunQuery`, which people write after `#`. */
function referenceName(name: string): string {
  const words = name.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `apl${words.join('')}`;
}
