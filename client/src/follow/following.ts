// Connects followed queries to VS Code's settings, the deployments and the list of activities.
import type { Context } from '../context.ts';
import { askForMissingToken } from '../deployments/askToken.ts';
import { answerLimits, followSettings, setNewestFirst } from '../host/settings.ts';
import { answerProfile, answerService } from '../query/answerService.ts';
import { failedState } from '../query/failedState.ts';
import { goToError } from '../query/goToError.ts';
import { queryOf } from '../query/query.ts';
import type { Asked } from '../query/storedAnswers.ts';
import type { FollowEffects } from '../results/host/parts.ts';
import { orAborted } from '../service/orAborted.ts';
import { systemClock } from './clock.ts';
import { Follows } from './follows.ts';

type FollowingParts = Pick<Context, 'deployments' | 'language' | 'runner' | 'tabs' | 'store'> & {
  readonly asked: Asked;
};

export function newFollows({ deployments, language, runner, ...parts }: FollowingParts): Follows {
  return new Follows({
    ...parts,
    clock: systemClock,
    settings: followSettings,
    plan: (text) => language.followPlan(text),
    limits: answerLimits,
    list: (tab, query, cancel) => runner.following(queryOf(query), tab, cancel),
    failed: (tab, { query, deployment }, failure) => {
      const profile = deployments.find(deployment) ?? deployments.active;
      const again = { command: 'aplomb.follow', arguments: [tab] };
      return failedState(failure, profile, again, goToError(queryOf(query), failure));
    },
    service: async (deployment, signal) => {
      const profile = answerProfile(deployments, deployment);
      if (!profile.ok) return profile;
      await orAborted(askForMissingToken(deployments, profile.value), signal);
      return answerService(deployments, deployment, signal);
    },
  });
}

export function followEffects(
  follows: Follows,
  onProblem: (problem: string) => void,
): FollowEffects {
  return {
    view: (tab) => follows.view(tab),
    onDidChange: (listener) => follows.onDidChange(listener),
    act: (tab, action) => {
      if (action !== 'newestFirst' && action !== 'newestLast') return follows[action](tab);
      setNewestFirst(action === 'newestFirst').catch((error: unknown) =>
        onProblem(`The position of new rows could not be stored: ${error}`),
      );
    },
  };
}
