import { expect, test } from 'vitest';
import type { Stage } from '../../../infra/stage-settings.ts';
import { copyOf, EVERYTHING, PROTECTED, plain } from '../synth.ts';

const outputsOf = (stage: Stage) =>
  Object.fromEntries(
    Object.entries(copyOf(stage).template.Outputs).map(([id, { Value }]) => [id, plain(Value)]),
  );

// The tools find the parts of a deployed stage by these.
test('the outputs are the base URL, the tables and the command for the first token', () => {
  expect(outputsOf(PROTECTED)).toEqual({
    // Without a trailing slash.
    BaseUrl: 'https://{Api}.execute-api.{AWS::Region}.{AWS::URLSuffix}/production',
    PlantsTable: '{Plants}',
    AccessTokensTable: '{AccessTokens}',
    FirstTokenCommand: 'npm run token -- issue first --stage production',
  });
});

test('a domain is the base URL', () => {
  expect(outputsOf(EVERYTHING).BaseUrl).toBe('https://plants.example.com');
});
