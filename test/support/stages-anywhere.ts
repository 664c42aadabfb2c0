/**
 * Lets every stage be in any account and Region, in this process: tests stand in for one account of AWS, whatever the stage file
 * says of the operator's. A key of one's own needs a Region. Loaded before each test file, and into each command that a test starts.
 */
import { STAGES } from '../../infra/stages.ts';

for (const stage of Object.values(STAGES))
  Object.assign(stage, { account: undefined, region: undefined, keyArn: undefined });
