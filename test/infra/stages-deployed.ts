import { STAGES, type Stage } from '../../infra/stages.ts';
import { type Deployed, deployed } from './deployed.ts';

/** A stage with everything that can be switched on. */
export const EVERYTHING: Stage = {
  ...STAGES.prod,
  canaryMinutes: 30,
  concurrency: 50,
  alarmEmail: 'operators@example.com',
  domain: {
    name: 'plants.example.com',
    certificateArn: 'arn:aws:acm:eu-west-1:111122223333:certificate/11112222-3333-4444-5555-666677778888',
    zone: { id: 'Z0123456789', name: 'example.com' },
  },
  firewall: { requests: 500 },
};

/** The stages that every policy must hold for. */
export const TESTED_STAGES = {
  dev: STAGES.dev,
  prod: STAGES.prod,
  'prod with everything switched on': EVERYTHING,
} as const;

const synthesised = new Map<string, Deployed>();

/** A copy of a stage's template, which a test may break; each stage is synthesised once. */
export function deployedStage(name: keyof typeof TESTED_STAGES): Deployed {
  const found = synthesised.get(name) ?? deployed(TESTED_STAGES[name]);
  synthesised.set(name, found);
  return structuredClone(found);
}
