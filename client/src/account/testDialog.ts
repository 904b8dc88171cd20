// Builds the text of the dialog about a failed connection test: the problem first, then the remedy.

import type { HostedProfile } from '../deployments/profiles.ts';
import type { ConnectionProblem } from '../service/connectionTest.ts';

export function testDialog(
  { name, general, edge }: Pick<HostedProfile, 'name' | 'general' | 'edge'>,
  problems: readonly ConnectionProblem[],
) {
  const [first, ...others] = problems;
  const address = general === edge ? general : `${general}, with queries at ${edge}`;
  const paragraphs = [
    first?.advice ?? '',
    ...others.map(({ message, advice }) => `${message} ${advice}`),
    `Result of the connection test of ${name}, at ${address}.`,
  ];
  return { message: first?.message ?? '', detail: paragraphs.filter(Boolean).join('\n\n') };
}
